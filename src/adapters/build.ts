/** What this program is made of. */
import Database from 'better-sqlite3';
import { hasAsset, readText } from '../assets.ts';
import { bestBuild } from './wasm/module.ts';

/** The executable brings it; the source has none. */
const INFO = 'build.json';
const LICENCES = 'licences.txt';

export interface Build {
  /** Of the source that the executable was built from; null when this is the source itself, or it was no clone. */
  readonly commit: string | null;
  readonly node: string;
  readonly v8: string;
  readonly sqlite: string;
  /** Of the matching core, chosen by what this engine can run. */
  readonly simd: 'relaxed' | 'simd';
}

/** @throws Error when the database engine does not load */
export function build(): Build {
  return {
    commit: hasAsset(INFO) ? JSON.parse(readText(INFO)).commit : null,
    node: process.versions.node,
    v8: process.versions.v8,
    sqlite: sqliteVersion(),
    simd: bestBuild(),
  };
}

/** The licences of all that is in the executable; null in the source, where each package has its own beside it. */
export function licences(): string | null {
  return hasAsset(LICENCES) ? readText(LICENCES) : null;
}

function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return database.prepare('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    database.close();
  }
}
