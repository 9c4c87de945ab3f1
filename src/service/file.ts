/**
 * For commands that work on the database file, and for doctor; a server may run at the same time. If the database is
 * not a file on this machine, the former are refused. Held by test/cli/no-file.test.ts.
 */
import { examineMail } from '../adapters/mail/probe.ts';
import { fileUpkeep } from '../adapters/sqlite/upkeep.ts';
import { systemClock, systemRandom } from '../adapters/system/system.ts';
import type { Config } from '../config.ts';
import type {
  FileUpkeep,
  Finding,
  Findings,
  Restored,
  RestoredOperator,
  Restoring,
} from '../ports/upkeep.ts';
import { locationOf, makeDataDir, type Parts, serverOf } from './data.ts';
import { mailRouteOf } from './mailer.ts';

export type { Findings, Restored, RestoredOperator };

interface ServiceFile extends Omit<FileUpkeep, 'restore'> {
  restore(request: Omit<Restoring, 'now'>): Promise<Restored>;
}

/** @param command name of the command, for the error message. @throws NotAFile */
export function openFile(config: Config, parts: Parts, command: string): ServiceFile {
  const file = fileUpkeep(locationOf(config, command), systemRandom());
  return {
    ...file,
    restore(request) {
      makeDataDir(config);
      return file.restore({ ...request, now: (parts.clock ?? systemClock).now() });
    },
  };
}

interface Examination {
  readonly database: Findings;
  readonly mail: Finding;
  readonly now: number;
}

/** Checks everything that the program needs from outside, and changes nothing. */
export async function examine(config: Config, parts: Parts): Promise<Examination> {
  return {
    database: await examineDatabase(config),
    mail: await examineMail(mailRouteOf(config)),
    now: (parts.clock ?? systemClock).now(),
  };
}

async function examineDatabase(config: Config): Promise<Findings> {
  const { database } = config;
  if (database.kind === 'sqlite') return fileUpkeep(locationOf(config, 'doctor'), systemRandom()).examine();
  const { examineServer } = await import('../adapters/postgres/examine.ts');
  return examineServer(serverOf(config, database));
}
