/** New keys for sealed data, for operators; ../rekeying.ts does the work. Held by test/cli/rekey.long.test.ts. */
import { SIGNING_KEYS } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { type Progress, type Rekeyed, rekey } from '../rekeying.ts';
import { findApp, listApps } from './apps.ts';

export { SIGNING_KEYS } from '../../ports/store.ts';
export type { Rekeyed } from '../rekeying.ts';

/** Empty when nothing was ever sealed for the app. @throws OperatingFault not_found */
export async function rekeyApp(
  deps: Pick<AdminDeps, 'store'>,
  id: string,
  onProgress?: Progress,
): Promise<Rekeyed[]> {
  await findApp(deps, id);
  return rekeyEach(deps, [id], onProgress);
}

/** For every app, and for the signing keys. */
export async function rekeyAll(deps: Pick<AdminDeps, 'store'>, onProgress?: Progress): Promise<Rekeyed[]> {
  const apps = await listApps(deps);
  return rekeyEach(deps, [...apps.map(({ id }) => id), SIGNING_KEYS], onProgress);
}

async function rekeyEach(
  deps: Pick<AdminDeps, 'store'>,
  owners: readonly string[],
  onProgress?: Progress,
): Promise<Rekeyed[]> {
  const rekeyed: Rekeyed[] = [];
  for (const owner of owners) {
    const one = await rekey(deps, owner, onProgress);
    if (one) rekeyed.push(one);
  }
  return rekeyed;
}
