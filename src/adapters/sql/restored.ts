/**
 * After a database was restored, by whatever tool: erasures since then are repeated, what lives only for moments is
 * dropped, and tokens issued before are revoked. Held by test/sqlite/restore.test.ts and
 * test/postgres/after-restore.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Restored, RestoredOperator } from '../../ports/upkeep.ts';
import { setTokensCountFrom } from './keys/meta.ts';
import { ofGalleries, SERVICE } from './scope.ts';
import { type StoreContext, writeAndForget } from './store/context.ts';
import { eraseApp, eraseUser, erasureHash } from './store/erasure.ts';
import { discardUnfinished } from './store/imports.ts';
import type { Erasure } from './store/journal.ts';
import { operatorStore } from './store/operators.ts';
import { leapAhead } from './store/outbox.ts';
import { passkeyStore } from './store/passkeys.ts';

const AT_ONCE = 100;
/**
 * What lives only for moments. Nobody who was signed in to the portal then still is, and no link or recovery code of
 * then works.
 */
const SHORT_LIVED = [
  'challenges',
  'email_codes',
  'windows',
  'minute_windows',
  'leases',
  'operator_sessions',
  'operator_links',
  'ceremonies',
  'recovery_codes',
];

export interface Settling {
  readonly now: number;
  readonly onProgress: (step: 'erasing again', done: number, total: number) => void;
}

export async function settleRestored(
  context: StoreContext,
  journals: Journals,
  settling: Settling,
): Promise<Restored> {
  const tokensCountFrom = Math.floor(settling.now / 1_000) + 1;
  await dropMoments(context, tokensCountFrom, settling.now);
  // Removes unfinished imports: nothing can finish them, and erasures of their users are not known.
  await discardUnfinished(context);
  const erasedAgain = await eraseAgain(context, journals, settling);
  // Last: until then, whoever is interrupted here finds erasures that the database lacks.
  await recordErasures(context, journals);
  return { erasedAgain, erasuresUnknownSince: null, tokensCountFrom, operators: await operatorsIn(context) };
}

/** By address. Whoever has one of these passkeys can sign in again. */
async function operatorsIn(context: StoreContext): Promise<RestoredOperator[]> {
  const { listPasskeys } = passkeyStore(context);
  const operators: RestoredOperator[] = [];
  for (const { id, email, name, isAdmin, disabledAt } of await operatorStore(context).listOperators()) {
    const passkeys = (await listPasskeys({ operatorId: id })).map(({ label, createdAt, lastUsedAt }) => ({
      label,
      createdAt,
      lastUsedAt,
    }));
    operators.push({ email, name, isAdmin, isDisabled: disabledAt !== null, passkeys });
  }
  return operators.sort((a, b) => (a.email < b.email ? -1 : 1));
}

interface Journals {
  /** Lines of the folder's own journal. */
  readonly here: readonly Erasure[];
  readonly given: readonly Erasure[];
}

async function dropMoments(context: StoreContext, tokensCountFrom: number, now: number): Promise<void> {
  await writeAndForget(context, SERVICE, async sql => {
    for (const table of SHORT_LIVED) await sql.run(`DELETE FROM ${table}`);
    await sql.run('UPDATE erasures SET journaled = 0');
    await leapAhead(sql, now);
    await setTokensCountFrom(sql, tokensCountFrom);
  });
}

/** Records the erasures of both journals in the database, which also journals them. */
async function recordErasures(context: StoreContext, journals: Journals): Promise<void> {
  await writeAndForget(context, SERVICE, async sql => {
    for (const [erasures, journaled] of [
      [journals.given, 0],
      [journals.here, 1],
    ] as const) {
      for (const { hash, at } of erasures)
        await sql.run(
          `INSERT INTO erasures (hash, erased_at, journaled) VALUES ($1, $2, $3)
           ON CONFLICT (hash) DO UPDATE SET erased_at = $2, journaled = $3`,
          hash,
          at,
          journaled,
        );
    }
  });
}

async function eraseAgain(
  context: StoreContext,
  { here, given }: Journals,
  { now, onProgress }: Settling,
): Promise<number> {
  const { driver, vault } = context;
  const rows = await driver.read.all<{ hash: string }>('SELECT hash FROM erasures');
  const erased = new Set([...rows, ...here, ...given].map(({ hash }) => hash));
  const isErased = ({ id }: { id: string }) => erased.has(erasureHash(vault, id));
  const apps = (await driver.read.all<{ id: string }>('SELECT id FROM apps')).filter(isErased);
  const erasedApps = new Set(apps.map(({ id }) => id));
  const users = (
    await driver.read.all<{ id: string; app_id: string; mode: GalleryKey['mode'] }>(
      'SELECT id, app_id, mode FROM users',
    )
  ).filter(user => isErased(user) && !erasedApps.has(user.app_id));
  for (const { id } of apps) await eraseApp(context, id, now);
  for (let from = 0; from < users.length; from += AT_ONCE) {
    onProgress('erasing again', from, users.length);
    const some = users
      .slice(from, from + AT_ONCE)
      .map(({ id, app_id: appId, mode }) => ({ id, gallery: { appId, mode } }));
    await writeAndForget(context, ofGalleries(some.map(({ gallery }) => gallery)), async sql => {
      for (const { id, gallery } of some) await eraseUser(sql, context, gallery, id, now, 'operator');
    });
  }
  return apps.length + users.length;
}
