/** Months and days are UTC, whatever the machine's zone: plans renew and daily caps end at these moments. */
import * as assert from 'uvu/assert';
import { iso, monthOf, nextMonth, restOfDay } from '../../src/protocol/time.ts';
import { suite } from '../support/suite.ts';

// A zone far from UTC, with summer time: local arithmetic would show.
process.env.TZ = 'Pacific/Auckland';

const test = suite('time');

/** A moment, its month, the first instant of the next one, and the milliseconds left of its day. */
const MOMENTS = [
  ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01T00:00:00.000Z', 1],
  ['2026-02-01T00:00:00.000Z', '2026-02', '2026-03-01T00:00:00.000Z', 86_400_000],
  ['2026-02-28T23:59:59.000Z', '2026-02', '2026-03-01T00:00:00.000Z', 1_000],
  ['2028-02-28T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z', 43_200_000],
  ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z', 43_200_000],
  ['2100-02-28T18:00:00.000Z', '2100-02', '2100-03-01T00:00:00.000Z', 21_600_000],
  ['2026-03-31T12:30:00.000Z', '2026-03', '2026-04-01T00:00:00.000Z', 41_400_000],
  ['2026-04-30T00:00:00.001Z', '2026-04', '2026-05-01T00:00:00.000Z', 86_399_999],
  ['2026-09-26T14:30:00.000Z', '2026-09', '2026-10-01T00:00:00.000Z', 34_200_000],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z', 1],
  ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z', 86_400_000],
] as const;

test('the machine’s zone is not UTC here', () => {
  assert.is.not(new Date('2026-01-31T23:59:59.999Z').getDate(), 31);
});

test('months, their ends and the rest of days', () => {
  for (const [text, month, next, rest] of MOMENTS) {
    const ms = Date.parse(text);
    assert.is(iso(ms), text);
    assert.is(monthOf(ms), month, text);
    assert.is(iso(nextMonth(ms)), next, text);
    assert.is(restOfDay(ms), rest, text);
  }
});

test('a day that ends begins the next one with nothing between', () => {
  for (const [text] of MOMENTS) {
    const ms = Date.parse(text);
    assert.is(iso(ms + restOfDay(ms)).slice(11), '00:00:00.000Z', text);
  }
});

test.run();
