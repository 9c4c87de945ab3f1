/** The events of an app in one mode: by type, user and day, older ones on request, new ones as they happen. */
import { useState } from 'preact/hooks';
import type { EventType } from '../../../protocol/event-types.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { useLoad, usePoll } from '../lib/use-load.ts';
import { EventTable } from '../ui/event-table.tsx';
import { Filters } from '../ui/filters.tsx';
import { Choice, Field, Form, useTask } from '../ui/form.tsx';
import { Empty, FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { Title } from '../ui/title.tsx';

/** Beyond this, the oldest of the live events leave the page. */
const MOST = 500;

type Filter = Readonly<Partial<Record<'type' | 'user' | 'since' | 'until', string>>>;

export function Events({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const [filter, setFilter] = useState<Filter>({});
  return (
    <>
      <Title>{t.events.title}</Title>
      <p class="soft">{t.events.intro}</p>
      <Asked onShow={setFilter} />
      <List key={`${id} ${mode} ${JSON.stringify(filter)}`} id={id} mode={mode} filter={filter} />
    </>
  );
}

function List({ id, mode, filter }: { readonly id: string; readonly mode: Mode; readonly filter: Filter }) {
  const t = useStrings();
  const at = `apps/${id}/${mode}`;
  const page = (more: Readonly<Record<string, string>>, options = {}) =>
    get<Answer<'eventPage'>>(`${at}/events?${new URLSearchParams({ ...filter, ...more })}`, options);
  const load = useLoad(`events ${at} ${JSON.stringify(filter)}`, async signal => {
    const app = await loadApp(id, signal);
    return may('people.read', app.team_id, mode) ? await page({}, { signal }) : null;
  });
  const [newer, setNewer] = useState<readonly Answer<'listedEvent'>[]>([]);
  const [after, setAfter] = useState<string | null>(null);
  const [older, setOlder] = useState<Answer<'eventPage'> | null>(null);
  const [isLive, setLive] = useState(false);
  const task = useTask();
  usePoll(isLive && load.data !== undefined && load.data !== null, async () => {
    const from = after ?? load.data?.after;
    if (from === undefined) return;
    const more = await page({ after: from }, { quiet: true });
    setAfter(more.after);
    if (more.events.length > 0) setNewer(before => [...more.events, ...before].slice(0, MOST));
  });
  return (
    <Loaded of={load}>
      {first => {
        if (first === null) return <NoRight action="people.read" />;
        const events = [...newer, ...first.events, ...(older?.events ?? [])];
        const before = older ? older.before : first.before;
        return (
          <>
            <label class="check">
              <input
                type="checkbox"
                checked={isLive}
                onChange={event => setLive(event.currentTarget.checked)}
              />
              {t.events.live}
            </label>
            <p class="soft" role="status">
              {isLive ? t.events.liveOn : ''}
            </p>
            {events.length === 0 ? (
              <Empty title={t.events.noneTitle}>
                <p>{t.events.none}</p>
              </Empty>
            ) : (
              <EventTable events={events} people={`/${at}/users`} />
            )}
            {task.fault !== null && <FaultBox fault={task.fault} />}
            {before !== null && (
              <button
                type="button"
                aria-busy={task.isBusy}
                onClick={() =>
                  task.run(async () => {
                    const more = await page({ before });
                    setOlder({ ...more, events: [...(older?.events ?? []), ...more.events] });
                  })
                }
              >
                {t.events.older}
              </button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Asked({ onShow }: { readonly onShow: (filter: Filter) => void }) {
  const t = useStrings();
  const task = useTask();
  const [type, setType] = useState<EventType | ''>('');
  const [user, setUser] = useState('');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const given = { type, user: user.trim(), since: since.trim(), until: until.trim() };
  const types = Object.entries(t.events.types) as [EventType, string][];
  return (
    <Filters label={t.events.show}>
      <Form
        kind="secondary"
        task={task}
        submit={t.events.show}
        onSubmit={async () =>
          onShow(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
        }
      >
        <Choice
          label={t.events.type}
          value={type}
          options={[['', t.events.all], ...types]}
          onChoice={setType}
        />
        <Field
          label={t.events.user}
          value={user}
          onText={setUser}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
        />
        <Field label={t.events.since} isDay value={since} onText={setSince} autoComplete="off" />
        <Field isDay label={t.events.until} value={until} onText={setUntil} autoComplete="off" />
      </Form>
    </Filters>
  );
}
