/** A reader of galleries over a database of its own, and what its threads deliver. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { fileIdOf } from '../../src/adapters/journal/files.ts';
import type { Keys } from '../../src/adapters/secrets/sealing.ts';
import type { GalleryReader } from '../../src/adapters/sql/gallery-reader.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import type { Answer } from '../../src/adapters/sqlite/reader/messages.ts';
import { createGalleryReader } from '../../src/adapters/sqlite/reader/reader.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import type { GalleryChanges } from '../../src/ports/matcher.ts';
import type { Enrolment, Store } from '../../src/ports/store.ts';
import type { TestDatabase } from '../contract/engine.ts';
import { appRecord, enrolled, FIRST, LIVE, SECOND } from '../contract/fixtures.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

export interface Given {
  readonly db: TestDatabase;
  readonly store: Store;
  readonly reader: GalleryReader;
  /** What opens the values of the app. */
  readonly keys: Keys;
  readonly threads: Worker[];
  /** Every page that a thread has delivered. */
  readonly delivered: GalleryChanges[];
  /** Everything after a sequence, up to what is stored now. */
  pages(since?: number): Promise<AsyncGenerator<GalleryChanges, void, void>>;
}

type Check = (
  name: string,
  options: { pageSize?: number; idleMs?: number },
  body: (given: Given) => Promise<void>,
) => void;

export function readerOn(test: Suite): Check {
  return (name, options, body) => test(name, () => withReader(options, body));
}

async function withReader(
  options: { pageSize?: number; idleMs?: number },
  body: (given: Given) => Promise<void>,
): Promise<void> {
  const db = await sqliteEngine.create();
  const store = await db.open();
  for (const id of [FIRST, SECOND]) await store.createApp(appRecord(id));
  const path = databaseFile(db);
  const location = {
    path,
    masterSecret: null,
    masterSecretFile: join(db.address, 'master.key'),
    erasuresFile: join(db.address, 'erasures.jsonl'),
  };
  const { vault, driver } = await openContext(location, systemRandom());
  const threads: Worker[] = [];
  const delivered: GalleryChanges[] = [];
  const onThread = (thread: Worker) => {
    threads.push(thread);
    thread.on('message', (answer: Answer) => {
      if ('changes' in answer) delivered.push(answer.changes);
    });
  };
  const reader = createGalleryReader({ path, fileId: fileIdOf(path), onThread, ...options });
  const keys = vault.keys(driver.read, FIRST);
  const pages = async (since = 0) =>
    reader.pages({ gallery: LIVE, since, to: await store.gallerySequence(LIVE) }, keys);
  try {
    await body({ db, store, reader, keys, threads, delivered, pages });
  } finally {
    await reader.close();
    await driver.close();
    await db.destroy();
  }
}

export async function people(store: Store, count: number): Promise<Enrolment[]> {
  const all: Enrolment[] = [];
  for (let i = 0; i < count; i++) all.push(await enrolled(store));
  return all;
}

export async function storedSequences(db: TestDatabase): Promise<number[]> {
  const rows = await db.rows<{ sequence: number }>(
    `SELECT sequence FROM templates WHERE app_id = '${FIRST}' AND mode = 'live' ORDER BY sequence`,
  );
  return rows.map(({ sequence }) => sequence);
}

/** Of each thread of this process with this name. 0 is usual, more is less. */
export function nicenessOf(name: string): number[] {
  const tasks = '/proc/self/task';
  return readdirSync(tasks).flatMap(id => {
    if (readFileSync(join(tasks, id, 'comm'), 'utf8').trim() !== name) return [];
    const [, rest = ''] = readFileSync(join(tasks, id, 'stat'), 'utf8').split(') ');
    return [Number(rest.split(' ')[16])];
  });
}
