/**
 * Signing keys are stored sealed and bound to their id. The public key is computed from the opened private key, so that
 * someone who can write to a copy of the database cannot publish their own key. A row that does not open is skipped and
 * counted. Held by test/contract/tokens.ts and test/cli/tampered-backup.long.test.ts.
 */
import { SIGNING_KEYS, type SigningKeyRecord } from '../../../ports/store.ts';
import { openedOrNull, opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';

interface KeyRow {
  kid: string;
  sealed: Uint8Array;
  created_at: number;
  signs_at: number;
  leaves_at: number | null;
}

type PrivateJwk = SigningKeyRecord['publicJwk'] & { readonly d: string };

/** Of the remembered answer of `storedKeys`. */
export const SIGNING_KEYS_NAME = 'signing-keys';

interface StoredKeys {
  /** The keys that open, oldest first. */
  readonly keys: readonly SigningKeyRecord[];
  /** How many do not open. */
  readonly unreadable: number;
}

/** The context that a sealed signing key is bound to. */
export function signingKeyContext(kid: string): string[] {
  return ['signing-key', kid];
}

export function storedKeys(sql: Sql, vault: Vault): Promise<StoredKeys> {
  return opening(vault.keys(sql, SIGNING_KEYS), async opener => {
    const rows = await sql.all<KeyRow>(
      'SELECT kid, sealed, created_at, signs_at, leaves_at FROM signing_keys ORDER BY signs_at, created_at',
    );
    const keys = rows.flatMap((row): SigningKeyRecord[] => {
      const clear = openedOrNull(opener, signingKeyContext(row.kid), row.sealed);
      if (!clear) return [];
      const { kty, crv, x, y } = parsed(clear);
      return [
        {
          kid: row.kid,
          publicJwk: { kty, crv, x, y },
          createdAt: row.created_at,
          signsAt: row.signs_at,
          leavesAt: row.leaves_at,
        },
      ];
    });
    return { keys, unreadable: rows.length - keys.length };
  });
}

/** Null if there is no such key, or it does not open. */
export function privateHalf(sql: Sql, vault: Vault, kid: string): Promise<object | null> {
  return opening(vault.keys(sql, SIGNING_KEYS), async opener => {
    const row = await sql.get<Pick<KeyRow, 'sealed'>>('SELECT sealed FROM signing_keys WHERE kid = $1', kid);
    const clear = row && openedOrNull(opener, signingKeyContext(kid), row.sealed);
    return clear ? parsed(clear) : null;
  });
}

function parsed(clear: Buffer): PrivateJwk {
  const jwk = JSON.parse(clear.toString());
  clear.fill(0);
  return jwk;
}
