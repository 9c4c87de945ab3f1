/**
 * Tells the other nodes that this one is there and how far behind them it is, and takes over how far the clock of this
 * machine is from the database's.
 */

import type { Logger } from 'pino';
import { OFF_REFUSES, OFF_WARNS, type ServiceClock } from '../domain/known-time.ts';
import type { Nodes } from '../ports/nodes.ts';
import type { Clock } from '../ports/system.ts';
import { VERSION } from '../version.ts';

export interface Presence {
  /** Another piece of the work of other nodes was taken over: call it with every success. */
  tookOver(what: 'galleries' | 'erasures'): void;
  report(): Promise<void>;
  leave(): Promise<void>;
}

/**
 * @param nodes null: this one is alone. @param settings that all need alike. @param clock of the machine
 * @param measured is told by how much that is ahead of the database's
 */
export function createPresence(
  nodes: Nodes | null,
  name: string,
  settings: () => Readonly<Record<string, string>>,
  clock: Clock,
  measured: (offBy: number) => void = () => undefined,
): Presence {
  /** When each was last whole, by the clock of this process. */
  const at = { galleries: Number.NEGATIVE_INFINITY, erasures: Number.NEGATIVE_INFINITY };
  const lag = () => performance.now() - Math.min(at.galleries, at.erasures);
  return {
    tookOver(what) {
      at[what] = performance.now();
    },
    async report() {
      const lagMs = Number.isFinite(lag()) ? Math.round(lag()) : null;
      const offBy = await nodes?.report({ name, version: VERSION, lagMs, settings: settings() }, () =>
        clock.now(),
      );
      if (offBy !== undefined) measured(offBy);
    },
    async leave() {
      // The row ends by itself.
      await nodes?.leave().catch(() => undefined);
    },
  };
}

/**
 * Warns too. Held by test/http/right-clock.test.ts.
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
