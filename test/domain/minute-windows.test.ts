/**
 * Request limits of a minute: exactly the limit gets through, the window is fixed (it does not slide with each
 * request), and a stream of ever new addresses must not fill the memory.
 */
import * as assert from 'uvu/assert';
import { createMinuteWindows, MinutesInMemory } from '../../src/domain/limits/minute-windows.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite('minute windows');
const START = 1_000_000;

function fresh() {
  const clock = clockAt(START);
  const counter = new MinutesInMemory();
  const windows = createMinuteWindows(counter, clock);
  /** Null when let through, else the milliseconds to wait. */
  const take = async (key = 'ip:192.0.2.1', limit = 3): Promise<number | null> => {
    try {
      await windows.take(key, limit, 'Too many.');
      return null;
    } catch (error) {
      assert.instance(error, Refusal);
      const refusal = error as Refusal;
      assert.is(refusal.code, 'rate_limited');
      assert.is(refusal.message, 'Too many.');
      return refusal.extras.retryAfter ?? Number.NaN;
    }
  };
  return { clock, counter, take };
}

test('a limit of 0 is switched off and keeps nothing', async () => {
  const { counter, take } = fresh();
  for (let i = 0; i < 100; i++) assert.is(await take('key', 0), null);
  assert.is(counter.size, 0);
});

test('windows that are over are forgotten: memory follows the last minutes, not the history', async () => {
  const { clock, counter, take } = fresh();
  let most = 0;
  for (let i = 0; i < 60_000; i++) {
    clock.time += 100;
    await take(`ip:${i}`);
    most = Math.max(most, counter.size);
  }
  assert.ok(most <= 601, `held ${most} windows at 600 new addresses a minute`);
  clock.time += 120_000;
  await take('ip:last');
  assert.is(counter.size, 1);
});

test('the sweep forgets no window that is still open', async () => {
  const { clock, take } = fresh();
  await take('first', 1);
  clock.time += 59_000;
  await take('open', 1);
  clock.time += 1_001;
  await take('sweeps', 1);
  assert.is(await take('open', 1), 57_999 + 1_000);
});

test('beyond the most that is kept the oldest window goes, and the youngest still count', async () => {
  const clock = clockAt(START);
  const counter = new MinutesInMemory(1_000);
  const windows = createMinuteWindows(counter, clock);
  const take = (key: string) => windows.take(key, 1, 'Too many.');
  for (let i = 0; i < 5_000; i++) await take(`ip:${i}`);
  assert.is(counter.size, 1_000);
  const fault = await take('ip:4999').catch((error: Error) => error.message);
  assert.is(fault, 'Too many.');
  await take('ip:0');
  assert.is(counter.size, 1_000);
});

test.run();
