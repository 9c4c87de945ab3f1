/**
 * Replaces the data keys of apps and of the signing keys. No value is lost: every write uses the newest key inside its
 * own transaction, so once a newer key is committed, nothing is sealed with an older one again. A value that does not
 * need an older key then never needs it again, so the check for such values runs piece by piece, before the transaction
 * that destroys the older keys, and blocks nobody. A value that does not open (altered outside the service) stays as it
 * is: no key opens it. The gallery's sequence does not change.
 *
 * Held by test/cli/rekey.long.test.ts and, with a running server, by test/cli/rotation-load.long.test.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import {
  type DataKeyStore,
  FIRST_PLACE,
  type Resealed,
  type ResealPlace,
  SIGNING_KEYS,
} from '../../../ports/store.ts';
import { MODES } from '../../../protocol/mode.ts';
import { type KeyRing, openedOrNull, opening, sealedPrefix } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { generation, oweRebuild } from '../keys/meta.ts';
import { destroyKeys, keyRows, newestKey, type Sealer } from '../keys/vault.ts';
import { ofApp, SERVICE } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { sealContext } from './sealed-templates.ts';
import { signingKeyContext } from './signing-keys.ts';

/** Rows per check: a few milliseconds of the event loop. */
const CHECK_ROWS = 2_000;

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
        if (!newest) return { seen: 0, unreadable: 0, next: null };
        const seal = await vault.sealer(sql, owner);
        const prefix = sealedPrefix(newest.id);
        return opening(vault.keys(sql, owner), (ring, isLast) => {
          const resealing = { ring, isLast, seal, prefix };
          return owner === SIGNING_KEYS
            ? resealSigningKeys(sql, resealing)
            : resealTemplates(sql, owner, from, limit, resealing);
        });
      }),

    async destroyOldKeys(owner) {
      const newest = await newestKey(driver.read, owner);
      if (newest) {
        const prefix = sealedPrefix(newest.id);
        const isNeeded = await opening(vault.keys(driver.read, owner), (ring, isLast) =>
          needsOlder(driver.read, owner, { ring, isLast, prefix }),
        );
        if (isNeeded) return false;
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
  resealing: Resealing,
): Promise<Resealed> {
  let unreadable = 0;
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
    const sealed = reseal(row.sealed, place, resealing);
    if (sealed === 'unreadable') unreadable += 1;
    else if (sealed) await sql.run('UPDATE templates SET sealed = $1 WHERE id = $2', sealed, row.id);
  }
  const last = rows.at(-1);
  const seen = rows.length;
  if (last && seen === limit) return { seen, unreadable, next: { mode, sequence: last.sequence } };
  return { seen, unreadable, next: mode === 'live' ? { ...FIRST_PLACE, mode: 'test' } : null };
}

/** There are only a few signing keys. */
async function resealSigningKeys(sql: Sql, resealing: Resealing): Promise<Resealed> {
  let unreadable = 0;
  const rows = await sql.all<{ kid: string; sealed: Uint8Array }>('SELECT kid, sealed FROM signing_keys');
  for (const row of rows) {
    const sealed = reseal(row.sealed, signingKeyContext(row.kid), resealing);
    if (sealed === 'unreadable') unreadable += 1;
    else if (sealed) await sql.run('UPDATE signing_keys SET sealed = $1 WHERE kid = $2', sealed, row.kid);
  }
  return { seen: rows.length, unreadable, next: null };
}

interface Look {
  readonly ring: KeyRing;
  readonly isLast: boolean;
  /** First bytes of the values of the newest key. */
  readonly prefix: Buffer;
}
interface Resealing extends Look {
  readonly seal: Sealer;
}

/** Null: the value is already sealed with the newest key. */
function reseal(
  sealed: Uint8Array,
  context: readonly string[],
  { ring, isLast, seal, prefix }: Resealing,
): Buffer | 'unreadable' | null {
  if (prefix.equals(sealed.subarray(0, prefix.length))) return null;
  const clear = openedOrNull(ring, context, sealed, isLast);
  if (!clear) return 'unreadable';
  try {
    return seal(context, clear);
  } finally {
    clear.fill(0);
  }
}

function opens(sealed: Uint8Array, context: readonly string[], { ring, isLast }: Look): boolean {
  const clear = openedOrNull(ring, context, sealed, isLast);
  clear?.fill(0);
  return clear !== null;
}

async function needsOlder(sql: Sql, owner: string, look: Look): Promise<boolean> {
  const { prefix } = look;
  if (owner === SIGNING_KEYS) {
    const rows = await sql.all<{ kid: string; sealed: Uint8Array }>(
      'SELECT kid, sealed FROM signing_keys WHERE substr(sealed, 1, $1) <> $2',
      prefix.length,
      prefix,
    );
    return rows.some(({ kid, sealed }) => opens(sealed, signingKeyContext(kid), look));
  }
  for (const mode of MODES)
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
        CHECK_ROWS,
      );
      if (!piece || piece.seen === 0) break;
      if (piece.older > 0 && (await opensOlder(sql, { appId: owner, mode }, since, piece.last, look)))
        return true;
      since = piece.last;
      await new Promise(turn => setImmediate(turn));
    }
  return false;
}

/** Whether any value after `since` and up to `to` needs an older key. Values that no key opens do not count. */
async function opensOlder(
  sql: Sql,
  gallery: GalleryKey,
  since: number,
  to: number,
  look: Look,
): Promise<boolean> {
  const rows = await sql.all<Row>(
    `SELECT id, user_id, sequence, sealed FROM templates
     WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4 AND substr(sealed, 1, $5) <> $6`,
    gallery.appId,
    gallery.mode,
    since,
    to,
    look.prefix.length,
    look.prefix,
  );
  return rows.some(({ id, user_id: userId, sealed }) =>
    opens(sealed, sealContext(gallery, { id, userId }), look),
  );
}
