/**
 * The service's public keys as a verifier keeps them. A set is kept as long as its headers allow and fetched once, however
 * many verifications wait for it. It is fetched again when a token names a key that is not in it: at once, but only as
 * often as a token bucket allows, so that made-up ids cannot make this hammer the service. When a fetch fails, the keys of
 * the last set stay usable for a while.
 * jose's createRemoteJWKSet offers none of this: it reads Date.now, ignores Cache-Control, discards a good set when a newer
 * one cannot be fetched, and fetches without pause while the service is down.
 * Held by test/sdk/server-keys.test.ts and test/sdk/server-rotation.test.ts.
 */
import { VerificationError } from './errors.ts';
import type { KeySetAnswer } from './jwks.ts';

/** How long the last set serves when no newer one can be had: the life of a token. */
const USABLE_MS = 3_600_000;
/** After a failed fetch, how long none is tried that nobody's unknown key asks for. */
const RETRY_MS = 2_000;
/** Fetches for unknown keys: so many at once, and one more in every so many milliseconds. */
const UNKNOWN_AT_ONCE = 2;
const UNKNOWN_EVERY_MS = 5_000;

export interface KeySet {
  /**
   * The key with this id; undefined when the set has none.
   * @throws VerificationError keys_unavailable
   */
  find(kid: string): Promise<CryptoKey | undefined>;
}

/**
 * @param load fetches the set
 * @param now milliseconds; may jump, also back
 */
export function createKeySet(load: () => Promise<KeySetAnswer>, now: () => number): KeySet {
  /** The last set, when its fetch began, and which fetch it was. */
  let known: (KeySetAnswer & { readonly since: number; readonly turn: number }) | null = null;
  let failure: { readonly at: number; readonly turn: number; readonly error: unknown } | null = null;
  let underWay: Promise<void> | null = null;
  let turns = 0;
  const bucket = createBucket(now);

  /** Fetches the set, or joins the fetch that is under way. Never rejects. */
  function refresh(): Promise<void> {
    underWay ??= fetchOnce().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function fetchOnce(): Promise<void> {
    const turn = ++turns;
    const since = now();
    try {
      known = { ...(await load()), since, turn };
      failure = null;
    } catch (error) {
      failure = { at: now(), turn, error };
    }
  }

  /** Whether the last set is younger than this. */
  const isWithin = (ms: number) => known !== null && isSince(known.since, ms);
  const isSince = (time: number, ms: number) => now() >= time && now() - time < ms;

  async function renew(): Promise<void> {
    if (known && isWithin(known.freshMs)) return;
    const waits = failure !== null && isSince(failure.at, RETRY_MS);
    // The first to find the set too old waits for a newer one; while that fails, nobody waits who can do without.
    if (failure && isWithin(USABLE_MS)) void (waits || refresh());
    else if (!waits) await refresh();
  }

  return {
    async find(kid) {
      const before = turns;
      await renew();
      for (;;) {
        if (!known || !isWithin(USABLE_MS)) throw unavailable(failure?.error);
        const key = known.keys.get(kid);
        // A set that was asked for after the token came has the last word.
        if (key || known.turn > before) return key;
        if (failure && failure.turn > before) throw unavailable(failure.error);
        if (!underWay && !bucket.take()) {
          // Of a set that is old because no newer one can be had, nothing follows for a key that is not in it.
          if (failure) throw unavailable(failure.error);
          return undefined;
        }
        await refresh();
      }
    },
  };
}

const unavailable = (cause: unknown) => new VerificationError('keys_unavailable', { cause });

function createBucket(now: () => number) {
  let left = UNKNOWN_AT_ONCE;
  let since = now();
  return {
    take(): boolean {
      const passed = now() - since;
      if (passed < 0) since = now();
      else if (passed >= UNKNOWN_EVERY_MS) {
        const more = Math.floor(passed / UNKNOWN_EVERY_MS);
        left = Math.min(UNKNOWN_AT_ONCE, left + more);
        since += more * UNKNOWN_EVERY_MS;
      }
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}
