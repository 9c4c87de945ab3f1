/** What the service's own key set has to look like. */
import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Json } from '../support/client.ts';
import type { Setup } from './setup.ts';

const MEMBERS = 'alg,crv,kid,kty,use,x,y';

/** What is wrong with the service's own set. */
export async function faultsOfSet(set: Json, setup: Pick<Setup, 'keys'> | null): Promise<string[]> {
  const faults: string[] = [];
  const check = (fine: boolean, what: string) => void (fine || faults.push(what));
  check(Object.keys(set ?? {}).join() === 'keys' && Array.isArray(set?.keys), 'it is not {keys: […]}');
  const keys: Json[] = Array.isArray(set?.keys) ? set.keys : [];
  check(keys.length >= 1 && keys.length <= 2, `${keys.length} keys`);
  check(new Set(keys.map(({ kid }) => kid)).size === keys.length, 'a kid twice');
  for (const key of keys) {
    check(Object.keys(key).sort().join() === MEMBERS, `members ${Object.keys(key)}`);
    check([key.kty, key.crv, key.alg, key.use].join() === 'EC,P-256,ES256,sig', 'kind of key');
    for (const name of ['x', 'y']) {
      const bytes = Buffer.from(String(key[name]), 'base64url');
      check(
        bytes.length === 32 && bytes.toString('base64url') === key[name],
        `${name} is not 32 bytes in base64url`,
      );
    }
    check(key.kid === (await calculateJwkThumbprint(key)), 'kid is not the thumbprint');
    try {
      createPublicKey({ key, format: 'jwk' });
    } catch {
      faults.push('a point that is not on the curve');
    }
  }
  for (const { kid } of setup?.keys ?? [])
    check(
      keys.some(key => key.kid === kid),
      `${kid} is missing`,
    );
  return faults;
}
