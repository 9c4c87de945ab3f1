/**
 * The cache of galleries, where engines in other processes read them and later runs find them. A file's name contains a
 * hash of everything that decides its content, so an outdated file is never used.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.ts';
import { progress } from '../progress.ts';
import { type Data, sourcesOf, type Templates, templates } from './data.ts';

export interface Gallery extends Templates {
  readonly data: Data;
  readonly n: number;
  /** Unique to this content; part of the name of everything cached that depends on the gallery. */
  readonly key: string;
  /** For everything that depends on the gallery. */
  readonly folder: string;
  readonly vectorsFile: string;
  readonly usersFile: string;
}

/** The most bytes that one read or write call processes. */
const PART = 2 ** 30;

export function gallery(data: Data, n: number): Gallery {
  mkdirSync(CACHE, { recursive: true });
  const key = `${data}-${n}-${hashOf(sourcesOf(data))}`;
  const vectorsFile = join(CACHE, `${key}.f32`);
  const usersFile = join(CACHE, `${key}.u32`);
  const named = { data, n, key, folder: CACHE, vectorsFile, usersFile };
  if (existsSync(vectorsFile) && existsSync(usersFile)) {
    const vectors = new Float32Array(n * 128);
    const users = new Uint32Array(n);
    load(vectorsFile, vectors);
    load(usersFile, users);
    return { ...named, vectors, users };
  }
  console.error(`making ${n} templates (${data})`);
  const shown = progress(`making ${n} templates`, n);
  const made = templates(data, n, shown.at);
  shown.end();
  save(vectorsFile, made.vectors);
  save(usersFile, made.users);
  return { ...named, ...made };
}

/** Short hash of the content of files. */
export function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Atomic: an interrupted run leaves no file that looks complete. */
export function save(file: string, values: NodeJS.TypedArray): void {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w');
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, Math.min(PART, bytes.length - at));
  closeSync(handle);
  renameSync(draft, file);
}

function load(file: string, values: NodeJS.TypedArray): void {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const handle = openSync(file, 'r');
  for (let at = 0; at < bytes.length; ) {
    const got = readSync(handle, bytes, at, Math.min(PART, bytes.length - at), at);
    if (got === 0) throw new Error(`${file} is shorter than it should be: delete it`);
    at += got;
  }
  closeSync(handle);
}
