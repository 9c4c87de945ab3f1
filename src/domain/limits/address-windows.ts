/**
 * The windows that count a client address: the address itself, or its /64 for IPv6. An IPv6 address also counts for
 * its /48, with ten times the limit, because a /48 contains 65,536 networks of size /64. Held by
 * test/http/limits-of-sites.test.ts.
 */
import type { Window } from '../../ports/store.ts';
import type { Client } from '../caller.ts';
import type { Deps } from '../deps.ts';

/** A /48 gets this many times the limit of one address. */
export const SITE_FACTOR = 10;

/**
 * @param purpose of the hash, so that windows of different kinds cannot be linked
 * @param limit 0: off
 */
export function addressWindows(
  { secrets }: Pick<Deps, 'secrets'>,
  { network, site }: Pick<Client, 'network' | 'site'>,
  { prefix, purpose, limit, length }: { prefix: string; purpose: string; limit: number; length: number },
): Window[] {
  if (limit === 0) return [];
  const of = (address: string, factor: number): Window => ({
    key: `${prefix}:${secrets.hash(purpose, address)}`,
    limit: limit * factor,
    length,
  });
  return site === null ? [of(network, 1)] : [of(network, 1), of(site, SITE_FACTOR)];
}
