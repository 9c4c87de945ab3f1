/**
 * For commands that work on the database file; a server may run at the same time. If the database is not a file on this
 * machine, these commands are refused. Held by test/cli/no-file.test.ts.
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
  type RestoredOperator,
  type Restoring,
} from '../ports/upkeep.ts';
import { locationOf, makeDataDir, type Parts, serverOf } from './data.ts';

export type { Findings, RestoredOperator };

/** Null if the database is not a file on this machine. */
function fileOf(config: Config, parts: Parts): FileUpkeep | null {
  const isFile = parts.file !== null && config.database.kind === 'sqlite';
  return isFile ? fileUpkeep(locationOf(config, 'backup'), systemRandom()) : null;
}

export interface ServiceFile extends Omit<FileUpkeep, 'restore'> {
  restore(request: Omit<Restoring, 'now'>): Promise<Restored>;
}

/** @param command name of the command, for the error message. @throws NotAFile */
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
  /** Null: it was not looked at. */
  readonly database: Findings | null;
  readonly mail: Finding;
  readonly now: number;
}

/** Checks everything that the program needs from outside, and changes nothing. */
export async function examine(config: Config, parts: Parts): Promise<Examination> {
  return {
    database: await examineDatabase(config, parts),
    mail: await examineMail(config.mail),
    now: (parts.clock ?? systemClock).now(),
  };
}

async function examineDatabase(config: Config, parts: Parts): Promise<Findings | null> {
  const { database } = config;
  if (database.kind === 'sqlite') return (await fileOf(config, parts)?.examine()) ?? null;
  const { examineServer } = await import('../adapters/postgres/examine.ts');
  return examineServer(serverOf(config, database));
}
