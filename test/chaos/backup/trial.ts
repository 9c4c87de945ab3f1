/**
 * Backups under write load, each restored into a folder of its own with the journal of erasures that the running service
 * has by then: whole, with all that was acknowledged before the backup began, and without anybody who was erased since.
 * Without that journal the erased ones must be back in some round, or the trial has not tried anything.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { newApp } from '../../cli/test-app.ts';
import { call, match } from '../../support/client.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { environment, json, newDataDir, serve, tempFolder, within } from '../../support/process.ts';
import { seeded } from '../../support/random.ts';
import type { Running, TestApp } from '../../support/service.ts';
import type { Trial } from '../../support/trial.ts';
import { wrongIn } from './judge.ts';
import { faces, type Lived, startLoad } from './load.ts';

const BETWEEN_MS = 1_500;
const AFTERWARDS_MS = 700;
/** Every so many restores a service is started on the folder, and people sign in. */
const STARTED_EVERY = 5;

export const trial: Trial = {
  about: 'backups under write load, restored with the journal of erasures',
  options: { seed: 1, rounds: 20, writers: 8 },
  async run({ seed = 1, rounds = 0, writers = 1 }, say) {
    const random = seeded(seed);
    const chance = (below: number) => random.bytes(4).readUInt32LE() % below;
    const DATA_DIR = newDataDir();
    const settings = environment({ DATA_DIR, BASE_URL: 'https://face.example', ...NO_LIMITS });
    const service = await serve(settings);
    const run = { base: service.base } as Running;
    const app = await newApp(settings, 'Shop', 'unlimited');
    const load = startLoad(run, app, writers, chance);
    const faults: string[] = [];
    const took: number[] = [];
    let whole = 0;
    let erasedSince = 0;
    let backAgain = 0;
    let signIns = 0;
    try {
      for (let round = 1; round <= rounds; round++) {
        await delay(chance(BETWEEN_MS));
        const file = join(tempFolder(), 'backup.db');
        const begun = performance.now();
        await json(['backup', file], settings);
        const done = performance.now();
        took.push(done - begun);
        await delay(AFTERWARDS_MS);
        const folder = folderWith(DATA_DIR, ['master.key', 'erasures.jsonl']);
        const journal = performance.now();
        // Lines of deletions that are under way may or may not be there: nothing is said of those.
        const lives = load.lives.map(life => ({ ...life }));
        const since = lives.filter(({ enrolled, left }) => enrolled < begun && left > done && left < journal);
        erasedSince += since.length;
        await json(['restore', file], { ...settings, DATA_DIR: folder });
        const database = join(folder, 'face-sign-in.db');
        const wrong = wrongIn(database, settled(lives, journal), { begun, done, journal });
        if (round % STARTED_EVERY === 0 || round === rounds)
          signIns += await signInAt({ ...settings, DATA_DIR: folder }, app, lives, { begun, journal }, wrong);
        if (wrong.length === 0) whole += 1;
        faults.push(...wrong.map(line => `round ${round}: ${line}`));

        const bare = folderWith(DATA_DIR, ['master.key']);
        await json(['restore', file, '--accept-gap'], { ...settings, DATA_DIR: bare }, within);
        const without = wrongIn(join(bare, 'face-sign-in.db'), lives, { begun, done, journal });
        if (without.some(line => line.includes('is there again'))) backAgain += 1;
        say(`round ${round}: ${lives.length} lives, ${since.length} erased since, ${wrong.length} wrong`);
      }
    } finally {
      await load.stop();
      await service.stop();
    }
    const worst = Math.max(...took);
    const example = (lines: readonly string[]) => (lines.length > 0 ? ` (${lines[0]})` : '');
    return [
      {
        what: 'restores that are whole',
        wanted: `${rounds} of ${rounds}`,
        measured: `${whole} of ${rounds}${example(faults)}`,
        held: whole === rounds,
      },
      {
        what: 'users erased between backup and restore, who stay erased',
        wanted: 'some, all',
        measured: `${erasedSince}, all but ${faults.filter(line => line.includes('there again')).length}`,
        held: erasedSince > 0 && !faults.some(line => line.includes('there again')),
      },
      {
        what: 'rounds in which they are back when the journal is left out',
        wanted: 'some: else nothing is tried',
        measured: String(backAgain),
        held: backAgain > 0,
      },
      { what: 'sign-ins on restored folders', wanted: 'some', measured: String(signIns), held: signIns > 0 },
      {
        what: 'writes that a backup made fail',
        wanted: '0',
        measured: `${load.faults.length}${example(load.faults)}`,
        held: load.faults.length === 0,
      },
      {
        what: 'longest backup, process and all',
        wanted: 'reported',
        measured: `${Math.round(worst)} ms`,
        held: true,
      },
    ];
  },
};

/** Users whose deletion was acknowledged before the journal was copied, or not begun: of the others nothing is known. */
function settled(lives: readonly Lived[], journal: number): Lived[] {
  return lives.filter(({ leaving, left }) => left < journal || leaving > journal);
}

async function signInAt(
  settings: Record<string, string>,
  app: TestApp,
  lives: readonly Lived[],
  { begun, journal }: { begun: number; journal: number },
  wrong: string[],
): Promise<number> {
  const again = await serve(settings);
  const run = { base: again.base } as Running;
  try {
    if ((await call(run, 'GET', '/health')).status !== 200) wrong.push('not healthy');
    const known = lives.filter(life => life.enrolled < begun && life.leaving > journal).slice(-5);
    for (const life of known) {
      const answer = await match(run, app, { descriptors: [faces.genuine(life.person, 1)] });
      if (answer.json.user?.id !== life.id) wrong.push(`${life.id} does not sign in: ${answer.text}`);
    }
    return known.length;
  } finally {
    await again.stop();
  }
}

function folderWith(from: string, files: readonly string[]): string {
  const folder = tempFolder();
  for (const file of files) copyFileSync(join(from, file), join(folder, file));
  return folder;
}

function delay(ms: number): Promise<void> {
  return new Promise(next => setTimeout(next, ms));
}
