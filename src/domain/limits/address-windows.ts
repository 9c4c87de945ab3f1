/**
 * The windows in which a client address is counted: by the address itself, or the /64 of an IPv6 one, and for IPv6 again
 * by the /48 with ten times the number, because whoever has a /48 has 65,536 of the others.
 * test/http/limits-of-sites.test.ts holds it.
 */
import type { Window } from '../../ports/store.ts';
import type { Client } from '../caller.ts';
import type { Deps } from '../deps.ts';

/** How many times the number of one address a /48 has. */
export const SITE_FACTOR = 10;

/**
 * @param purpose of the hash, so that windows of different kinds do not tell of each other
 * @param limit 0: switched off
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
