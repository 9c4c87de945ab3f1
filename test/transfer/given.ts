/** Exported apps for tests, read and written as any program does that knows age. Debian's reads them in test/clients. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decrypter, Encrypter } from 'age-encryption';
import Database from 'better-sqlite3';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { appRecord, enrolled, vector } from '../contract/fixtures.ts';
import type { Json } from '../support/client.ts';
import { openedIn } from '../support/data-keys.ts';
import '../support/cheap-passphrase.ts';
import { databaseOf, inStore } from '../cli/sealed-folder.ts';
import { closing } from '../support/closing.ts';
import { type Env, newDataDir, ROOT, tempFolder } from '../support/process.ts';

export const PASSPHRASE = 'a passphrase of the tests';
export const APP = 'app_transfer0000000000000001';
export const withPass = (settings: Env): Env => ({ ...settings, EXPORT_PASSPHRASE: PASSPHRASE });
/** For processes. In the test's own, guesses cost nothing. */
export const CHEAP = ['--import', join(ROOT, 'test/support/cheap-passphrase.ts')];
export const newFile = () => join(tempFolder(), 'app.age');

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
  using database = closing(new Database(databaseOf(dataDir), { readonly: true }));
  const all = (text: string) => database.prepare(text).all(appId);
  const users = openedIn(dataDir, 'users')
    .filter(row => row.app_id === appId)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    users: users.map(({ app_id: _, email_hash: __, ...row }) => row),
    consents: openedIn(dataDir, 'consents')
      .filter(({ user_id }) => users.some(({ id }) => id === user_id))
      .sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
    templates: all(
      'SELECT id, mode, user_id, origin, created_at FROM templates WHERE app_id = ? ORDER BY mode, sequence',
    ),
    encoders: all('SELECT mode, encoder FROM galleries WHERE app_id = ? ORDER BY mode'),
    usage: all(
      'SELECT mode, month, auths, enrolls, matches_ok, matches_failed FROM usage WHERE app_id = ? ORDER BY mode, month',
    ),
  };
}

/** How many rows there are of anything that an import writes. */
export function counts(dataDir: string): Record<string, number> {
  using database = closing(new Database(databaseOf(dataDir), { readonly: true }));
  return Object.fromEntries(
    ['apps', 'users', 'templates', 'consents', 'usage', 'auth_events', 'galleries'].map(table => [
      table,
      database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number,
    ]),
  );
}

export async function read(file: string, passphrase = PASSPHRASE): Promise<Json[]> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const text = await decrypter.decrypt(readFileSync(file), 'text');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** A file that is encrypted as it should be and holds these lines. */
export const fileOf = (lines: readonly object[]) =>
  fileOfText(lines.map(line => `${JSON.stringify(line)}\n`).join(''));

export async function fileOfText(text: string): Promise<string> {
  const file = newFile();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(10);
  writeFileSync(file, await encrypter.encrypt(text));
  return file;
}

/** The lines of an app with so many users, with a template each, and so many events. */
export function manyLines(count: number, events = 0): object[] {
  const id = (prefix: string, i: number) => `${prefix}_${String(i).padStart(24, '0')}`;
  const at = '2026-01-01T00:00:00.000Z';
  const numbers = new Float32Array(128);
  numbers[0] = 1;
  const descriptor = Buffer.from(numbers.buffer).toString('base64');
  const head = {
    type: 'app',
    version: 1,
    id: APP,
    name: 'Big',
    allowed_origins: [],
    first_party: false,
    plan: 'free',
    created_at: at,
    users: count,
    templates: count,
    encoders: { live: null, test: null },
  };
  const user = (i: number) => ({
    type: 'user',
    mode: 'live',
    id: id('usr', i),
    email: `p${i}@mail.example`,
    name: '',
    email_verified: false,
    created_at: at,
    last_sign_in_at: null,
    consent: { policy_version: '1', accepted_at: at, ip: '192.0.2.1', user_agent: '' },
  });
  const template = (i: number) => ({
    type: 'template',
    mode: 'live',
    id: id('tpl', i),
    user_id: id('usr', i),
    origin: 'enrolled',
    created_at: at,
    descriptor,
  });
  const event = (i: number) => ({
    type: 'event',
    mode: 'live',
    event: i % 2 ? 'match' : 'enroll',
    at: new Date(Date.parse(at) + i).toISOString(),
    user_id: id('usr', i % count),
    ip: i % 3 ? '192.0.2.1' : null,
    user_agent: '',
    liveness: null,
  });
  const all = Array.from({ length: count }, (_, i) => i);
  return [
    head,
    ...all.map(user),
    ...all.map(template),
    ...Array.from({ length: events }, (_, i) => event(i)),
    { type: 'end', users: count, templates: count, usage: 0, events },
  ];
}
