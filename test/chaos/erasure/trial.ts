/**
 * Erasure: people and whole apps are deleted from a running service, in random order and between enrolments of others, and
 * then every file of the data folder, all that the service printed, and the matcher's memory are searched for what made
 * them. A search that did not find its marker before the deletion proves nothing, and ends the trial.
 */
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { openAdmin } from '../../../src/service/data.ts';
import { newApp } from '../../cli/test-app.ts';
import { chanceOf } from '../../support/chance.ts';
import { call, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { environment, newDataDir, serve } from '../../support/process.ts';
import type { Running, TestApp } from '../../support/service.ts';
import { none, type Trial, told } from '../../support/trial.ts';
import { enrolMarked, type Marked, neverInFiles } from './marked.ts';
import { bytesBelow, searchMemory } from './places.ts';

const BATCH = 50;
const SETTLE_MS = 12_000;

export const trial: Trial = {
  about: 'unique markers of deleted users and apps, searched in every file, the log and the matcher',
  options: { seed: 1, users: 1_000, apps: 100 },
  async run({ seed = 1, users = 0, apps = 0 }, say) {
    const pick = chanceOf(seed, 0).below;
    const DATA_DIR = newDataDir();
    const settings = environment({
      DATA_DIR,
      TRUST_PROXY: '1',
      ...NO_LIMITS,
    });
    const service = await serve(settings);
    const run = { base: service.base } as Running;
    const pid = service.pid;
    const admin = await openAdmin(loadConfig(settings));
    const database = join(DATA_DIR, 'face-sign-in.db');
    try {
      const shop = (n: number) => newApp(settings, `Shop ${n}`, 'unlimited');
      const shared = [await shop(0), await shop(1), await shop(2)];
      const people: Marked[] = [];
      for (let i = 0; i < users * 1.3; i++) {
        people.push(await enrolMarked(run, shared[pick(3)] as TestApp, database));
        if (i % 200 === 199) say(`${i + 1} people enrolled`);
      }
      const before = missing(people, DATA_DIR, pid);
      if (before.length > 0) throw new Error(`not found before: ${before.slice(0, 5).join(', ')}`);

      let atOnce = 0;
      const gone: Marked[] = [];
      while (gone.length < users) {
        const batch: Marked[] = [];
        for (let i = 0; i < Math.min(BATCH, users - gone.length); i++) {
          const [person] = people.splice(pick(people.length), 1) as [Marked];
          await deleted(run, person, pick(2) === 0);
          batch.push(person);
          if (pick(3) === 0) people.push(await enrolMarked(run, shared[pick(3)] as TestApp, database));
        }
        gone.push(...batch);
        atOnce += leftInFiles(batch, bytesBelow(DATA_DIR)).length;
        say(`${gone.length} users deleted`);
      }
      const ofApps: Marked[] = [];
      for (let n = 0; n < apps; n++) {
        const app = await shop(100 + n);
        ofApps.push(await enrolMarked(run, app, database), await enrolMarked(run, app, database));
        const unseen = missing(ofApps.slice(-2), DATA_DIR, pid);
        if (unseen.length > 0) throw new Error(`not found before: ${unseen.join(', ')}`);
        await admin.deps.store.deleteApp(app.id, Date.now());
      }
      say(`${apps} apps deleted`);
      gone.push(...ofApps);
      await new Promise(next => setTimeout(next, SETTLE_MS));
      const files = bytesBelow(DATA_DIR);
      const left = leftInFiles(gone, files);
      const inLog = leftInFiles(gone, Buffer.from(service.printed.stdout + service.printed.stderr));
      const memory = searchMemory(
        pid,
        gone.flatMap(({ inMemory }) => inMemory),
      );
      const kept = missing(people, DATA_DIR, pid);
      const markers = gone.reduce((sum, { inFiles }) => sum + Object.keys(inFiles).length, 0);
      const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
      return [
        none(
          `${markers} markers of ${gone.length} erased people, in ${megabytes(files.length)} of files`,
          left,
        ),
        none('the same in all that the service printed', inLog),
        none(`their vectors, in ${megabytes(memory.bytes)} of the matcher's memory`, memory.found.size),
        told('markers found within moments of the deletion: a rebuild may be a second away', atOnce),
        none(`markers missing of ${people.length} people who stay`, kept),
      ];
    } finally {
      await admin.close();
      await service.stop();
    }
  },
};

/** By the app's server, or by the person. */
async function deleted(run: Running, { id, app, token }: Marked, byServer: boolean): Promise<void> {
  const answer = byServer
    ? await call(run, 'DELETE', `/v1/users/${id}`, { headers: server(app) })
    : await call(run, 'DELETE', '/v1/me', { headers: bearer(token) });
  if (answer.status >= 300) throw new Error(`not deleted: ${answer.status} ${answer.text}`);
}

/** Names of markers that are in the bytes. */
function leftInFiles(people: readonly Marked[], bytes: Buffer): string[] {
  return people.flatMap(({ id, inFiles }) =>
    Object.entries(inFiles)
      .filter(([, marker]) => bytes.includes(marker))
      .map(([what]) => `${what} of ${id}`),
  );
}

/** What should be there and is not. */
function missing(people: readonly Marked[], folder: string, pid: number): string[] {
  const bytes = bytesBelow(folder);
  const absent = people.flatMap(({ id, inFiles }) =>
    Object.entries(inFiles)
      .filter(([what, marker]) => bytes.includes(marker) === neverInFiles(what))
      .map(([what]) => `${what} of ${id}`),
  );
  const pieces = people.flatMap(({ inMemory }) => inMemory);
  const { found } = searchMemory(pid, pieces);
  if (found.size < pieces.length) absent.push(`${pieces.length - found.size} pieces in memory`);
  return absent;
}
