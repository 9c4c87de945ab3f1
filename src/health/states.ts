/**
 * Failures that are remembered between two health checks: failed mail, galleries that could not be loaded, incomplete
 * erasures. Each is cleared by the next success. Held by test/health/states.test.ts.
 */
import type { GalleryNotice } from '../domain/galleries/notices.ts';
import type { MailEnd } from '../ports/mailer.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { WebhookFigures, WebhookRecord } from '../ports/store.ts';

/** After this many messages refused in a row, the recipients are not the cause. */
const REFUSALS = 3;
/** The most galleries remembered. If the store fails for all of them, other problems report it. */
const MOST_GALLERIES = 100;

export interface MailState {
  readonly transport: string;
  /** Current number of failures in a row. */
  readonly failures: number;
  /** When these failures began, and when the last failure was. */
  readonly failingSince: number | null;
  readonly failedAt: number | null;
  /** Whether mail fails in general, not only single messages. */
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

/** @param sequence the matcher's sequence number of a gallery: above 0, the gallery was loaded after all */
export function createGalleryFaults(now: () => number, sequence: (gallery: GalleryKey) => number) {
  const faults = new Map<string, GalleryFault>();
  return {
    record(notice: GalleryNotice): void {
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
    /** For deleted apps, which have no gallery to load. */
    forget(isGone: (gallery: GalleryKey) => boolean): void {
      for (const [name, { gallery }] of faults) if (isGone(gallery)) faults.delete(name);
    },
  };
}

/** Remembers since when something that is tried repeatedly has failed. */
export function createStreak(now: () => number) {
  let since: number | null = null;
  return {
    ended(isSuccess: boolean): void {
      since = isSuccess ? null : (since ?? now());
    },
    failingSince: () => since,
  };
}

/** Webhooks, and what waits for them. */
export interface WebhookState extends WebhookFigures {
  readonly webhooks: readonly Pick<
    WebhookRecord,
    'id' | 'gallery' | 'disabledAt' | 'disabledReason' | 'failingSince'
  >[];
}
