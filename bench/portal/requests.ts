/** How long the internal API takes for what pages ask. Each answer is compared with what the database holds. */
import { DAY, EVENTS_KEPT } from '../../src/protocol/limits.ts';
import { quantile } from '../measure.ts';
import { emailOf } from '../service/galleries.ts';
import { type Data, TYPES } from './data.ts';
import type { Figure } from './figure.ts';
import type { Operator } from './operator.ts';

const PAGES = 30;

export async function requests(data: Data, operator: Operator): Promise<Figure[]> {
  const [large, small] = [`apps/${data.app}/live`, `apps/${data.small}/live`];
  const json = async (path: string) => JSON.parse((await operator.get(path)).text);
  const cursors = [''];
  for (let i = 1; i < PAGES; i++) {
    const { next_cursor } = await json(`${large}/users?limit=50${cursors.at(-1)}`);
    cursors.push(`&cursor=${encodeURIComponent(next_cursor)}`);
  }
  const times = async (name: string, most: number, count: number, path: (i: number) => string) => {
    await operator.get(path(0));
    const all: number[] = [];
    for (let i = 0; i < count; i++) all.push((await operator.get(path(i))).ms);
    return { name, wanted: `p95 ≤ ${most} ms`, median: quantile(all, 0.5), worst: quantile(all, 0.95), most };
  };
  await check(json, data, large);
  const days = EVENTS_KEPT / DAY;
  return [
    await times('users, a page', 10, 60, i => `${large}/users?limit=50${cursors[i % PAGES]}`),
    await times('users, exact address', 20, 60, i => `${large}/users?email=${emailOf(i * 997)}`),
    await times('users, contains', 400, 12, i => `${large}/users?contains=${emailOf(i)}`),
    await times('users, contains, nobody', 400, 12, i => `${large}/users?contains=zzz${i}`),
    await times('newest events', 10, 40, () => `${large}/events`),
    await times('newest events, small app', 10, 40, () => `${small}/events`),
    await times('newest events, by type', 10, 40, i => `${large}/events?type=${TYPES[i % TYPES.length]}`),
    await times('newest events, small app, rare type', 10, 40, () => `${small}/events?type=email_changed`),
    await times('newest events, by user', 10, 40, i => `${large}/events?user=${data.users[i]}`),
    await times(`days, ${days}`, 10, 40, () => `${large}/days?last=${days}`),
  ];
}

/** @throws Error if an answer is not what the database holds */
async function check(
  // biome-ignore lint/suspicious/noExplicitAny: answers, read by path
  json: (path: string) => Promise<any>,
  { counted }: Data,
  large: string,
): Promise<void> {
  const wrong = (what: string): never => {
    throw new Error(`${what}: the answer is wrong, so no figure is shown`);
  };
  const { days } = await json(`${large}/days?last=${EVENTS_KEPT / DAY}`);
  const counts: number[] = days.flatMap(({ counts: of }: { counts: Record<string, number> }) =>
    Object.values(of),
  );
  if (counts.reduce((sum, count) => sum + count, 0) !== counted()) wrong('the events by day');
  const exact = await json(`${large}/users?email=${emailOf(4_711)}`);
  if (exact.users.length !== 1 || exact.users[0].email !== emailOf(4_711)) wrong('an exact address');
  const some = await json(`${large}/users?contains=${emailOf(99_999).slice(0, 8)}&limit=100`);
  // user9999@, and user99990@ to user99999@
  if (some.users.length !== 11) wrong(`a part of an address (${some.users.length} of 11)`);
}
