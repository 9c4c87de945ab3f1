/**
 * The database as a file, for commands that work on it whether or not a server runs. Where it is no file of this machine they
 * are refused by name. Held by test/cli/no-file.test.ts.
 */
import { fileUpkeep } from '../adapters/sqlite/upkeep.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { examineMail } from '../adapters/upkeep.ts';
import type { Config } from '../config.ts';
import {
  type FileUpkeep,
  type Finding,
  type Findings,
  NotAFile,
  type Restored,
  type Restoring,
} from '../ports/upkeep.ts';
import { locationOf, makeDataDir, type Parts } from './data.ts';

export type { Findings };

/** Null where the database is not a file of this machine. */
function fileOf(config: Config, parts: Parts): FileUpkeep | null {
  return parts.file === null ? null : fileUpkeep(locationOf(config), systemRandom());
}

export interface ServiceFile extends Omit<FileUpkeep, 'restore'> {
  restore(request: Omit<Restoring, 'now'>): Promise<Restored>;
}

/**
 * For commands on the database's file, whether or not a server runs.
 * @param command for whom it is, as its caller wrote it
 * @throws NotAFile
 */
export function openFile(config: Config, parts: Parts, command: string): ServiceFile {
  const file = fileOf(config, parts);
  if (!file) throw new NotAFile(command);
  return {
    ...file,
    restore(request) {
      makeDataDir(config);
      return file.restore({ ...request, now: (parts.clock ?? systemClock).now() });
    },
  };
}

export interface Examination {
  /** Null where the database is not a file of this machine. */
  readonly file: Findings | null;
  readonly mail: Finding;
  readonly now: number;
}

/** Looks at everything outside the program that it needs, and changes nothing. */
export async function examine(config: Config, parts: Parts): Promise<Examination> {
  return {
    file: fileOf(config, parts)?.examine() ?? null,
    mail: await examineMail(config.mail),
    now: (parts.clock ?? systemClock).now(),
  };
}
