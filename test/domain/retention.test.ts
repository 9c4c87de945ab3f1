/** Which moments the retention rules ask the store for, and that they ask in small batches. */
import * as assert from 'uvu/assert';
import type { AdminDeps } from '../../src/domain/deps.ts';
import {
  deleteExpiredChallenges,
  deleteExpiredRows,
  deleteIdleUsers,
  deleteOldAuditEntries,
  deleteOldEvents,
  deleteOldTestUsers,
} from '../../src/domain/retention.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite('retention');

/** Tells what the store was asked, and answers with the numbers given, then with nothing. */
function asking(now: string, answers: readonly number[] = [], isFile = true) {
  const asked: unknown[][] = [];
  const left = [...answers];
  const answer =
    (verb: unknown) =>
    async (...args: unknown[]) => {
      asked.push([verb, ...args]);
      return verb === 'agedUsers' ? [] : (left.shift() ?? 0);
    };
  const file = isFile ? { compactAfterErasures: answer('compactAfterErasures') } : null;
  const store = new Proxy({}, { get: (_, verb) => (verb === 'file' ? file : answer(verb)) });
  return { deps: { store, clock: clockAt(Date.parse(now)) } as unknown as AdminDeps, asked };
}

const IDLE: readonly (readonly [now: string, since: string])[] = [
  ['2026-11-21T03:30:00.000Z', '2023-11-21T03:30:00.000Z'],
  ['2027-02-28T03:30:00.000Z', '2024-02-28T03:30:00.000Z'],
  ['2028-02-29T03:30:00.000Z', '2025-02-28T03:30:00.000Z'],
  ['2027-03-01T03:30:00.000Z', '2024-03-01T03:30:00.000Z'],
];
for (const [now, since] of IDLE)
  test(`at ${now} users are idle since ${since}`, async () => {
    const { deps, asked } = asking(now);
    await deleteIdleUsers(deps);
    assert.equal(asked[0]?.slice(0, 3), ['agedUsers', 'idle', Date.parse(since)]);
    assert.equal(asked.at(-1), ['compactAfterErasures', Date.parse(now)]);
  });

test('where the database is no file of this machine nothing is rebuilt, and all else is done', async () => {
  const { deps, asked } = asking('2026-11-21T03:30:00.000Z', [3], false);
  assert.is(await deleteIdleUsers(deps), 3);
  assert.equal(
    asked.map(([verb]) => verb),
    ['agedUsers', 'dropUnfinishedImports'],
  );
});

test('test users: 30 days', async () => {
  const { deps, asked } = asking('2026-11-21T03:15:00.000Z');
  await deleteOldTestUsers(deps);
  assert.equal(asked[0]?.slice(0, 3), [
    'agedUsers',
    { enrolled: 'test' },
    Date.parse('2026-10-22T03:15:00.000Z'),
  ]);
});

for (const rule of [deleteExpiredChallenges, deleteOldAuditEntries])
  test(`${rule.name} goes in batches of 1,000 until nothing is left`, async () => {
    const { deps, asked } = asking('2026-11-21T03:00:00.000Z', [1_000, 1_000, 7]);
    assert.is(await rule(deps), 2_007);
    assert.is(asked.length, 3);
    for (const call of asked) assert.is(call.at(-1), 1_000);
    assert.is(new Set(asked.map(call => call[2])).size, 1, 'one moment for all batches');
  });

test('what has expired goes in batches: of users, then of operators', async () => {
  const now = '2026-11-21T03:10:00.000Z';
  const { deps, asked } = asking(now, [1_000, 7, 1_000, 5]);
  assert.is(await deleteExpiredRows(deps), 2_012);
  const moment = Date.parse(now);
  assert.equal(asked, [
    ['prune', 'expired', moment - 300_000, 1_000],
    ['prune', 'expired', moment - 300_000, 1_000],
    ['prune', 'operators', moment, 1_000],
    ['prune', 'operators', moment, 1_000],
  ]);
});

test('events, removals and erasures go at 400 days, a day and 400 days, the first two in batches', async () => {
  const now = '2026-11-21T03:45:00.000Z';
  const { deps, asked } = asking(now, [1_000, 7, 1_000, 5, 3]);
  assert.is(await deleteOldEvents(deps), 2_015);
  const before = (days: number) => Date.parse(now) - days * 86_400_000;
  assert.equal(asked, [
    ['prune', 'events', before(400), 1_000],
    ['prune', 'events', before(400), 1_000],
    ['prune', 'removals', before(1), 1_000],
    ['prune', 'removals', before(1), 1_000],
    ['prune', 'erasures', before(400), 1_000],
  ]);
});

test.run();
