/** The users of an app in one mode, a page at a time. Finding by the whole address is cheap; searching is asked for. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, save } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad } from '../lib/use-load.ts';
import { Choice } from '../ui/fields.tsx';
import { Act, Form, useTask } from '../ui/form.tsx';
import { Filters, Table } from '../ui/lists.tsx';
import { Badge, Card, Title } from '../ui/parts.tsx';
import { Empty, FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { When } from '../ui/text.tsx';

const ORDERS = ['newest', 'oldest'] as const;

/** What the list is asked for. */
interface Asked {
  readonly order: (typeof ORDERS)[number];
  readonly email?: string;
  readonly contains?: string;
  readonly cursor?: string;
}

export function Users({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const at = `apps/${id}/${mode}/users`;
  const [asked, setAsked] = useState<Asked>({ order: 'newest' });
  const load = useLoad(`users ${id} ${mode} ${JSON.stringify(asked)}`, async signal => {
    const app = await loadApp(id, signal);
    if (!may('people.read', app.team_id, mode)) return { app, page: null };
    const query = new URLSearchParams({ limit: '50', ...asked });
    return { app, page: await get<Answer<'peoplePage'>>(`${at}?${query}`, { signal }) };
  });
  return (
    <>
      <Title intro={t.users.intro}>{t.nav.users}</Title>
      <Find asked={asked} onAsk={setAsked} />
      <Loaded of={load}>
        {({ app, page }) => {
          if (page === null) return <NoRight action="people.read" />;
          if (page.users.length === 0)
            return isFiltered(asked) ? (
              <Empty title={t.users.noMatchTitle} says={t.users.noMatch} />
            ) : (
              <Empty title={t.users.noneTitle} says={t.users.none} />
            );
          const { next_cursor: next } = page;
          return (
            <>
              <List at={`/${at}`} users={page.users} />
              <div class="actions">
                <Act
                  look=""
                  can={asked.cursor !== undefined}
                  text={t.users.first}
                  action={() => setAsked(withoutCursor(asked))}
                />
                {next !== null && (
                  <Act look="" text={t.users.next} action={() => setAsked({ ...asked, cursor: next })} />
                )}
              </div>
              {may('people.export', app.team_id, mode) && <Export at={at} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const withoutCursor = ({ cursor: _, ...rest }: Asked): Asked => rest;
const isFiltered = ({ email, contains }: Asked) => email !== undefined || contains !== undefined;

function Find({ asked, onAsk }: { readonly asked: Asked; readonly onAsk: (asked: Asked) => void }) {
  const t = useStrings();
  const { order } = asked;
  /** Counts what was cleared: the forms then begin anew. */
  const [round, setRound] = useState(0);
  return (
    <Filters label={t.users.find}>
      <Form
        key={`email ${round}`}
        kind="secondary"
        submit={t.users.find}
        isReady={({ email }) => email !== ''}
        onSubmit={({ email }) => onAsk({ order, email })}
        fields={{ email: { label: t.common.email, hint: t.users.exactHint, kind: 'email' } }}
      />
      <Form
        key={`contains ${round}`}
        kind="secondary"
        submit={t.users.search}
        isReady={({ contains }) => contains !== ''}
        onSubmit={({ contains }) => onAsk({ order, contains })}
        fields={{
          contains: { label: t.users.contains, hint: t.users.containsHint, kind: 'code', maxLength: 200 },
        }}
      />
      <div class="actions">
        <Choice
          label={t.users.order}
          value={order}
          options={ORDERS.map(name => [name, t.users.orders[name]])}
          onChoice={chosen => onAsk({ ...withoutCursor(asked), order: chosen })}
        />
        <Act
          look=""
          can={isFiltered(asked)}
          text={t.users.clear}
          action={() => {
            setRound(round + 1);
            onAsk({ order });
          }}
        />
      </div>
    </Filters>
  );
}

function List({ at, users }: { readonly at: string; readonly users: readonly Answer<'person'>[] }) {
  const t = useStrings();
  return (
    <Table
      label={t.nav.users}
      columns={[t.common.email, t.common.name, t.users.faces, t.users.enrolled, t.users.lastSignIn]}
      rows={users.map(user => ({
        key: user.id,
        cells: [
          <>
            <a href={`${at}/${user.id}`}>{user.email}</a>{' '}
            {user.email_verified && <Badge kind="good">{t.users.verified}</Badge>}
          </>,
          user.name || '–',
          String(user.template_count),
          <When at={user.created_at} />,
          <When at={user.last_sign_in_at} none={t.common.never} />,
        ],
      }))}
    />
  );
}

function Export({ at }: { readonly at: string }) {
  const t = useStrings();
  const task = useTask();
  const file = (text: string, ending: string, type: string) => (
    <Act look="" text={text} task={task} action={() => save(`${at}.${ending}`, `users.${ending}`, type)} />
  );
  return (
    <Card title={t.users.exportTitle} intro={t.users.exportText}>
      <FaultBox fault={task.fault} />
      <div class="actions">
        {file(t.users.csv, 'csv', 'text/csv')}
        {file(t.users.jsonl, 'jsonl', 'application/jsonl')}
      </div>
    </Card>
  );
}
