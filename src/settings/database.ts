/** Parses DATABASE_URL, and finds the setting to change if the database cannot be opened. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inWords } from './folder.ts';
import { type PostgresUrl, postgresUrl } from './postgres.ts';
import { SettingFault } from './values.ts';

export const DATABASE_EXAMPLE = 'sqlite:/var/lib/face-sign-in/face-sign-in.db';
export const DATA_DIR_EXAMPLE = '/var/lib/face-sign-in';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  SQLITE_NOTADB: 'it is not a database',
  SQLITE_CORRUPT: 'it is damaged',
};
/** Faults that a setting can fix. Others, such as a full disk, are not about the setting. */
const OF_THE_PLACE =
  /^(?:E(?:NOENT|NOTDIR|ISDIR|ACCES|PERM|ROFS|LOOP)|SQLITE_(?:NOTADB|CANTOPEN|CORRUPT)\w*)$/;

export function defaultDatabase(dataDir: string): string {
  return join(dataDir, 'face-sign-in.db');
}

/** A file on this machine, or a server. */
export type Database = { readonly kind: 'sqlite'; readonly path: string } | PostgresUrl;

export const inFile = (path: string): Database => ({ kind: 'sqlite', path });

/** The database's file on this machine; null: it is on a server. */
export const fileOf = (database: Database) => (database.kind === 'sqlite' ? database.path : null);

/** Nothing is there yet. A server has its database, or says that it has none. */
export function isMissing(database: Database): boolean {
  return database.kind === 'sqlite' && !existsSync(database.path);
}

/** The file on this machine that must not fail: the database, or where that is on a server, the master secret. */
export const vitalFileOf = (config: { readonly database: Database; readonly masterSecretFile: string }) =>
  fileOf(config.database) ?? config.masterSecretFile;

/** For messages. */
export const shownDatabase = (database: Database) => fileOf(database) ?? (database as PostgresUrl).shown;

export function databaseAddress(name: string, text: string): Database {
  const path = /^sqlite:(.*)$/.exec(text)?.[1];
  if (path) return inFile(resolve(path));
  if (/^postgres(ql)?:/.test(text)) return postgresUrl(name, text);
  const fault =
    path === ''
      ? 'needs a file path after sqlite:'
      : 'is not a database address (sqlite:PATH or postgres://…)';
  throw new SettingFault(name, fault, DATABASE_EXAMPLE);
}

/** @returns null if no setting is wrong */
export function databaseFault(path: string, dataDir: string, cause: unknown): SettingFault | null {
  const { code = '' } = cause as { code?: string };
  if (!OF_THE_PLACE.test(code)) return null;
  const words = WORDS[code];
  const what = `a database that cannot be opened (${path}: ${words ? `${words}, ${code}` : inWords(cause)})`;
  return path === defaultDatabase(dataDir)
    ? new SettingFault('DATA_DIR', `contains ${what}`, DATA_DIR_EXAMPLE)
    : new SettingFault('DATABASE_URL', `names ${what}`, DATABASE_EXAMPLE);
}
