/**
 * The loading trial: how long it takes to load a large gallery of encrypted templates from the database into the
 * matcher, and how late the event loop is meanwhile. Rows: reading and decrypting alone, then everything with the
 * matcher. Afterwards captures of people from the whole gallery are searched for, and each must find its own user.
 *
 * The database is made once for each count and cached. It holds random numbers, no faces.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import type { Sealer } from '../src/adapters/sql/keys/vault.ts';
import { ofApp } from '../src/adapters/sql/scope.ts';
import { openContext, openStore } from '../src/adapters/sqlite/open-store.ts';
import { systemClock, systemRandom } from '../src/adapters/system/system.ts';
import { createMatcher } from '../src/adapters/wasm/pool.ts';
import { createGalleries } from '../src/domain/galleries/galleries.ts';
import { newId } from '../src/domain/ids.ts';
import type { GalleryKey } from '../src/ports/matcher.ts';
import type { Store } from '../src/ports/store.ts';
import { DIMENSIONS, eraseRows } from '../src/ports/template-rows.ts';
import { CACHE } from './cache.ts';
import { MARGIN, THRESHOLD } from './engines.ts';
import type { Row } from './table.ts';

export const GALLERY: GalleryKey = { appId: `app_${'L'.repeat(24)}`, mode: 'live' };
const SEARCHES = 200;
/** Share of noise in a capture, whose cosine with its template is about 0.9. */
const NOISE = 0.45;

export async function loading(count: number): Promise<Row[]> {
  const { store } = await openStore(locationIn(await databaseOf(count)), systemRandom());
  return loadedFrom(store, count);
}

/** Closes the store. @throws Error when a search finds another user */
export async function loadedFrom(store: Store, count: number): Promise<Row[]> {
  const matcher = await createMatcher({ threads: 1, threshold: THRESHOLD, margin: MARGIN });
  const galleries = createGalleries({
    store,
    matcher,
    clock: systemClock,
    budgetBytes: Number.POSITIVE_INFINITY,
    notice: what => console.error(JSON.stringify(what)),
  });
  try {
    const alone = await measured(() => readAll(store, count));
    const whole = await measured(() => galleries.catchUp(GALLERY));
    const wrong = await searched(probe => galleries.search(GALLERY, [probe]), count);
    if (wrong > 0) throw new Error(`${wrong} of ${SEARCHES} searches found another user`);
    const found = `${wrong}/${SEARCHES}`;
    return [
      { what: 'read and open', templates: count, ...alone, mismatches: '' },
      { what: 'read, open and insert', templates: count, ...whole, mismatches: found },
    ];
  } finally {
    await galleries.close();
    await matcher.close();
    await store.close();
  }
}

/** How long some work takes, and how late the event loop is meanwhile. */
export async function measured(work: () => Promise<unknown>): Promise<Row> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  const used = process.cpuUsage();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(used);
  delay.disable();
  // The monitor's own period is part of its value.
  const late = (ns: number) => Math.max(0, ns / 1e6 - 1);
  return {
    seconds,
    cpu_seconds: (user + system) / 1e6,
    loop_p50_ms: late(delay.percentile(50)),
    loop_p99_ms: late(delay.percentile(99)),
    loop_max_ms: late(delay.max),
  };
}

async function readAll(store: Store, count: number): Promise<void> {
  let read = 0;
  const { pages } = await store.loadGallery(GALLERY, 0);
  for await (const { added } of pages) {
    read += added.count;
    eraseRows(added);
  }
  if (read !== count) throw new Error(`${read} of ${count} templates were read`);
}

/** How many captures of people from the whole gallery find another user. */
async function searched(
  search: (probe: number[]) => Promise<{ best: { user: number } | null }>,
  count: number,
): Promise<number> {
  let wrong = 0;
  for (let i = 0; i < SEARCHES; i++) {
    const person = Math.floor((i / SEARCHES) * count);
    const { best } = await search(captureOf(person));
    if (best?.user !== person + 1) wrong += 1;
  }
  return wrong;
}

function locationIn(folder: string) {
  return {
    path: join(folder, 'face-sign-in.db'),
    masterSecret: null,
    masterSecretFile: join(folder, 'master.key'),
    erasuresFile: join(folder, 'erasures.jsonl'),
  };
}

/** The folder of a database with so many users, each with one template. */
export async function databaseOf(count: number): Promise<string> {
  const folder = join(CACHE, `loading-${count}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  console.error(`making a database of ${count} templates in ${folder}: about ${Math.ceil(count / 8_000)} s`);
  const location = locationIn(draft);
  const { driver, vault } = await openContext(location, systemRandom());
  const seal = await driver.write(ofApp(GALLERY.appId), sql => vault.sealer(sql, GALLERY.appId));
  await driver.close();
  const database = new Database(location.path);
  database.pragma('synchronous = OFF');
  database.transaction(() => fill(database, seal, count))();
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  renameSync(draft, folder);
  return folder;
}

function fill(database: Database.Database, seal: Sealer, count: number): void {
  const { appId, mode } = GALLERY;
  const random = systemRandom();
  const addUser = database.prepare(
    `INSERT INTO users (id, app_id, mode, email_hash, email_verified, created_at, sealed)
     VALUES (?, ?, ?, ?, 0, 0, x'00')`,
  );
  const addTemplate = database.prepare(
    `INSERT INTO templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)
     VALUES (?, ?, ?, ?, ?, 'enrolled', ?, 0)`,
  );
  database
    .prepare(
      `INSERT INTO apps (id, name, allowed_origins, first_party, plan, created_at) VALUES (?, '', '[]', 0, '', 0)`,
    )
    .run(appId);
  for (let i = 0; i < count; i++) {
    const [userId, id] = [newId(random, 'usr'), newId(random, 'tpl')];
    const vector = Float32Array.from(directionOf(i));
    const sealed = seal(['template', appId, mode, userId, id], new Uint8Array(vector.buffer));
    addUser.run(userId, appId, mode, String(i));
    addTemplate.run(id, appId, mode, userId, i + 1, sealed);
  }
  database.prepare('INSERT INTO galleries (app_id, mode, sequence) VALUES (?, ?, ?)').run(appId, mode, count);
}

/** Unit vector of a person, the same at every call. */
function directionOf(person: number): number[] {
  let state = Math.imul(person + 1, 0x9e3779b1);
  const numbers = Array.from({ length: DIMENSIONS }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  });
  const norm = Math.hypot(...numbers);
  return numbers.map(x => x / norm);
}

function captureOf(person: number): number[] {
  const noise = directionOf(person + 2 ** 30);
  return directionOf(person).map((x, i) => x + NOISE * (noise[i] as number));
}
