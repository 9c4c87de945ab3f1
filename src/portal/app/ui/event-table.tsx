/** Events as a table: what happened, when, and from where. */
import type { Answer } from '../../../protocol/portal/answers.ts';
import { useStrings } from '../lib/language.ts';
import { Table } from './table.tsx';
import { Badge, Browser, When } from './text.tsx';

const BAD = /_failed$|_limited$|_refused$|_known$/;

interface EventTableOptions {
  readonly events: readonly Answer<'listedEvent'>[];
  /** Path of the users' pages; without it the user is not shown. */
  readonly people?: string;
}

export function EventTable({ events, people }: EventTableOptions) {
  const t = useStrings();
  if (events.length === 0) return <p class="soft">{t.events.none}</p>;
  return (
    <Table
      label={t.events.title}
      columns={[
        t.events.at,
        t.events.what,
        ...(people === undefined ? [] : [t.events.who]),
        t.events.from,
        t.events.browser,
      ]}
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

function Who({ of: { user_id }, people }: { readonly of: Answer<'listedEvent'>; readonly people: string }) {
  const t = useStrings();
  if (user_id === null) return <span class="soft">{t.events.nobody}</span>;
  return (
    <a href={`${people}/${user_id}`}>
      <code>{user_id}</code>
    </a>
  );
}
