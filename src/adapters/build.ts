/** Versions and licences of the program's parts. */
import Database from 'better-sqlite3';
import { hasAsset, readText } from '../assets.ts';
import { bestBuild } from './wasm/module.ts';

/** Only the executable contains these. */
const INFO = 'build.json';
const LICENCES = 'licences.txt';

export interface Build {
  /** Commit that the executable was built from. */
  readonly commit: string | null;
  readonly node: string;
  readonly v8: string;
  readonly sqlite: string;
  /** Build of the matching core: the best that this engine can run. */
  readonly simd: 'relaxed' | 'simd';
}

/** @throws Error if the database engine does not load */
export function build(): Build {
  return {
    commit: commit(),
    node: process.versions.node,
    v8: process.versions.v8,
    sqlite: sqliteVersion(),
    simd: bestBuild(),
  };
}

/** Null if running from source, or not built from a clone. */
export function commit(): string | null {
  return hasAsset(INFO) ? JSON.parse(readText(INFO)).commit : null;
}

/** The licences of everything in the executable. Null if running from source. */
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
