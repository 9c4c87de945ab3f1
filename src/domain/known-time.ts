/**
 * Whether the system's clock can be believed. Clocks are wrong in the field: no battery, a bad answer from a time
 * server, a restored snapshot. The store keeps a *known time*, which follows the clock as long as it goes on plausibly.
 * After a leap of more than CLOCK_LEAP_DAYS it stays, and nothing is deleted for its age, until an operator accepts
 * the clock. The service's own time is the later of both, so it runs backwards only when a clock that was not believed
 * is set back. Held by test/jobs/clock.test.ts.
 */
import type { Recording, Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { DAY, MINUTE } from '../protocol/limits.ts';
import { iso } from '../protocol/time.ts';
import { OperatingFault } from './operating/fault.ts';

/** What a clock may be behind without a word: it is corrected in small steps. */
const BEHIND = 5 * MINUTE;

/** How the system's clock differs from the known time. Milliseconds since the epoch. */
export interface ClockFault {
  readonly kind: 'leap' | 'behind';
  readonly known: number;
  readonly system: number;
}

/** The service's time. */
export interface ServiceClock extends Clock {
  /** The clock of the machine; on a server that of the database, as far as it was measured. */
  readonly system: Clock;
  /** By how much the machine's is ahead of the database's. */
  offBy(): number;
  /** It was measured again. */
  correct(offBy: number): void;
  /** Follows what the store knows. */
  follow(known: number): void;
}

/** Beyond this a node warns; beyond the other it serves nobody, because all nodes share limits and challenges. */
export const OFF_WARNS = 5_000;
export const OFF_REFUSES = MINUTE;

/** The clock of this machine is too far from the database's. */
export const isFarOff = ({ offBy }: Pick<ServiceClock, 'offBy'>) => Math.abs(offBy()) > OFF_REFUSES;

interface Knowing {
  readonly clock: ServiceClock;
  readonly store: Pick<Store, 'knownTime' | 'setKnownTime' | 'endOverlong'>;
  readonly settings: { readonly clockLeapDays: number };
}

/** @param days CLOCK_LEAP_DAYS; 0: the guard is off */
const mostAhead = (days: number) => (days === 0 ? Number.MAX_SAFE_INTEGER : days * DAY);

export function createServiceClock(machine: Clock): ServiceClock {
  let ahead = 0;
  const system = { now: () => machine.now() - ahead };
  let known = Number.NEGATIVE_INFINITY;
  return {
    system,
    offBy: () => ahead,
    correct(offBy) {
      ahead = offBy;
    },
    // Not the latest that was ever given out: a clock that is wrong for a moment would stop it for as long.
    now: () => Math.max(system.now(), known),
    follow(time) {
      known = time;
    },
  };
}

/** @returns writes the known time, and makes the clock follow it: call it at the start, and then again and again */
export function knownTimeKeeper({ clock, store, settings }: Knowing): () => Promise<void> {
  const most = mostAhead(settings.clockLeapDays);
  let isBelieved = false;
  return async () => {
    const [before, now] = [isBelieved, clock.system.now()];
    const known = await store.setKnownTime(now, most);
    clock.follow(known);
    isBelieved = now - known <= most;
    // The clock may have run ahead until now, or until the last stop.
    if (isBelieved && !before) await store.endOverlong(now);
  };
}

/** Null: the clock can be believed. */
export async function clockFault({ clock, store, settings }: Knowing): Promise<ClockFault | null> {
  const known = await store.knownTime();
  return known === null ? null : faultOf(known, clock.system.now(), settings.clockLeapDays);
}

export function faultOf(known: number, system: number, clockLeapDays: number): ClockFault | null {
  if (system - known > mostAhead(clockLeapDays)) return { kind: 'leap', known, system };
  if (known - system > BEHIND) return { kind: 'behind', known, system };
  return null;
}

/** @param command how `clock accept` is typed here */
export function clockAdvice({ kind, known, system }: ClockFault, command: string) {
  const times = `the clock shows ${iso(system)}, and the time last known is ${iso(known)}`;
  return kind === 'leap'
    ? {
        message: `The clock has leapt: ${times}. Until an operator accepts it, nothing is deleted for its age.`,
        fix: `If the clock is right, for example because the service was off for that long, run "${command}". If not, set the clock.`,
      }
    : {
        message: `The clock is behind: ${times}. The service's time stands still until the clock has passed it.`,
        fix: `If the clock is wrong, set it. If it is right, and was ahead before, run "${command}".`,
      };
}

/** An operator says that the system's clock is right. @returns the known time before and now */
export async function acceptClock({
  clock,
  store,
  entry,
}: Pick<Knowing, 'clock' | 'store'> & { readonly entry?: Recording | undefined }): Promise<{
  was: number | null;
  now: number;
}> {
  const was = await store.knownTime();
  const now = clock.system.now();
  await store.setKnownTime(now, null, entry);
  await store.endOverlong(now);
  clock.follow(now);
  return { was, now };
}

/** @throws OperatingFault too_soon, of the clock */
export function refuseByAge(fault: ClockFault, what: string): never {
  throw new OperatingFault(
    'clock',
    'too_soon',
    `${what} deletes by age, and the clock cannot be believed: it shows ${iso(fault.system)}, and the time last known is ${iso(fault.known)}. Set the clock, or run "clock accept" if it is right`,
  );
}
