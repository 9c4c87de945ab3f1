/**
 * The service's public keys in a verifier. A set is kept as long as its headers allow and fetched once, however many
 * verifications wait for it. If a token names a key that is not in it, the set is fetched again at once, but only as
 * often as a token bucket allows, so that made-up ids cannot make it hammer the service. If a fetch fails, the last set
 * stays usable for a while. jose's createRemoteJWKSet cannot do this: it ignores Cache-Control, does not use an old set
 * if it cannot fetch a new one, fetches without a pause while the service is down, and reads Date.now.
 * Held by test/sdk/server-keys.test.ts, test/sdk/server-rotation.test.ts and test/sdk/server-forgeries.long.test.ts.
 */
import { createLocalJWKSet, type JWK } from 'jose';
import { ServiceError, VerificationError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Answer, request } from './request.ts';

/** How long the last set is used if no newer one can be fetched: the lifetime of a token. */
const USABLE_MS = 3_600_000;
/** How long to wait after a failed fetch before the next one, unless a token names an unknown key. */
const RETRY_MS = 2_000;
/** Fetches for unknown keys: this many at once, and one more in each interval. */
const UNKNOWN_AT_ONCE = 2;
const UNKNOWN_EVERY_MS = 5_000;

export interface KeySet {
  /**
   * The key with this id; undefined if the set has none.
   * @throws VerificationError keys_unavailable
   */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** The service may have revoked keys: the next token waits for a newer set. */
  expire(): void;
}

/**
 * @param load fetches the set
 * @param now milliseconds; may jump, even backwards
 */
export function createKeySet(load: () => Promise<KeySetAnswer>, now: () => number): KeySet {
  /** The last set, when its fetch began, and the number of that fetch. */
  let known: (KeySetAnswer & { readonly since: number; readonly turn: number }) | null = null;
  let failure: { readonly at: number; readonly turn: number; readonly error: unknown } | null = null;
  let underWay: Promise<void> | null = null;
  let turns = 0;
  const bucket = createBucket(now);

  /** Fetches the set, or joins the current fetch. Never rejects. */
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
    // The first to find the set too old waits for a newer one. While fetches fail, nobody waits if the old set will do.
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
        // A set that was requested after the token came decides.
        if (key || known.turn > before) return key;
        if (failure && failure.turn > before) throw unavailable(failure.error);
        if (!underWay && !bucket.take()) {
          // If the set is old because no newer one can be fetched, a key that it lacks may still be good.
          if (failure) throw unavailable(failure.error);
          return undefined;
        }
        await refresh();
      }
    },

    expire() {
      const outdate = () => {
        if (known) known = { ...known, freshMs: 0 };
      };
      outdate();
      // It may have been asked for before the keys were revoked.
      void underWay?.then(outdate);
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

/** The service publishes at most two. */
const MOST_KEYS = 16;
/** Limits what the headers allow, so that a key that was removed from the set is gone after this time. */
const LONGEST_MS = 300_000;
const SHORTEST_MS = 10_000;

export interface KeySetAnswer {
  readonly keys: ReadonlyMap<string, CryptoKey>;
  /** How long the set is fresh, in milliseconds. */
  readonly freshMs: number;
}

/**
 * Reads the published key set: which keys may verify a user token, and how long the set may be kept. Keys for other
 * purposes and unreadable keys are skipped without harm to the others. If two keys have one id, both are skipped.
 * @throws ServiceError
 */
export async function fetchKeySet(settings: Settings): Promise<KeySetAnswer> {
  // Bypasses caches on the way: their age would add to ours.
  const headers = { 'cache-control': 'no-cache' };
  const answer = await request(settings, { method: 'GET', url: settings.jwksUrl, headers });
  return { keys: await keysOf(answer), freshMs: freshnessOf(answer.headers) };
}

async function keysOf({ json, status }: Answer): Promise<KeySetAnswer['keys']> {
  const list = (json as { keys?: unknown } | null)?.keys;
  const listed = Array.isArray(list) && list.length <= MOST_KEYS ? list.filter(isNamed) : [];
  const find = createLocalJWKSet({ keys: listed });
  const keys = new Map<string, CryptoKey>();
  for (const { kid } of listed) {
    // jose finds only public keys for ES256 that it can import and whose id is unique.
    const key = await find({ alg: 'ES256', kid }).catch(() => null);
    if (key) keys.set(kid, key);
  }
  if (keys.size > 0) return keys;
  throw new ServiceError('unexpected_answer', 'There is no usable key in the key set.', { status });
}

function isNamed(jwk: unknown): jwk is JWK & { kty: string; kid: string } {
  const { kty, kid } = (jwk ?? {}) as JWK;
  return typeof kty === 'string' && typeof kid === 'string' && kid !== '';
}

function freshnessOf(headers: Headers): number {
  const seconds = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(headers.get('cache-control') ?? '')?.[1];
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
  const left = seconds === undefined ? LONGEST_MS : (Number(seconds) - age) * 1_000;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, left));
}
