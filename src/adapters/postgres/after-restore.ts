/**
 * For a database that the tools of its server have restored. What `restore` does to a draft of a file, this does in
 * place, so no node may run meanwhile: each would go on with galleries from before. Held by
 * test/postgres/after-restore.ts.
 */
import { existsSync } from 'node:fs';
import { latestMoment, type Settled, type Settling, settleRestored } from '../sql/restored.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { BackupFault } from '../sqlite/backup.ts';
import { readErasures } from '../sqlite/erasure-journal.ts';
import { erasuresIn, refuseGapAfter } from '../sqlite/restore.ts';

export interface AfterRestore extends Settling {
  /** Another journal, from another node. Null: only that of this one. */
  readonly erasures: string | null;
  readonly acceptGap: boolean;
}

/** @param what the database, as messages name it. @throws BackupFault; then nothing has changed */
export async function afterRestore(
  context: StoreContext,
  what: string,
  erasuresFile: string,
  request: AfterRestore,
): Promise<Settled> {
  const nodes = (await context.nodes?.seen()) ?? [];
  if (nodes.length > 0)
    throw new BackupFault(
      `${what} is in use by ${nodes.map(({ name }) => name).join(', ')}: stop all nodes, because they know galleries from before, and wait a minute if one was killed`,
    );
  if (!request.acceptGap) {
    if (!existsSync(erasuresFile) && request.erasures === null)
      throw new BackupFault(
        `there is no journal of erasures ${erasuresFile}: copy one there from a node, name it with --erasures, or use --accept-gap to let erased users come back`,
      );
    const moment = await latestMoment(context.driver.read);
    if (moment !== null) refuseGapAfter(moment, what, erasuresFile, request);
  }
  const journals = { here: readErasures(erasuresFile), given: erasuresIn(request.erasures) };
  const settled = await settleRestored(context, journals, request);
  await context.writeJournal();
  await context.driver.scrub();
  return settled;
}
