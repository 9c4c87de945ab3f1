/** The events of an app in one mode: by type, user and day, older ones on request, new ones as they happen. */
import { useState } from 'preact/hooks';
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get } from '../lib/api.ts';
import { loadApp } from '../lib/apps.ts';
import { useStrings } from '../lib/language.ts';
import type { PageProps } from '../lib/location.ts';
import { may } from '../lib/session.ts';
import { usePoll } from '../lib/use-load.ts';
import { Check } from '../ui/fields.tsx';
import { type Filter, FilterForm, Table, usePaged } from '../ui/lists.tsx';
import { Badge, Title } from '../ui/parts.tsx';
import { Empty, FaultBox, Loaded, NoRight } from '../ui/states.tsx';
import { Browser, When } from '../ui/text.tsx';

type Event = Answer<'listedEvent'>;
const BAD = /_failed$|_limited$|_refused$|_known$/;
/** Beyond this, the oldest of the live events leave the page. */
const MOST = 500;

export function Events({ match }: PageProps) {
  const t = useStrings();
  const { id = '', mode } = match as { id: string; mode: Mode };
  const [filter, setFilter] = useState<Filter>({});
  return (
    <>
      <Title intro={t.events.intro}>{t.nav.events}</Title>
      <FilterForm
        onShow={setFilter}
        fields={{
          type: { label: t.common.type, options: [['', t.events.all], ...Object.entries(t.events.types)] },
          user: { label: t.common.userId, kind: 'code' },
        }}
      />
      <List key={`${id} ${mode} ${JSON.stringify(filter)}`} id={id} mode={mode} filter={filter} />
    </>
  );
}

function List({ id, mode, filter }: { readonly id: string; readonly mode: Mode; readonly filter: Filter }) {
  const t = useStrings();
  const at = `apps/${id}/${mode}`;
  const page = (more: Filter, options = {}) =>
    get<Answer<'eventPage'>>(`${at}/events?${new URLSearchParams({ ...filter, ...more })}`, options);
  const { first, rows, older, task } = usePaged(
    `events ${at} ${JSON.stringify(filter)}`,
    t.events.older,
    async (before, signal) => {
      if (before === null && !may('people.read', (await loadApp(id, signal)).team_id, mode)) return null;
      const {
        events,
        before: next,
        after,
      } = await page(before === null ? {} : { before }, signal ? { signal } : {});
      return { rows: events, next, after };
    },
  );
  const [newer, setNewer] = useState<readonly Event[]>([]);
  const [after, setAfter] = useState<string | null>(null);
  const [isLive, setLive] = useState(false);
  usePoll(isLive && first.data !== undefined && first.data !== null, async () => {
    const from = after ?? first.data?.after;
    if (from === undefined) return;
    const more = await page({ after: from }, { quiet: true });
    setAfter(more.after);
    if (more.events.length > 0) setNewer(before => [...more.events, ...before].slice(0, MOST));
  });
  const events = [...newer, ...rows];
  return (
    <Loaded of={first}>
      {found =>
        found === null ? (
          <NoRight action="people.read" />
        ) : (
          <>
            <Check label={t.events.live} isOn={isLive} onCheck={setLive} />
            <p class="soft" role="status">
              {isLive ? t.events.liveOn : ''}
            </p>
            {events.length === 0 ? (
              <Empty title={t.events.noneTitle} says={t.events.none} />
            ) : (
              <EventTable events={events} people={`/${at}/users`} />
            )}
            <FaultBox fault={task.fault} />
            {older}
          </>
        )
      }
    </Loaded>
  );
}

interface TableOptions {
  readonly events: readonly Event[];
  /** Path of the users' pages; without it the user is not shown. */
  readonly people?: string;
}

/** What happened, when, and from where. */
export function EventTable({ events, people }: TableOptions) {
  const t = useStrings();
  if (events.length === 0) return <p class="soft">{t.events.none}</p>;
  const who = people === undefined ? [] : [t.events.who];
  return (
    <Table
      label={t.nav.events}
      columns={[t.common.when, t.common.what, ...who, t.common.from, t.common.browser]}
      rows={events.map(event => ({
        key: event.id,
        cells: [
          <When at={event.at} isExact />,
          <Badge kind={BAD.test(event.type) ? 'bad' : 'plain'}>{t.events.types[event.type]}</Badge>,
          ...(people === undefined ? [] : [<Who of={event} people={people} />]),
          event.ip ?? '–',
          <span class="small-text">{event.user_agent ? <Browser of={event.user_agent} /> : '–'}</span>,
        ],
      }))}
    />
  );
}

function Who({ of: { user_id }, people }: { readonly of: Event; readonly people: string }) {
  const t = useStrings();
  if (user_id === null) return <span class="soft">{t.events.nobody}</span>;
  return (
    <a href={`${people}/${user_id}`}>
      <code>{user_id}</code>
    </a>
  );
}
