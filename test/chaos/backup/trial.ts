/**
 * Backups under write load, each restored into a folder of its own with the journal of erasures that the running service
 * has by then: whole, with all that was acknowledged before the backup began, and without anybody who was erased since.
 * Without that journal the erased ones must be back in some round, or the trial has not tried anything.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { match } from '../../support/client.ts';
import { environment, json, newDataDir, tempFolder, within } from '../../support/process.ts';
import type { Running } from '../../support/service.ts';
import { figure, none, some, type Trial, told } from '../../support/trial.ts';
import { type Context, contextIn, enter } from '../crash/context.ts';
import { startLoad } from '../crash/load.ts';
import { enrolledProbe } from '../crash/person.ts';
import { settings, startProgram } from '../crash/program.ts';
import { databaseFile } from '../crash/rows.ts';
import { type Lived, type Moments, watchLives, wrongIn } from './judge.ts';

const BETWEEN_MS = 1_500;
const AFTERWARDS_MS = 700;
/** Every so many restores a service is started on the folder, and people sign in. */
const STARTED_EVERY = 5;

export const trial: Trial = {
  about: 'backups under write load, restored with the journal of erasures',
  options: { seed: 1, rounds: 20, writers: 8 },
  async run({ seed = 1, rounds = 0, writers = 1 }, say) {
    const dataDir = newDataDir();
    const context = await contextIn(dataDir, seed, say);
    const lived = watchLives(context);
    const command = (at: string, ...words: string[]) => json(words, environment(settings(at)), within);
    const program = await startProgram({ dataDir });
    enter(context, program);
    const load = startLoad(context, writers);
    const faults: string[] = [];
    const took: number[] = [];
    let [whole, erasedSince, backAgain, signIns] = [0, 0, 0, 0];
    try {
      for (let round = 1; round <= rounds; round++) {
        await delay(context.chance(BETWEEN_MS));
        const file = join(tempFolder(), 'backup.db');
        const begun = performance.now();
        await command(dataDir, 'backup', file);
        const done = performance.now();
        took.push(done - begun);
        await delay(AFTERWARDS_MS);
        const folder = folderWith(dataDir, ['master.key', 'erasures.jsonl']);
        const moments: Moments = { begun, done, journal: performance.now() };
        const lives = lived.map(life => ({ ...life }));
        const since = lives.filter(
          one => one.enrolled < begun && one.left > done && one.left < moments.journal,
        );
        erasedSince += since.length;
        await command(folder, 'restore', file);
        // Of a deletion that is under way the line may or may not be there: nothing is said of those.
        const settled = lives.filter(one => one.left < moments.journal || one.leaving > moments.journal);
        const wrong = wrongIn(databaseFile(folder), settled, moments);
        if (round % STARTED_EVERY === 0 || round === rounds)
          signIns += await signInAt(folder, context, lives, moments, wrong);
        if (wrong.length === 0) whole += 1;
        faults.push(...wrong.map(line => `round ${round}: ${line}`));

        const bare = folderWith(dataDir, ['master.key']);
        await command(bare, 'restore', file, '--accept-gap');
        const without = wrongIn(databaseFile(bare), lives, moments);
        if (without.some(line => line.includes('is there again'))) backAgain += 1;
        say(`round ${round}: ${lives.length} lives, ${since.length} erased since, ${wrong.length} wrong`);
      }
    } finally {
      await load.stop();
      await program.end('SIGTERM');
    }
    return [
      figure('restores that are whole', `${rounds}`, `${whole} ${faults[0] ?? ''}`, whole === rounds),
      some('users erased between backup and restore', erasedSince),
      none(
        'of them there again',
        faults.filter(line => line.includes('there again')),
      ),
      some('rounds in which they are back when the journal is left out, else nothing is tried', backAgain),
      some('sign-ins on restored folders', signIns),
      none(
        'requests that a backup made fail',
        context.findings.all().map(({ text }) => text),
      ),
      told('longest backup, process and all', `${Math.round(Math.max(...took))} ms`),
    ];
  },
};

async function signInAt(
  dataDir: string,
  { app, people, faces }: Context,
  lives: readonly Lived[],
  { begun, journal }: Moments,
  wrong: string[],
): Promise<number> {
  const again = await startProgram({ dataDir });
  try {
    const known = lives.filter(life => life.enrolled < begun && life.leaving > journal).slice(-5);
    for (const { id } of known) {
      const person = people.find(one => one.id === id);
      if (!person) throw new Error(`${id} is nobody`);
      const descriptors = [enrolledProbe(faces, person, 0)];
      const answer = await match({ base: again.base } as Running, app, { descriptors });
      if (answer.json.user?.id !== id) wrong.push(`${id} does not sign in: ${answer.text}`);
    }
    return known.length;
  } finally {
    await again.end('SIGTERM');
  }
}

function folderWith(from: string, files: readonly string[]): string {
  const folder = tempFolder();
  for (const file of files) copyFileSync(join(from, file), join(folder, file));
  return folder;
}
