/**
 * Reads the published key set: which keys may verify a user token, and how long the set may be kept. Keys for other
 * purposes and unreadable keys are skipped without harm to the others. If two keys have one id, both are skipped.
 * Held by test/sdk/server-keys.test.ts and test/sdk/server-forgeries.long.test.ts.
 */
import { createLocalJWKSet, type JWK } from 'jose';
import { ServiceError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Answer, request } from './request.ts';

/** The service publishes at most two. */
const MOST_KEYS = 16;
/** Limits what the headers allow, so that a key that was removed from the set is gone after this time. */
const LONGEST_MS = 300_000;
const SHORTEST_MS = 10_000;

type PublicKeys = ReadonlyMap<string, CryptoKey>;

export interface KeySetAnswer {
  readonly keys: PublicKeys;
  /** How long the set is fresh, in milliseconds. */
  readonly freshMs: number;
}

/** @throws ServiceError */
export async function fetchKeySet(settings: Settings): Promise<KeySetAnswer> {
  // Bypasses caches on the way: their age would add to ours.
  const headers = { 'cache-control': 'no-cache' };
  const answer = await request(settings, { method: 'GET', url: settings.jwksUrl, headers });
  return { keys: await keysOf(answer), freshMs: freshnessOf(answer.headers) };
}

async function keysOf({ json, status }: Answer): Promise<PublicKeys> {
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
