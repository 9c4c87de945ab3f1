/**
 * Databases for the service trials. The users are enrolled through the project's own store in a few transactions,
 * because 100,000 enrolments over HTTP take minutes. A database is made once, cached,
 * and copied for every run, so that all runs start alike. The folder's name contains a hash of everything that decides
 * its content, so an outdated one is never used. check-answers.ts and, at every sign-in, the load generator check that
 * the service recognises these users.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  fsyncSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { newId } from '../../src/domain/ids.ts';
import { createApp } from '../../src/domain/operating/apps.ts';
import { createKey } from '../../src/domain/operating/keys.ts';
import { newToken } from '../../src/domain/tokens/issue.ts';
import { monthOf } from '../../src/protocol/time.ts';
import { type Admin, openAdmin } from '../../src/service/data.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { CACHE } from '../cache.ts';
import { ORIGIN } from './enrolled.ts';
import { clear, type People, people } from './faces.ts';

/** Users, spread evenly over the gallery, of whom those sign in who are clearly recognised. */
const SIGNERS = 1_000;
/** Enrolments per transaction. */
const BATCH = 2_000;
const SOURCES = [
  'src/adapters/sql/migrations/*.sql',
  'src/adapters/secrets/*.ts',
  'bench/{random,data-sets}.ts',
  'bench/data-sets/{faces.ts,faces.json,vectors.ts}',
  'bench/service/{faces,galleries}.ts',
];
const NOTE = 'bench.json';

/** A user who signs in. */
export interface Signer {
  readonly person: number;
  readonly userId: string;
}

export interface Gallery {
  readonly users: number;
  /** The cached database. Runs work on a copy. */
  readonly folder: string;
  /** Live publishable key of its only app, whose origin is ORIGIN and whose plan has no limit. */
  readonly key: string;
  readonly signers: readonly Signer[];
  readonly people: People;
  /** Number of a stranger who is near nobody. */
  readonly stranger: number;
}

export const emailOf = (person: number) => `user${person}@example.com`;

export async function galleryOf(users: number): Promise<Gallery> {
  const folder = join(CACHE, `service-${users}-${madeBy()}`);
  if (!existsSync(folder)) await make(users, folder);
  return { users, folder, people, ...JSON.parse(readFileSync(join(folder, NOTE), 'utf8')) };
}

/** A copy to run a service on, flushed to disk so that copying does not disturb the measurement. */
export function copyOf({ folder }: Gallery): string {
  const copy = tempFolder();
  cpSync(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const name of readdirSync(copy)) {
    const file = openSync(join(copy, name), 'r');
    fsyncSync(file);
    closeSync(file);
  }
  return copy;
}

async function make(users: number, folder: string): Promise<void> {
  const began = performance.now();
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const admin = await openAdmin(loadConfig({ DATA_DIR: draft }));
  const app = await createApp(admin.deps, { name: 'Bench', allowedOrigins: [ORIGIN], plan: 'unlimited' });
  const made = await createKey(admin.deps, app.id, 'publishable', 'live');
  const ids: string[] = [];
  for (let first = 0; first < users; first += BATCH) {
    const people = Array.from({ length: Math.min(BATCH, users - first) }, (_, i) => first + i);
    ids.push(...(await Promise.all(people.map(person => enrol(admin, app.id, person)))));
  }
  await admin.close();
  const count = Math.min(SIGNERS, users);
  const spread = Array.from({ length: count }, (_, i) => Math.floor((i * users) / count));
  const { persons, stranger } = clear(users, spread);
  const signers = persons.map((person): Signer => ({ person, userId: ids[person] as string }));
  writeFileSync(join(draft, NOTE), JSON.stringify({ key: made.key, signers, stranger }));
  renameSync(draft, folder);
  console.error(`made a gallery of ${users} users in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

/** Must be called in order: a face is compared at the sequence that equals the number of users before it. */
export async function enrol({ deps }: Admin, appId: string, person: number): Promise<string> {
  const { store, random, clock } = deps;
  const [id, at] = [newId(random, 'usr'), clock.now()];
  const capture = people.genuine(person);
  const norm = Math.hypot(...capture);
  const { outcome } = await store.enrol({
    gallery: { appId, mode: 'live' },
    user: { id, email: emailOf(person), name: '' },
    at,
    templates: [{ id: newId(random, 'tpl'), vector: Float32Array.from(capture, x => x / norm) }],
    encoder: null,
    policyVersion: 'bench',
    token: newToken({ clock, random }),
    origin: { ip: '127.0.0.1', userAgent: '', liveness: undefined },
    auth: { month: monthOf(at), limit: null },
    maximumUsers: null,
    sequence: person,
  });
  if (outcome !== 'enrolled') throw new Error(`person ${person} was not enrolled: ${outcome}`);
  return id;
}

/** Short hash of what decides the content of a database. */
function madeBy(): string {
  const root = join(import.meta.dirname, '../..');
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
