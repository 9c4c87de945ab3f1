/**
 * Replaces the data keys of apps and of the signing keys. No value is lost: every write uses the newest key inside its
 * own transaction, so once a newer key is committed, nothing is sealed with an older one again. A value that does not
 * need an older key then never needs it again, so the check for such values runs piece by piece, before the transaction
 * that destroys the older keys, and blocks nobody. A value that does not open (altered outside the service) stays as it
 * is: no key opens it. The gallery's sequence does not change.
 *
 * Held by test/cli/rekey.long.test.ts and, with a running server, by test/cli/rotation-load.long.test.ts.
 */
import {
  type DataKeyStore,
  type KeyOwner,
  type Resealed,
  type ResealPlace,
  SIGNING_KEYS,
} from '../../../ports/store.ts';
import { type Opener, openedOrNull, opening, opens, sealedPrefix } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { generation, oweRebuild } from '../keys/meta.ts';
import { destroyKeys, keyRows, newestKey, type Sealer } from '../keys/vault.ts';
import { ofApp, SERVICE } from '../scope.ts';
import { appendDone } from './audit.ts';
import type { StoreContext } from './context.ts';
import {
  countSealed,
  otherSealedPage,
  type Position,
  type SealedPage,
  sealedPage,
  sealedTablesOf,
} from './sealed-tables.ts';

/** Rows per check: a few milliseconds of the event loop. */
const CHECK_ROWS = 2_000;

const scopeOf = (owner: KeyOwner) => (owner === SIGNING_KEYS ? SERVICE : ofApp(owner));

export function dataKeyStore(context: StoreContext): DataKeyStore {
  const { driver, vault } = context;
  return {
    beginRekey: (owner, entry) =>
      driver.write(scopeOf(owner), async sql => {
        const rows = await keyRows(sql, owner);
        const newest = rows.at(-1);
        const resumes = rows.length > 1 && newest?.generation === (await generation(sql));
        if (!newest) return 'no_key';
        if (!resumes) await vault.addKey(sql, owner, newest.version + 1);
        await appendDone(sql, vault, entry);
        return resumes ? 'resumed' : 'begun';
      }),

    sealedValues: owner => countSealed(driver.read, owner),

    reseal: (owner, from, limit) =>
      driver.write(scopeOf(owner), async sql => {
        const newest = await newestKey(sql, owner);
        if (!newest) return { seen: 0, unreadable: 0, next: null };
        const seal = await vault.sealer(sql, owner);
        const prefix = sealedPrefix(newest.id);
        return opening(vault.keys(sql, owner), opener =>
          resealPage(sql, owner, from, limit, { ...opener, seal, prefix }),
        );
      }),

    async destroyOldKeys(owner) {
      const newest = await newestKey(driver.read, owner);
      if (newest) {
        const prefix = sealedPrefix(newest.id);
        const isNeeded = await opening(vault.keys(driver.read, owner), opener =>
          needsOlder(driver.read, owner, { ...opener, prefix }),
        );
        if (isNeeded) return false;
        await driver.write(scopeOf(owner), async sql => {
          if ((await destroyKeys(sql, owner, newest.version)) === 0) return;
          await oweRebuild(sql);
          // Other nodes drop the keys too.
          await context.memory.raiseVersion(sql);
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

async function resealPage(
  sql: Sql,
  owner: KeyOwner,
  { list, after }: ResealPlace,
  limit: number,
  resealing: Resealing,
): Promise<Resealed> {
  const tables = sealedTablesOf(owner);
  const table = tables[list];
  if (!table) return { seen: 0, unreadable: 0, next: null };
  const { rows, next } = await sealedPage(sql, table, owner, after ?? table.start, limit);
  let unreadable = 0;
  for (const row of rows) {
    const sealed = reseal(row.sealed, table.context(owner, row), resealing);
    if (sealed === 'unreadable') unreadable += 1;
    else if (sealed)
      await sql.run(`UPDATE ${table.name} SET sealed = $1 WHERE ${table.id} = $2`, sealed, row.id);
  }
  const rest = next ? { list, after: next } : { list: list + 1, after: null };
  return { seen: rows.length, unreadable, next: rest.list < tables.length ? rest : null };
}

interface Look extends Opener {
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
  resealing: Resealing,
): Buffer | 'unreadable' | null {
  const { seal, prefix } = resealing;
  if (prefix.equals(sealed.subarray(0, prefix.length))) return null;
  const clear = openedOrNull(resealing, context, sealed);
  if (!clear) return 'unreadable';
  try {
    return seal(context, clear);
  } finally {
    clear.fill(0);
  }
}

async function needsOlder(sql: Sql, owner: KeyOwner, look: Look): Promise<boolean> {
  for (const table of sealedTablesOf(owner))
    for (let after: Position | null = table.start; after; ) {
      const page: SealedPage = await otherSealedPage(sql, table, owner, after, CHECK_ROWS, look.prefix);
      // Values that no key opens need none.
      if (page.rows.some(row => opens(look, table.context(owner, row), row.sealed))) return true;
      after = page.next;
      await new Promise(turn => setImmediate(turn));
    }
  return false;
}
