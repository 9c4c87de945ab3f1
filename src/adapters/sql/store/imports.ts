/**
 * Apps on their way in from another deployment. Until its last row is there an app is marked as importing, and nobody sees,
 * counts or matches it. What an import leaves that was interrupted is removed: by the next one, by the daily job, and
 * from a backup that is put back. Held by test/cli/half-imports.test.ts and transfer-crash.long.test.ts.
 */

import type { Driver, Sql } from '../driver.ts';
import { oweRebuild } from '../keys/meta.ts';
import { destroyKeys, type Vault } from '../keys/vault.ts';
import { LockHeld } from '../lock-held.ts';
import { ofApp } from '../scope.ts';

/** Of rows with an app: it is whole, or was deleted. */
export const NOT_IMPORTING = 'app_id NOT IN (SELECT id FROM apps WHERE importing = 1)';

/** Rows of a table that go at once. */
const AT_ONCE = 500;

interface Place {
  readonly driver: Driver;
  readonly vault: Vault;
}

/** Removes what interrupted imports left; answers how many apps. The caller knows that none is under way. */
export async function discardUnfinished(place: Place, signal?: AbortSignal): Promise<number> {
  const apps = await unfinished(place.driver.read);
  for (const { id } of apps) await discard(place, id, signal);
  return apps.length;
}

/** The same, unless an import is under way. */
export async function discardInterrupted(
  place: Place & { readonly lockImports: () => () => void },
  signal?: AbortSignal,
): Promise<number> {
  if ((await unfinished(place.driver.read)).length === 0) return 0;
  let release: () => void;
  try {
    release = place.lockImports();
  } catch (error) {
    if (error instanceof LockHeld) return 0;
    throw error;
  }
  try {
    return await discardUnfinished(place, signal);
  } finally {
    release();
  }
}

function unfinished(sql: Sql): Promise<{ id: string }[]> {
  return sql.all<{ id: string }>('SELECT id FROM apps WHERE importing = 1');
}

/** Removes what came of an app whose import did not end: nobody has ever seen it. */
export async function discard({ driver, vault }: Place, appId: string, signal?: AbortSignal): Promise<void> {
  const users = 'user_id IN (SELECT id FROM users WHERE app_id = $1)';
  for (const [table, key, where] of [
    ['templates', 'id', 'app_id = $1'],
    ['consents', 'user_id', users],
    ['auth_events', 'id', 'app_id = $1'],
    ['removed_templates', 'app_id, mode, sequence', 'app_id = $1'],
    ['users', 'id', 'app_id = $1'],
    ['usage', 'app_id, mode, month', 'app_id = $1'],
    ['galleries', 'app_id, mode', 'app_id = $1'],
  ] as const) {
    const some = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT $2)`;
    do signal?.throwIfAborted();
    while ((await driver.write(ofApp(appId), sql => sql.run(some, appId, AT_ONCE))) === AT_ONCE);
  }
  await driver.write(ofApp(appId), async sql => {
    await destroyKeys(sql, appId);
    await sql.run('DELETE FROM apps WHERE id = $1 AND importing = 1', appId);
    await oweRebuild(sql);
  });
  vault.forget(appId);
  await driver.scrub();
}
