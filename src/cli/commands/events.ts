/** `events`: shows the audit trail, page by page or live. */
import { type EventFilter, type EventRecord, eventWatch, lastEvents } from '../../domain/operating/events.ts';
import { eventView } from '../../operations/views.ts';
import { EVENT_TYPES, type EventType } from '../../protocol/event-types.ts';
import type { Mode } from '../../protocol/mode.ts';
import {
  APP_OPTION,
  type Command,
  type Invocation,
  MODE_OPTION,
  WrongUsage,
  wholeNumber,
} from '../command.ts';
import { describeRows, follow, type Shown } from '../follow.ts';
import { momentOf, WHEN } from '../moment.ts';
import { when } from '../text.ts';
import { withAdmin } from '../with-admin.ts';

const MOST = 10_000;
const LONGEST_AGENT = 60;
const SHOWN: Shown<EventRecord> = {
  columns: { TIME: 23, TYPE: 17, MODE: 4, APP: 28, USER: 28, ADDRESS: 15, BROWSER: 0 },
  cellsOf: ({ at, type, gallery, userId, ip, userAgent }) => {
    const agent = userAgent ?? '';
    const short = agent.length > LONGEST_AGENT ? `${agent.slice(0, LONGEST_AGENT - 1)}…` : agent;
    return [when(at), type, gallery.mode, gallery.appId, userId ?? '', ip ?? '', short];
  },
  view: eventView,
  name: 'events',
};

export const EVENTS: Command = {
  name: 'events',
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
        // Events that were added while the page was read are already on it.
        const onPage = new Set(events.map(({ id }) => id));
        await follow(invocation, SHOWN, events, async () =>
          (await added()).filter(({ id }) => !onPage.delete(id)),
        );
        return null;
      }
      const json = { events: events.map(eventView), next_cursor: nextCursor };
      const text = describeRows(SHOWN, events, invocation, ': the first enrolment adds one');
      const more = nextCursor ? `\n\nOlder events: run the same command with --cursor ${nextCursor}` : '';
      return { json, text: text + more };
    }),
};

function filterOf(invocation: Invocation, now: number): EventFilter {
  const { app, user, mode, type } = invocation.options as Record<string, string | undefined>;
  return {
    ...{ appId: app, userId: user },
    ...{ mode: mode as Mode | undefined, type: type as EventType | undefined },
    since: momentOf(invocation, 'since', now),
    until: momentOf(invocation, 'until', now),
  };
}
