/** `stats`: shows how much the service is used. */
import { existsSync, statSync } from 'node:fs';
import { type Numbers, type Statistics, statisticsOf } from '../../domain/operating/statistics.ts';
import { appNumbersView, bothNumbersView, dayView } from '../../operations/views.ts';
import { counted, sizeOf } from '../../protocol/amounts.ts';
import { MODES } from '../../protocol/mode.ts';
import { monthOf, utcDay } from '../../protocol/time.ts';
import { fileOf, shownDatabase } from '../../settings/database.ts';
import { APP_OPTION, type Command, type Invocation, WrongUsage, wholeNumber } from '../command.ts';
import { type Cell, count, listing } from '../table.ts';
import { withAdmin } from '../with-admin.ts';

const MOST_DAYS = 400;
const NEARLY_USED = 80;

export const STATS: Command = {
  name: 'stats',
  about:
    'Counts current apps, users and templates, and the sign-ins, enrolments and matches of a month (UTC), by app and mode. Also shows the use of each plan and the size of the database. --days adds the events of each of the last days, as far back as events are kept.',
  options: {
    app: { ...APP_OPTION, meaning: 'Only this app.' },
    month: { type: 'string', value: 'YYYY-MM', meaning: 'The month to show (default: the current one).' },
    days: {
      type: 'string',
      value: 'N',
      meaning: `Also show the events of the last N days, including today; at most ${MOST_DAYS}.`,
    },
  },
  examples: ['stats', 'stats --month 2026-03 --json', 'stats --app APP_ID --days 7'],
  run: async invocation => {
    const { app } = invocation.options;
    const days = wholeNumber(invocation, 'days', 1, MOST_DAYS) ?? 0;
    const { database } = invocation.config();
    return withAdmin(invocation, async deps => {
      const month = monthFrom(invocation) ?? monthOf(deps.clock.now());
      const found = await statisticsOf(deps, app === undefined ? null : String(app), month, days);
      const file = fileOf(database);
      const bytes = file === null ? null : ['', '-wal'].reduce((sum, end) => sum + bytesOf(file + end), 0);
      return {
        json: {
          month,
          database: { file: shownDatabase(database), bytes },
          total: { apps: found.apps.length, ...bothNumbersView(found.total) },
          apps: found.apps.map(appNumbersView),
          erased_apps: found.erased && bothNumbersView(found.erased),
          ...(days > 0 && { days: found.days.map(dayView) }),
        },
        text: textOf(found, month, bytes, days, invocation),
      };
    });
  },
};

function monthFrom({ options, usage }: Invocation): string | null {
  const { month } = options;
  if (month === undefined) return null;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(String(month)))
    throw new WrongUsage(`--month must be a month, such as 2026-03, not "${month}"; use: ${usage}`);
  return String(month);
}

function bytesOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

function textOf(
  { apps, erased, total, days: counts }: Statistics,
  month: string,
  bytes: number | null,
  days: number,
  { paint }: Invocation,
): string {
  const rows = apps.flatMap(({ app, numbers, used }) => [
    rowOf(app.name, app.id, numbers, 'live', planCell(app.plan, used)),
    rowOf('', '', numbers, 'test', ''),
  ]);
  if (erased) rows.push(...MODES.map(mode => rowOf('(erased apps)', '', erased, mode, '')));
  rows.push(...MODES.map((mode, i) => rowOf(i === 0 ? 'Total' : '', '', total, mode, '')));
  const heads = [
    'APP',
    'ID',
    'MODE',
    'USERS',
    'TEMPLATES',
    'AUTHS',
    'ENROLLS',
    'MATCHES',
    'FAILED',
    'PLAN USED',
  ];
  const lines = [
    `${month} (UTC). Apps: ${apps.length}.${bytes === null ? '' : ` Database: ${sizeOf(bytes)}.`}`,
    '',
    listing(heads, rows, paint),
  ];
  if (apps.length === 0) lines.push('', 'no apps yet: create one with "app create --name N"');
  if (days > 0) {
    const happened = counts.map(({ day, mode, type, count: howMany }): Cell[] => [
      utcDay(day),
      mode,
      type,
      count(howMany),
    ]);
    lines.push(
      '',
      happened.length > 0
        ? listing(['DAY', 'MODE', 'EVENT', 'COUNT'], happened, paint)
        : `no events in ${counted(days, 'day')}`,
    );
  }
  return lines.join('\n');
}

function rowOf(name: string, id: string, numbers: Numbers, mode: 'live' | 'test', plan: Cell): Cell[] {
  const { users, templates, auths, enrolls, matchesOk, matchesFailed } = numbers[mode];
  return [name, id, mode, ...[users, templates, auths, enrolls, matchesOk, matchesFailed].map(count), plan];
}

function planCell(plan: string, used: number | null): Cell {
  if (used === null) return { text: plan, right: true };
  const text = `${Math.floor(used)} % of ${plan}`;
  if (used >= 100) return { text, right: true, colour: 'red' };
  return used >= NEARLY_USED ? { text, right: true, colour: 'yellow' } : { text, right: true };
}
