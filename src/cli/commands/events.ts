/** `events`: shows the audit trail, page by page or live. */
import { setTimeout as delay } from 'node:timers/promises';
import { type EventFilter, type EventRecord, eventWatch, lastEvents } from '../../domain/operating/events.ts';
import { eventView } from '../../operations/views.ts';
import { EVENT_TYPES } from '../../protocol/event-types.ts';
import { MODES } from '../../protocol/mode.ts';
import { type Command, type Invocation, optionalOneOf, WrongUsage, wholeNumber } from '../command.ts';
import { APP_OPTION, MODE_OPTION } from '../filters.ts';
import { momentOf, WHEN } from '../moment.ts';
import { ENDING_SIGNALS } from '../signals.ts';
import { harmless, when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

const MOST = 10_000;
const POLL_INTERVAL_MS = 500;
const LONGEST_AGENT = 60;
/** Fixed widths, so that later lines of --follow are aligned with the earlier ones. */
const COLUMNS = [23, 17, 4, 28, 28, 15] as const;
const HEADINGS = ['TIME', 'TYPE', 'MODE', 'APP', 'USER', 'ADDRESS', 'BROWSER'];

export const EVENTS: Command = {
  name: 'events',
  usage:
    '[--app ID] [--mode live|test] [--user USER_ID] [--type T] [--since WHEN] [--until WHEN] [--limit N] [--cursor C] [--follow]',
  about:
    'Shows enrolments, sign-ins, codes, changes and erasures, newest last. Events are kept for 400 days; events of erased users show only their type and time. --follow waits for new events until SIGINT; with --json it prints one JSON object per line instead of one document.',
  options: {
    app: { ...APP_OPTION, meaning: 'Only this app.' },
    mode: MODE_OPTION,
    user: { type: 'string', value: 'USER_ID', meaning: 'Only this user.' },
    type: {
      type: 'string',
      value: 'T',
      values: EVENT_TYPES,
      meaning: `Only this type: ${EVENT_TYPES.join(', ')}.`,
    },
    since: { type: 'string', value: 'WHEN', meaning: `Only events at or after this time. ${WHEN}.` },
    until: { type: 'string', value: 'WHEN', meaning: 'Only events before this time, in the same format.' },
    limit: { type: 'string', value: 'N', default: '50', meaning: `Show the newest N, at most ${MOST}.` },
    cursor: { type: 'string', value: 'C', meaning: 'Show the page before: next_cursor of the last page.' },
    follow: { type: 'boolean', meaning: 'Also show new events as they happen, until SIGINT.' },
  },
  examples: [
    'events --since 24h',
    'events --app APP_ID --type match_failed --since 2026-03-01 --limit 500 --json',
    'events --user USER_ID',
    'events --follow',
  ],
  run: invocation =>
    withAdmin(invocation, async deps => {
      const filter = filterOf(invocation, deps.clock.now());
      const limit = wholeNumber(invocation, 'limit', 1, MOST) ?? 0;
      const { cursor, follow: isFollowing } = invocation.options;
      if (isFollowing && (cursor !== undefined || filter.until !== undefined))
        throw new WrongUsage(`--follow has no end: leave out --cursor and --until; use: ${invocation.usage}`);
      const added = eventWatch(deps, filter);
      if (isFollowing) await added();
      const { events, nextCursor } = await lastEvents(
        deps,
        filter,
        limit,
        cursor === undefined ? null : String(cursor),
      );
      if (isFollowing) {
        await follow(invocation, events, added);
        return null;
      }
      const json = { events: events.map(eventView), next_cursor: nextCursor };
      if (events.length === 0) return { json, text: noEventsText(invocation) };
      const more = nextCursor ? `\n\nOlder events: run the same command with --cursor ${nextCursor}` : '';
      return { json, text: `${heading(invocation)}\n${events.map(line).join('\n')}${more}` };
    }),
};

function filterOf(invocation: Invocation, now: number): EventFilter {
  const { app, user } = invocation.options;
  const mode = optionalOneOf(invocation, 'mode', MODES);
  const type = optionalOneOf(invocation, 'type', EVENT_TYPES);
  const since = momentOf(invocation, 'since', now);
  const until = momentOf(invocation, 'until', now);
  return {
    ...(app !== undefined && { appId: String(app) }),
    ...(user !== undefined && { userId: String(user) }),
    ...(mode && { mode }),
    ...(type && { type }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/** Prints new events until a signal, or until the reader of stdout has gone. */
async function follow(
  invocation: Invocation,
  events: readonly EventRecord[],
  added: () => Promise<EventRecord[]>,
): Promise<void> {
  const show = (event: EventRecord) =>
    invocation.print(invocation.json ? JSON.stringify(eventView(event)) : line(event));
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  const over = AbortSignal.any([stop.signal, invocation.unread]);
  // Events that were added while the page was read are already on it.
  const onPage = new Set(events.map(({ id }) => id));
  if (!invocation.json) invocation.print(heading(invocation));
  for (const event of events) show(event);
  while (!over.aborted) {
    await delay(POLL_INTERVAL_MS, undefined, { signal: over }).catch(() => undefined);
    for (const event of over.aborted ? [] : await added()) if (!onPage.delete(event.id)) show(event);
  }
  for (const signal of ENDING_SIGNALS) process.off(signal, end);
}

function heading({ paint }: Invocation): string {
  return paint('bold', columns(HEADINGS));
}

function line({ at, type, gallery, userId, ip, userAgent }: EventRecord): string {
  const agent = userAgent ?? '';
  const short = agent.length > LONGEST_AGENT ? `${agent.slice(0, LONGEST_AGENT - 1)}…` : agent;
  return columns([when(at), type, gallery.mode, gallery.appId, userId ?? '', ip ?? '', short]);
}

function columns(cells: readonly string[]): string {
  return cells
    .map((cell, i) => harmless(cell).padEnd(COLUMNS[i] ?? 0))
    .join('  ')
    .trimEnd();
}

function noEventsText({ options }: Invocation): string {
  const filters = Object.keys(options).filter(name => name !== 'limit');
  return filters.length > 0
    ? `no matching events: try without ${filters.map(name => `--${name}`).join(' or ')}`
    : 'no events yet: the first enrolment adds one';
}
