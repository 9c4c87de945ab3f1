/** Data folders with sealed templates and a signing key, for tests of what happens to their keys. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { openStore } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { appRecord, enrolled, NOW, signingKey } from '../contract/fixtures.ts';
import { dataKeysOf } from '../support/data-keys.ts';
import { type Env, environment, newDataDir, ROOT } from '../support/process.ts';

export const APP = 'app_sealed0000000000000000001';
export const OTHER = 'app_sealed0000000000000000002';
export const KID = 'kid-of-the-folder';
/** Dies at the step that KILL_AT names. */
export const DYING = {
  entry: ['--import', join(ROOT, 'test/support/kill-at.ts'), join(ROOT, 'src/main.ts')],
};

export const databaseOf = (dataDir: string) => join(dataDir, 'face-sign-in.db');

export async function inStore<Answer>(
  dataDir: string,
  task: (store: Store) => Promise<Answer>,
  masterSecret: Buffer | null = null,
): Promise<Answer> {
  const location = {
    path: databaseOf(dataDir),
    masterSecret,
    masterSecretFile: join(dataDir, 'master.key'),
    erasuresFile: join(dataDir, 'erasures.jsonl'),
  };
  const { store } = await openStore(location, systemRandom());
  try {
    return await task(store);
  } finally {
    await store.close();
  }
}

/** With people in both modes of one app, and in another. */
export async function sealedFolder(
  people = 3,
  masterSecret: Buffer | null = null,
): Promise<Env & { DATA_DIR: string }> {
  const DATA_DIR = newDataDir();
  cpSync(join(ROOT, 'data/README.md'), join(DATA_DIR, 'README.md'), { recursive: true });
  await inStore(
    DATA_DIR,
    async store => {
      await store.addSigningKey(signingKey(KID), null);
      for (const [appId, modes] of [
        [APP, ['live', 'test']],
        [OTHER, ['live']],
      ] as const) {
        await store.createApp(appRecord(appId));
        for (const mode of modes) for (let i = 0; i < people; i++) await person(store, appId, mode);
      }
    },
    masterSecret,
  );
  return { DATA_DIR };
}

export function person(store: Store, appId: string, mode: 'live' | 'test') {
  const random = systemRandom();
  return enrolled(store, { gallery: { appId, mode }, id: newId(random, 'usr') });
}

/** A copy, to be broken. */
export function copyOf(dataDir: string): Env & { DATA_DIR: string } {
  const DATA_DIR = newDataDir();
  cpSync(dataDir, DATA_DIR, { recursive: true });
  return { DATA_DIR };
}

/** Every template in the order of its gallery, opened; and the signing key. What a change of keys must not change. */
export async function contents(dataDir: string, masterSecret: Buffer | null = null) {
  return inStore(
    dataDir,
    async store => {
      assert.ok(await store.openSigningKey(KID), 'the signing key opens');
      const all: unknown[] = [];
      for (const { id: appId } of await store.listApps())
        for (const mode of ['live', 'test'] as const) {
          const gallery = { appId, mode };
          const { added, to, removed } = await store.galleryChanges(gallery, 0, 1_000_000);
          const pages: number[] = [];
          for await (const page of (await store.loadGallery(gallery, 0)).pages)
            pages.push(...page.added.vectors);
          assert.equal(pages, [...added.vectors], 'threads and the store open the same');
          all.push([appId, mode, to, removed, [...added.sequences], [...added.users], digest(added.vectors)]);
        }
      return all;
    },
    masterSecret,
  );
}

const digest = (vectors: Float32Array) => createHash('sha256').update(vectors).digest('hex');

/** Wrapped keys as they are stored. */
export function wrappedKeys(dataDir: string): Buffer[] {
  const database = new Database(databaseOf(dataDir), { readonly: true });
  try {
    return database.prepare('SELECT wrapped FROM data_keys').pluck().all() as Buffer[];
  } finally {
    database.close();
  }
}

export function versionsOf(dataDir: string, owner: string): number[] {
  return dataKeysOf(dataDir, owner).map(({ version }) => version);
}

/** Files of the folder that hold the bytes. */
export function filesWith(dataDir: string, bytes: Uint8Array): string[] {
  return readdirSync(dataDir).filter(
    name => existsSync(join(dataDir, name)) && readFileSync(join(dataDir, name)).includes(bytes),
  );
}

export { environment, NOW };
