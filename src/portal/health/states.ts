/**
 * What is remembered between two looks at the service's health: mail that failed, galleries that could not be loaded,
 * erasures that could not be ended. Each forgets when it went well again. Held by test/portal/states.test.ts.
 */
import type { GalleryNotice } from '../../domain/galleries/notices.ts';
import type { GalleryKey } from '../../ports/matcher.ts';

/** Failures of messages after which it is not their recipients that are at fault. */
const REFUSALS = 3;
/** Galleries that are remembered: a store that fails all of them is told by other means. */
const MOST_GALLERIES = 100;

export interface MailEnd {
  readonly isSent: boolean;
  readonly seconds: number;
  /** It was this message that was not taken, or its recipient; others may be. */
  readonly isOfMessage: boolean;
}

export interface MailState {
  readonly transport: string;
  /** Failures in a row, up to now. */
  readonly failures: number;
  /** When they began, and the last one. */
  readonly failingSince: number | null;
  readonly failedAt: number | null;
  /** Whether it is the way out that fails, and not some messages. */
  readonly isBroken: boolean;
}

export function createMailState(transport: string, now: () => number) {
  let state: MailState = { transport, failures: 0, failingSince: null, failedAt: null, isBroken: false };
  return {
    ended({ isSent, isOfMessage }: MailEnd): void {
      const failures = isSent ? 0 : state.failures + 1;
      const at = now();
      state = {
        transport,
        failures,
        failingSince: isSent ? null : (state.failingSince ?? at),
        failedAt: isSent ? state.failedAt : at,
        isBroken: !isSent && (state.isBroken || !isOfMessage || failures >= REFUSALS),
      };
    },
    state: () => state,
  };
}

export interface GalleryFault {
  readonly gallery: GalleryKey;
  readonly what: 'failed' | 'too_large';
  readonly since: number;
}

/** @param sequence what the matcher reflects of a gallery: more than nothing is a gallery that was loaded after all */
export function createGalleryFaults(now: () => number, sequence: (gallery: GalleryKey) => number) {
  const faults = new Map<string, GalleryFault>();
  return {
    told(notice: GalleryNotice): void {
      const { gallery, what } = notice;
      const name = `${gallery.mode} ${gallery.appId}`;
      if (what === 'loaded') faults.delete(name);
      else if (what === 'failed' || (what === 'too_large' && notice.isRefused)) {
        const since = faults.get(name)?.since ?? now();
        if (faults.size < MOST_GALLERIES || faults.has(name)) faults.set(name, { gallery, what, since });
      }
    },
    list(): GalleryFault[] {
      for (const [name, { gallery }] of faults) if (sequence(gallery) > 0) faults.delete(name);
      return [...faults.values()];
    },
    /** The app was deleted: there is nothing to load. */
    forget(isGone: (gallery: GalleryKey) => boolean): void {
      for (const [name, { gallery }] of faults) if (isGone(gallery)) faults.delete(name);
    },
  };
}

/** Of something that is tried again and again: since when it fails. */
export function createStreak(now: () => number) {
  let since: number | null = null;
  return {
    ended(isWell: boolean): void {
      since = isWell ? null : (since ?? now());
    },
    failingSince: () => since,
  };
}
