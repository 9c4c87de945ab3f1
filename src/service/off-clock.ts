/**
 * How far the clock of this machine is from the database's: takes that over, and warns. Held by
 * test/http/right-clock.test.ts.
 */
import type { Logger } from 'pino';
import { OFF_REFUSES, OFF_WARNS, type ServiceClock } from '../domain/known-time.ts';

/**
 * @param isFollowed whether the database's clock is followed
 * @returns a function that takes over by how much the clock of this machine is ahead of the database's, and warns
 */
export function offClock(clock: ServiceClock, log: Logger, isFollowed: boolean): (offBy: number) => void {
  let level = levelOf(clock.offBy());
  if (level !== 'ok') tell(log, level, clock.offBy());
  return offBy => {
    if (!isFollowed) return;
    clock.correct(offBy);
    if (levelOf(offBy) === level) return;
    level = levelOf(offBy);
    tell(log, level, offBy);
  };
}

type Level = 'ok' | 'warns' | 'refuses';

function levelOf(offBy: number): Level {
  const ms = Math.abs(offBy);
  return ms > OFF_REFUSES ? 'refuses' : ms > OFF_WARNS ? 'warns' : 'ok';
}

function tell(log: Logger, level: Level, offBy: number): void {
  const seconds = Math.round(offBy / 1_000);
  const todo = 'let this machine and the database server synchronise their clocks (NTP)';
  if (level === 'ok') log.info({ seconds }, 'the clock is near the one of the database again');
  else if (level === 'warns') log.warn({ seconds, todo }, 'the clock is off from the one of the database');
  else
    log.error(
      { seconds, todo },
      'the clock is so far from the one of the database that this node serves nobody',
    );
}
