/** Backup, restore and checks of the database file. Each is in its own file; this one only collects them. */
import { existsSync, rmSync } from 'node:fs';
import type { Random } from '../../ports/system.ts';
import type { FileUpkeep } from '../../ports/upkeep.ts';
import { examineOldSecret, examineSecret } from '../journal/examine-keys.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { backUp, draftOf } from './backup.ts';
import { examineDatabase, latestMoment, traceOf } from './examine.ts';
import { failed, withSql } from './examine-reading.ts';
import { examineRows } from './examine-rows.ts';
import type { StoreLocation } from './location.ts';
import { restore } from './restore.ts';

export function fileUpkeep(location: StoreLocation, random: Random): FileUpkeep {
  return {
    backUp: (file, onProgress) => backUp(location.path, file, onProgress),
    dropDraft: file => rmSync(draftOf(file), { force: true }),
    restore: request => restore(location, request, random),
    trace: id => traceOf(location, id),
    examine: async () => ({
      database: await examineDatabase(location),
      secret: await examineSecret(
        location,
        existsSync(location.path) ? () => withSql(location.path, checkValue) : null,
      ).catch(failed),
      oldSecret: examineOldSecret(location),
      ...(await examineRows(location)),
      latest: latestMoment(location),
    }),
  };
}
