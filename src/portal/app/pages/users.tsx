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
import { Filters } from '../ui/filters.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Badge, When } from '../ui/text.tsx';
import { Title } from '../ui/title.tsx';

type Order = 'newest' | 'oldest';

/** What the list is asked for. */
interface Asked {
  readonly order: Order;
  readonly email?: string;
  readonly contains?: string;
  readonly cursor?: string;
}

export function Users({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const [asked, setAsked] = useState<Asked>({ order: 'newest' });
  const load = useLoad(`users ${id} ${mode} ${JSON.stringify(asked)}`, async signal => {
    const app = await loadApp(id, signal);
    if (!may('people.read', app.team_id, mode)) return { app, page: null };
    const query = new URLSearchParams({ limit: '50', ...asked });
    return { app, page: await get<Answer<'peoplePage'>>(`apps/${id}/${mode}/users?${query}`, { signal }) };
  });
  const isFiltered = asked.email !== undefined || asked.contains !== undefined;
  return (
    <>
      <Title>{t.users.title}</Title>
      <p class="soft">{t.users.intro}</p>
      <Find asked={asked} onAsk={setAsked} />
      <Loaded of={load}>
        {({ app, page }) => {
          if (page === null) return <NoRight action="people.read" />;
          if (page.users.length === 0)
            return (
              <Empty title={isFiltered ? t.users.noMatchTitle : t.users.noneTitle}>
                <p>{isFiltered ? t.users.noMatch : t.users.none}</p>
              </Empty>
            );
          return (
            <>
              <List at={`/apps/${id}/${mode}/users`} users={page.users} />
              <div class="actions">
                {asked.cursor !== undefined && (
                  <button type="button" onClick={() => setAsked(withoutCursor(asked))}>
                    {t.users.first}
                  </button>
                )}
                {page.next_cursor !== null && (
                  <button
                    type="button"
                    onClick={() => setAsked({ ...asked, cursor: page.next_cursor as string })}
                  >
                    {t.users.next}
                  </button>
                )}
              </div>
              {may('people.export', app.team_id, mode) && <Export at={`apps/${id}/${mode}`} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const withoutCursor = ({ cursor: _, ...rest }: Asked): Asked => rest;

function Find({ asked, onAsk }: { readonly asked: Asked; readonly onAsk: (asked: Asked) => void }) {
  const t = useStrings();
  const [email, setEmail] = useState('');
  const [contains, setContains] = useState('');
  const { order } = asked;
  const [finding, searching] = [useTask(), useTask()];
  return (
    <Filters label={t.users.find}>
      <Form
        kind="secondary"
        task={finding}
        submit={t.users.find}
        disabled={email.trim() === ''}
        onSubmit={async () => onAsk({ order, email: email.trim() })}
      >
        <Field
          label={t.users.email}
          hint={t.users.exactHint}
          value={email}
          onText={setEmail}
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          spellcheck={false}
        />
      </Form>
      <Form
        kind="secondary"
        task={searching}
        submit={t.users.search}
        disabled={contains.trim() === ''}
        onSubmit={async () => onAsk({ order, contains: contains.trim() })}
      >
        <Field
          label={t.users.contains}
          hint={t.users.containsHint}
          value={contains}
          onText={setContains}
          autoComplete="off"
          spellcheck={false}
          maxLength={200}
        />
      </Form>
      <div class="actions">
        <Choice
          label={t.users.order}
          value={order}
          options={[
            ['newest', t.users.orders.newest],
            ['oldest', t.users.orders.oldest],
          ]}
          onChoice={chosen => onAsk({ ...withoutCursor(asked), order: chosen })}
        />
        {(asked.email !== undefined || asked.contains !== undefined) && (
          <button
            type="button"
            onClick={() => {
              setEmail('');
              setContains('');
              onAsk({ order });
            }}
          >
            {t.users.clear}
          </button>
        )}
      </div>
    </Filters>
  );
}

function List({ at, users }: { readonly at: string; readonly users: readonly Answer<'person'>[] }) {
  const t = useStrings();
  return (
    <Table
      label={t.users.title}
      columns={[t.users.email, t.users.name, t.users.faces, t.users.enrolled, t.users.lastSignIn]}
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
  const file = (ending: 'csv' | 'jsonl', type: string) => () =>
    task.run(() => save(`${at}/users.${ending}`, `users.${ending}`, type));
  return (
    <section class="card">
      <h2>{t.users.exportTitle}</h2>
      <p class="soft">{t.users.exportText}</p>
      {task.fault !== null && <FaultBox fault={task.fault} />}
      <div class="actions">
        <button type="button" aria-busy={task.isBusy} onClick={file('csv', 'text/csv')}>
          {t.users.csv}
        </button>
        <button type="button" aria-busy={task.isBusy} onClick={file('jsonl', 'application/jsonl')}>
          {t.users.jsonl}
        </button>
      </div>
    </section>
  );
}
