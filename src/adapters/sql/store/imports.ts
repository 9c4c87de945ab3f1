/**
 * Apps that are being imported from another deployment. Until its last row is written, an app is marked as importing
 * and is not shown, counted or matched. The next import, the daily job, or the restore of a backup removes what an
 * interrupted import left. Held by test/transfer/half-imports.test.ts and crash.long.test.ts.
 */

import type { Driver, Sql } from '../driver.ts';
import { oweRebuild } from '../keys/meta.ts';
import { destroyKeys, type Vault } from '../keys/vault.ts';
import { deleteInParts } from '../many-rows.ts';
import { ofApp } from '../scope.ts';
import type { StoreContext } from './context.ts';

/** Condition for rows with an app: the app is complete and is not being erased, or was deleted. */
export const NOT_IMPORTING = 'app_id NOT IN (SELECT id FROM apps WHERE importing <> 0)';

interface Place {
  readonly driver: Driver;
  readonly vault: Vault;
}

/** Removes what interrupted imports left. The caller knows that no import is running. @returns how many apps */
export async function discardUnfinished(place: Place, signal?: AbortSignal): Promise<number> {
  const apps = await unfinished(place.driver.read);
  for (const { id } of apps) await discard(place, id, signal);
  return apps.length;
}

/** The same, unless an import is running. */
export async function discardInterrupted(
  place: Place & Pick<StoreContext, 'lockImports'>,
  signal?: AbortSignal,
): Promise<number> {
  if ((await unfinished(place.driver.read)).length === 0) return 0;
  const release = await place.lockImports();
  if (!release) return 0;
  try {
    return await discardUnfinished(place, signal);
  } finally {
    await release();
  }
}

function unfinished(sql: Sql): Promise<{ id: string }[]> {
  return sql.all<{ id: string }>('SELECT id FROM apps WHERE importing = 1');
}

/** Removes the rows of an app whose import did not finish. */
export async function discard({ driver, vault }: Place, appId: string, signal?: AbortSignal): Promise<void> {
  const users = 'user_id IN (SELECT id FROM users WHERE app_id = $1)';
  for (const [table, key, where] of [
    ['templates', 'id', 'app_id = $1'],
    ['consents', 'user_id', users],
    ['auth_events', 'id', 'app_id = $1'],
    ['removed_templates', 'app_id, mode, sequence', 'app_id = $1'],
    ['users', 'id', 'app_id = $1'],
    ['usage', 'app_id, mode, month', 'app_id = $1'],
    ['event_days', 'app_id, mode, day, type', 'app_id = $1'],
    ['galleries', 'app_id, mode', 'app_id = $1'],
  ] as const)
    await deleteInParts(driver, ofApp(appId), table, key, where, appId, signal);
  await driver.write(ofApp(appId), async sql => {
    await destroyKeys(sql, appId);
    await sql.run('DELETE FROM apps WHERE id = $1 AND importing = 1', appId);
    await oweRebuild(sql);
  });
  vault.forget(appId);
  await driver.scrub();
}
