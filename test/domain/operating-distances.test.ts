/** How distances are shown: only in counts from which no single sign-in can be read. */
import * as assert from 'uvu/assert';
import { distancesOf } from '../../src/domain/operating/distances.ts';
import type { DistanceCount } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';

const test = suite('operating: distances');
const at = (text: string) => Date.parse(`${text}T00:00:00Z`);
const NOW = at('2026-03-15') + 12 * 3_600_000;
const GALLERY = { appId: 'app_1', mode: 'live' } as const;

const match = (day: string, bin: number, count: number): DistanceCount => ({
  day: at(day),
  outcome: 'match',
  bin,
  count,
});

async function shown(rows: readonly DistanceCount[], from = '2026-01-01', to = '2026-03-15') {
  const store = {
    distancesPerDay: async (_: unknown, first: number, last: number) =>
      rows.filter(({ day }) => day >= first && day <= last),
  };
  const { days, months } = await distancesOf(
    { store: store as never, clock: { now: () => NOW } as never },
    GALLERY,
    at(from),
    at(to),
  );
  return {
    days: days.map(({ day, bin, count }) => `${new Date(day).toISOString().slice(0, 10)} ${bin}: ${count}`),
    months: months.map(({ month, bin, count }) => `${month} ${bin}: ${count}`),
  };
}

test('a day shows counts from 20 on, and only once it is over', async () => {
  assert.equal(
    await shown([match('2026-03-13', 4, 20), match('2026-03-14', 4, 19), match('2026-03-15', 4, 500)]),
    {
      days: ['2026-03-13 4: 20'],
      months: [],
    },
  );
});

test('smaller counts are merged into their month, and shown there from 20 on', async () => {
  const rows = [
    match('2026-02-01', 3, 12),
    match('2026-02-02', 3, 8),
    match('2026-02-03', 3, 30),
    match('2026-02-04', 5, 19),
    match('2026-01-31', 3, 19),
  ];
  assert.equal(await shown(rows), { days: ['2026-02-03 3: 30'], months: ['2026-02 3: 20'] });
});

test('a month that is not over merges nothing: two looks at it would differ by a single day', async () => {
  assert.equal(await shown([match('2026-03-01', 3, 19), match('2026-03-02', 3, 19)]), {
    days: [],
    months: [],
  });
});

test('the range that is asked for does not change what a month has merged', async () => {
  const rows = [match('2026-02-01', 3, 12), match('2026-02-20', 3, 9)];
  for (const [from, to] of [
    ['2026-02-01', '2026-02-28'],
    ['2026-02-02', '2026-02-28'],
    ['2026-02-10', '2026-02-12'],
  ])
    assert.equal((await shown(rows, from, to)).months, ['2026-02 3: 21']);
});

test('days outside the range are not shown', async () => {
  const rows = [match('2026-02-01', 3, 20), match('2026-02-20', 3, 20)];
  assert.equal((await shown(rows, '2026-02-02', '2026-02-28')).days, ['2026-02-20 3: 20']);
  assert.equal((await shown(rows, '2026-02-01', '2026-02-19')).days, ['2026-02-01 3: 20']);
});

test.run();
