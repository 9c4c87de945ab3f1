/** Exported apps for tests, and a reader of them that knows nothing but what the format's text says. */
import { createDecipheriv, scryptSync } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { writeLines } from '../../src/adapters/transfer/sealed-file.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { appRecord, enrolled, vector } from '../contract/fixtures.ts';
import type { Json } from '../support/client.ts';
import { type Env, newDataDir, tempFolder } from './process.ts';
import { databaseOf, inStore } from './sealed-folder.ts';

export const PASSPHRASE = 'a passphrase of the tests';
export const APP = 'app_transfer0000000000000001';
export const withPass = (settings: Env): Env => ({ ...settings, EXPORT_PASSPHRASE: PASSPHRASE });
export const newFile = () => join(tempFolder(), 'app.export');

const id = (prefix: 'usr' | 'tpl') => newId(systemRandom(), prefix);
/** Of norm 1, in float32. */
function unit(seed: number): Float32Array {
  const numbers = vector(seed);
  const norm = Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0));
  return numbers.map(x => x / norm);
}

let people = 0;
export function person(store: Store, mode: 'live' | 'test', templates = 2, encoder: string | null = null) {
  people += 1;
  return enrolled(store, {
    gallery: { appId: APP, mode },
    id: id('usr'),
    at: Date.now(),
    encoder,
    templates: Array.from({ length: templates }, (_, i) => ({ id: id('tpl'), vector: unit(people + i / 8) })),
  });
}

/** A folder with an app of so many people in each mode. */
export async function folderWith(count: number): Promise<Env & { DATA_DIR: string }> {
  const DATA_DIR = newDataDir();
  await inStoreOf(DATA_DIR, async store => {
    await store.createApp(appRecord(APP));
    for (let i = 0; i < count; i++) for (const mode of ['live', 'test'] as const) await person(store, mode);
  });
  return { DATA_DIR };
}

export async function inStoreOf<Answer>(
  dataDir: string,
  task: (store: Store) => Promise<Answer>,
): Promise<Answer> {
  const { mkdirSync } = await import('node:fs');
  mkdirSync(dataDir, { recursive: true });
  return inStore(dataDir, task);
}

/** All that an app has and that travels, as rows; descriptors are compared through `read`. */
export function rowsOf(dataDir: string, appId = APP): Json {
  const database = new Database(databaseOf(dataDir), { readonly: true });
  const all = (text: string) => database.prepare(text).all(appId);
  try {
    return {
      users: all(
        'SELECT id, mode, email, name, email_verified, created_at, last_sign_in_at FROM users WHERE app_id = ? ORDER BY id',
      ),
      consents: all(
        'SELECT c.* FROM consents c JOIN users u ON u.id = c.user_id WHERE u.app_id = ? ORDER BY c.user_id',
      ),
      templates: all(
        'SELECT id, mode, user_id, origin, created_at FROM templates WHERE app_id = ? ORDER BY mode, sequence',
      ),
      encoders: all('SELECT mode, encoder FROM galleries WHERE app_id = ? ORDER BY mode'),
      usage: all(
        'SELECT mode, month, auths, enrolls, matches_ok, matches_failed FROM usage WHERE app_id = ? ORDER BY mode, month',
      ),
    };
  } finally {
    database.close();
  }
}

/** How many rows there are of anything that an import writes. */
export function counts(dataDir: string): Record<string, number> {
  const database = new Database(databaseOf(dataDir), { readonly: true });
  try {
    return Object.fromEntries(
      ['apps', 'users', 'templates', 'consents', 'usage', 'auth_events', 'galleries'].map(table => [
        table,
        database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number,
      ]),
    );
  } finally {
    database.close();
  }
}

/** Reads an export as the format's text says, with nothing of the program. */
export function read(file: string, passphrase = PASSPHRASE): Json[] {
  const bytes = readFileSync(file);
  const line = bytes.subarray(0, bytes.indexOf(10) + 1);
  const { kdf, nonce } = JSON.parse(line.toString());
  const { N, r, p } = kdf;
  const key = scryptSync(passphrase, Buffer.from(kdf.salt, 'base64url'), 32, { N, r, p, maxmem: 2 ** 28 });
  let text = '';
  for (let at = line.length, number = 0; at < bytes.length; number++) {
    const length = bytes.readUInt32BE(at);
    const end = at + 4 + length;
    const tail = Buffer.alloc(5);
    tail.writeUInt32BE(number);
    tail[4] = end === bytes.length ? 1 : 0;
    const open = createDecipheriv('aes-256-gcm', key, Buffer.concat([Buffer.from(nonce, 'base64url'), tail]));
    open.setAAD(line).setAuthTag(bytes.subarray(end - 16, end));
    text += open.update(bytes.subarray(at + 4, end - 16), undefined, 'latin1') + open.final('latin1');
    at = end;
  }
  return Buffer.from(text, 'latin1')
    .toString()
    .trimEnd()
    .split('\n')
    .map(one => JSON.parse(one));
}

/** A guess at a file of the program itself costs a good part of a second; at one of the tests, nothing. */
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };

/** A file that is sealed as it should be and holds these lines. */
export function fileOf(lines: readonly object[]): string {
  const file = newFile();
  const handle = openSync(file, 'wx');
  const to = writeLines(handle, PASSPHRASE, systemRandom(), CHEAP);
  for (const line of lines) to.add(line);
  to.end();
  closeSync(handle);
  return file;
}
