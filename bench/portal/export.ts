/** The export of the whole list, and how long others wait while searches run. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { MB, memoryOf } from '../../test/support/process-figures.ts';
import { beginProbe, endProbe } from '../service/servers.ts';
import type { Data } from './data.ts';
import type { Figure } from './figure.ts';
import type { Operator } from './operator.ts';

const SEARCHES = 10;
const USERS = 100_000;

/** @throws Error if a user is missing */
export async function exported({ app }: Data, operator: Operator, server: ChildProcess): Promise<Figure> {
  const memory = () => memoryOf(server.pid as number) / MB;
  const before = memory();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 20);
  const { text } = await operator.get(`apps/${app}/live/users.csv`);
  clearInterval(watch);
  const lines = text.trim().split('\n').length;
  if (lines !== USERS + 1) throw new Error(`the export has ${lines} lines, not ${USERS + 1}`);
  return {
    ...{ name: 'export of 100,000 users, more memory (MB)', wanted: '≤ 30 MB' },
    ...{ median: peak - before, worst: peak - before, most: 30 },
  };
}

/** How late the event loop is at most: alone, and while a search looks through all users. */
export async function waiting({ app }: Data, operator: Operator, server: ChildProcess): Promise<Figure> {
  beginProbe(server);
  await delay(1_000);
  const alone = await endProbe(server);
  beginProbe(server);
  for (let i = 0; i < SEARCHES; i++) await operator.get(`apps/${app}/live/users?contains=yyy${i}`);
  const searching = await endProbe(server);
  return {
    ...{ name: 'event loop late: idle, while searching', wanted: 'no turn > 20 ms' },
    ...{ median: alone.max, worst: searching.max, most: 20 },
  };
}
