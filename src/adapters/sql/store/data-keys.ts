/**
 * The keys of apps and of the signing keys, replaced. Why no value is lost: every write takes the newest key inside its own
 * transaction, so that once a newer one is committed nothing is sealed with an older one ever again. What is then found
 * to need none, in a look at any later state, needs none for good; the look is taken before the transaction that
 * destroys the older keys, piece by piece, and holds nobody up. The gallery's sequence stays: its templates do.
 *
 * test/cli/rekey.test.ts holds it, and test/cli/rotation-load.long.test.ts beside a server.
 */
import {
  type DataKeyStore,
  FIRST_PLACE,
  type Resealed,
  type ResealPlace,
  SIGNING_KEYS,
} from '../../../ports/store.ts';
import { type KeyRing, opening, openSealed, sealedPrefix } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { generation, oweRebuild } from '../keys/meta.ts';
import { destroyKeys, keyRows, newestKey, type Sealer } from '../keys/vault.ts';
import { ofApp, SERVICE } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { sealContext } from './sealed-templates.ts';
import { signingKeyContext } from './signing-keys.ts';

/** Rows of a look: a few milliseconds of the event loop. */
const LOOK = 2_000;

interface Row {
  readonly id: string;
  readonly user_id: string;
  readonly sequence: number;
  readonly sealed: Uint8Array;
}

const scopeOf = (owner: string) => (owner === SIGNING_KEYS ? SERVICE : ofApp(owner));

export function dataKeyStore(context: StoreContext): DataKeyStore {
  const { driver, vault } = context;
  return {
    beginRekey: owner =>
      driver.write(scopeOf(owner), async sql => {
        const rows = await keyRows(sql, owner);
        const newest = rows.at(-1);
        if (!newest) return 'no_key';
        if (rows.length > 1 && newest.generation === (await generation(sql))) return 'resumed';
        await vault.addKey(sql, owner, newest.version + 1);
        return 'begun';
      }),

    async sealedValues(owner) {
      const row =
        owner === SIGNING_KEYS
          ? await driver.read.get<{ n: number }>('SELECT COUNT(*) AS n FROM signing_keys')
          : await driver.read.get<{ n: number }>(
              'SELECT COUNT(*) AS n FROM templates WHERE app_id = $1',
              owner,
            );
      return Number(row?.n ?? 0);
    },

    reseal: (owner, from, limit) =>
      driver.write(scopeOf(owner), async sql => {
        const newest = await newestKey(sql, owner);
        if (!newest) return { seen: 0, next: null };
        const seal = await vault.sealer(sql, owner);
        const prefix = sealedPrefix(newest.id);
        return opening(vault.keys(sql, owner), ring =>
          owner === SIGNING_KEYS
            ? resealSigningKeys(sql, ring, seal, prefix)
            : resealTemplates(sql, owner, from, limit, ring, seal, prefix),
        );
      }),

    async destroyOldKeys(owner) {
      const newest = await newestKey(driver.read, owner);
      if (newest) {
        if (await needsOlder(driver.read, owner, sealedPrefix(newest.id))) return false;
        await driver.write(scopeOf(owner), async sql => {
          if ((await destroyKeys(sql, owner, newest.version)) > 0) await oweRebuild(sql);
        });
        vault.forget(owner);
      }
      await driver.scrub();
      return true;
    },

    async unfinishedRekeys() {
      const rows = await driver.read.all<{ owner: string }>(
        'SELECT owner FROM data_keys GROUP BY owner HAVING COUNT(*) > 1 ORDER BY owner',
      );
      return rows.map(({ owner }) => owner);
    },
  };
}

async function resealTemplates(
  sql: Sql,
  appId: string,
  { mode, sequence }: ResealPlace,
  limit: number,
  ring: KeyRing,
  seal: Sealer,
  prefix: Buffer,
): Promise<Resealed> {
  const rows = await sql.all<Row>(
    `SELECT id, user_id, sequence, sealed FROM templates
     WHERE app_id = $1 AND mode = $2 AND sequence > $3 ORDER BY sequence LIMIT $4`,
    appId,
    mode,
    sequence,
    limit,
  );
  for (const row of rows) {
    const place = sealContext({ appId, mode }, { id: row.id, userId: row.user_id });
    const sealed = sealedAnew(row.sealed, place, ring, seal, prefix);
    if (sealed) await sql.run('UPDATE templates SET sealed = $1 WHERE id = $2', sealed, row.id);
  }
  const last = rows.at(-1);
  if (last && rows.length === limit) return { seen: rows.length, next: { mode, sequence: last.sequence } };
  return { seen: rows.length, next: mode === 'live' ? { ...FIRST_PLACE, mode: 'test' } : null };
}

/** At most a few. */
async function resealSigningKeys(sql: Sql, ring: KeyRing, seal: Sealer, prefix: Buffer): Promise<Resealed> {
  const rows = await sql.all<{ kid: string; sealed: Uint8Array }>('SELECT kid, sealed FROM signing_keys');
  for (const row of rows) {
    const sealed = sealedAnew(row.sealed, signingKeyContext(row.kid), ring, seal, prefix);
    if (sealed) await sql.run('UPDATE signing_keys SET sealed = $1 WHERE kid = $2', sealed, row.kid);
  }
  return { seen: rows.length, next: null };
}

/** Null: it is sealed with the newest key. */
function sealedAnew(
  sealed: Uint8Array,
  context: readonly string[],
  ring: KeyRing,
  seal: Sealer,
  prefix: Buffer,
): Buffer | null {
  if (prefix.equals(sealed.subarray(0, prefix.length))) return null;
  const clear = openSealed(ring, context, sealed);
  try {
    return seal(context, clear);
  } finally {
    clear.fill(0);
  }
}

async function needsOlder(sql: Sql, owner: string, prefix: Buffer): Promise<boolean> {
  if (owner === SIGNING_KEYS)
    return (
      (await sql.get(
        'SELECT 1 FROM signing_keys WHERE substr(sealed, 1, $1) <> $2 LIMIT 1',
        prefix.length,
        prefix,
      )) !== undefined
    );
  for (const mode of ['live', 'test'])
    for (let since = 0; ; ) {
      const piece = await sql.get<{ seen: number; last: number; older: number }>(
        `SELECT COUNT(*) AS seen, MAX(sequence) AS last, SUM(CASE WHEN substr(sealed, 1, $1) <> $2 THEN 1 ELSE 0 END) AS older FROM (
           SELECT sequence, sealed FROM templates
           WHERE app_id = $3 AND mode = $4 AND sequence > $5 ORDER BY sequence LIMIT $6) AS piece`,
        prefix.length,
        prefix,
        owner,
        mode,
        since,
        LOOK,
      );
      if (!piece || piece.seen === 0) break;
      if (piece.older > 0) return true;
      since = piece.last;
      await new Promise(turn => setImmediate(turn));
    }
  return false;
}
