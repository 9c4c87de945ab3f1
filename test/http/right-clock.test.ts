/** A machine whose clock is off from the one that the database follows: what it warns of, what it refuses, how it recovers. */
import { pino } from 'pino';
import * as assert from 'uvu/assert';
import { createServiceClock, isFarOff } from '../../src/domain/known-time.ts';
import { rightClock } from '../../src/http/app.ts';
import { offClock } from '../../src/service/presence.ts';
import { suite } from '../support/suite.ts';

const test = suite('a clock off from the database');
const NOW = Date.parse('2026-03-15T12:00:00.000Z');

/** Seconds that the machine is off; the level of the line that is logged, if any; whether requests are served. */
const CASES: readonly [number, number | null, boolean][] = [
  [0, null, true],
  [5, null, true],
  [6, 40, true],
  [-60, null, true],
  [61, 50, false],
  [-961, null, false],
  [-6, 40, true],
  [1, 30, true],
];

test('the own time is the database’s; a node far off serves its keys only, and serves again by itself', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: line => void lines.push(line) });
  let off = 0;
  const clock = createServiceClock({ now: () => NOW + off });
  const measured = offClock(clock, log, true);
  const middleware = rightClock(clock);
  const answer = async (path: string) => {
    let isServed = false;
    const serve = async () => {
      isServed = true;
    };
    await middleware({ path } as never, serve).catch(({ code }: { code: string }) =>
      assert.is(code, 'service_unavailable'),
    );
    return isServed;
  };
  for (const [seconds, level, isServed] of CASES) {
    off = seconds * 1_000;
    lines.length = 0;
    measured(off);
    assert.is(clock.now(), NOW, `${seconds}`);
    assert.equal(
      lines.map(line => JSON.parse(line).level),
      level === null ? [] : [level],
      `${seconds}`,
    );
    assert.equal(
      [await answer('/v1/match'), await answer('/v1/me'), isFarOff(clock)],
      [isServed, isServed, !isServed],
      `${seconds}`,
    );
    assert.equal([await answer('/.well-known/jwks.json'), await answer('/health')], [true, true]);
  }
});

test('a clock that a test moves is not corrected', () => {
  const clock = createServiceClock({ now: () => NOW });
  offClock(clock, pino({ enabled: false }), false)(3_600_000);
  assert.equal([clock.now(), clock.offBy()], [NOW, 0]);
});

test.run();
