/** Parses times that an operator types: ISO 8601, or an age such as `24h`. Held by test/cli/events.test.ts. */
import { DAY, HOUR, MINUTE, SECOND } from '../protocol/limits.ts';
import { type Invocation, WrongUsage } from './command.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
/** A day, or a day and a time. UTC if there is no zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) ?(Z|UTC|[+-]\d\d:\d\d)?)?$/;
export const WHEN = 'ISO 8601 (UTC by default), or an age: 90s, 15m, 24h, 7d, 2w';

/** @throws WrongUsage; undefined when the option is not given */
export function momentOf({ options, usage }: Invocation, name: string, now: number): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const moment = read(String(given), now);
  if (Number.isNaN(moment)) throw new WrongUsage(`--${name} must be ${WHEN}; not "${given}"; use: ${usage}`);
  return moment;
}

function read(text: string, now: number): number {
  const [, number, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (number !== undefined && unit !== undefined) return now - Number(number) * (UNITS[unit] as number);
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const moment = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);
  // Date.parse turns a day that does not exist, such as 30 February, into another day.
  const midnight = Date.parse(`${day}T00:00Z`);
  const isReal = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isReal ? moment : Number.NaN;
}
