/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/ports/system.ts';

export interface HandClock extends Clock {
  time: number;
}

export function clockAt(time: number | string): HandClock {
  const clock: HandClock = {
    time: typeof time === 'string' ? Date.parse(time) : time,
    now: () => clock.time,
  };
  return clock;
}
