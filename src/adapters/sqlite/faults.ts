/** Distinguishes errors of the engine, which cannot work now, from wrong statements. */
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../ports/store.ts';

const ENGINE_FAULTS = [
  'BUSY',
  'LOCKED',
  'FULL',
  'IOERR',
  'READONLY',
  'CANTOPEN',
  'CORRUPT',
  'NOTADB',
  'PROTOCOL',
  'NOMEM',
];
const CLOSED = 'The database connection is not open';

export function isEngineFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (error instanceof TypeError) return error.message === CLOSED;
  if (!(error instanceof Database.SqliteError)) return false;
  const kind = error.code.replace(/^SQLITE_/, '');
  return ENGINE_FAULTS.some(fault => kind === fault || kind.startsWith(`${fault}_`));
}
