/**
 * Moving an app under adverse conditions: killed before each thing that reaches the disk an import leaves nothing that can
 * be seen, an export leaves nothing that is to be read and beside writes is one state, and neither takes more memory for a larger app.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { DYING, databaseOf } from '../cli/sealed-folder.ts';
import { openedIn } from '../support/data-keys.ts';
import { assertRefused, cli, type Env, json, madeDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import {
  APP,
  CHEAP,
  counts,
  fileOf,
  folderWith,
  inStoreOf,
  manyLines,
  newFile,
  person,
  read,
  rowsOf,
  withPass,
} from './given.ts';

const test = suite('transfer: killed and beside writes');

test('killed before any step of an import, nothing of the app is to be seen, and the next run brings it whole', async () => {
  const settings = await folderWith(45);
  const file = newFile();
  await json(['app', 'export', APP, file], withPass(settings), within);
  const wanted = await contentsOf(settings.DATA_DIR);
  const target = { DATA_DIR: await madeDataDir() };
  const states = await statesOf(target.DATA_DIR, ['app', 'import', file], withPass(target));
  assert.equal(await contentsOf(target.DATA_DIR), wanted);
  const killed = { DATA_DIR: await madeDataDir() };
  const inTheMiddle = { ...withPass(killed), KILL_AT: String(Math.ceil(states.length / 2)) };
  assert.is((await cli(['app', 'import', file], inTheMiddle, DYING)).signal, 'SIGKILL');
  let begun = 0;
  for (const DATA_DIR of [killed.DATA_DIR, ...states]) {
    const left = { DATA_DIR };
    const { apps } = await json(['app', 'list'], left, within);
    const isWhole = apps.length === 1;
    if (!isWhole) {
      const isBegun = counts(DATA_DIR).apps === 1;
      begun += Number(isBegun);
      const { stdout } = await within(['doctor'], left);
      assert.is(/an import is running or was interrupted/.test(stdout), isBegun, DATA_DIR);
      assertRefused(
        await within(['key', 'create', '--app', APP, '--type', 'secret', '--mode', 'live'], left),
        1,
        /there is no app/,
      );
      await json(['app', 'import', file], withPass(left), within);
    }
    assert.equal(await contentsOf(DATA_DIR), wanted, DATA_DIR);
  }
  assert.ok(states.length >= 5 && begun >= 3, `${states.length} steps, ${begun} with something left`);
});

/** The folder as a kill would leave it, before each step of a command that runs to its end. */
async function statesOf(folder: string, command: readonly string[], settings: Env): Promise<string[]> {
  const to = tempFolder();
  const env = { ...settings, STATES_OF: folder, STATES_TO: to };
  const ran = await cli(command, env, { entry: [...CHEAP, ...DYING.entry] });
  assert.is(ran.code, 0, ran.stderr);
  const states = readdirSync(to).sort((a, b) => Number(a) - Number(b));
  return states.map(state => join(to, state));
}

async function contentsOf(dataDir: string) {
  return { rows: rowsOf(dataDir), descriptors: await descriptorsOf(dataDir) };
}

async function descriptorsOf(dataDir: string): Promise<string[]> {
  return inStoreOf(dataDir, async store => {
    const { added } = await store.galleryChanges({ appId: APP, mode: 'live' }, 0, 1_000_000);
    return [[...added.sequences].join(), Buffer.from(added.vectors.buffer).toString('base64')];
  });
}

test('killed before any step of an export, it leaves no export, and nothing that is to be read without the passphrase', async () => {
  const settings = await folderWith(2);
  const database = new Database(databaseOf(settings.DATA_DIR), { readonly: true });
  const ids = database.prepare('SELECT id FROM users').pluck().all() as string[];
  database.close();
  assert.is(ids.length, 4);
  ids.push(...openedIn(settings.DATA_DIR, 'users').map(({ email }) => email));
  const file = newFile();
  const folder = dirname(file);
  const states = await statesOf(folder, ['app', 'export', APP, file], withPass(settings));
  assert.equal(readdirSync(folder), [basename(file)]);
  assert.ok(states.length > 5, `${states.length} steps`);
  for (const state of states)
    for (const name of readdirSync(state)) {
      const left = readFileSync(join(state, name));
      assert.not.ok(
        ids.some(id => left.includes(id)),
        `${state}: ${name}`,
      );
      if (name === basename(file))
        assert.ok((await read(join(state, name))).length > 2, 'whole or not at all');
    }
});

test('written while others write, it is one state', async () => {
  const settings = await folderWith(20);
  let going = true;
  let stored = 0;
  const writing = inStoreOf(settings.DATA_DIR, async store => {
    while (going) {
      const { user } = await person(store, 'live', 3);
      if (++stored % 3 === 0)
        await store.deleteUsers([{ gallery: { appId: APP, mode: 'live' }, id: user.id }], Date.now());
    }
  });
  for (let i = 0; i < 3; i++) {
    const file = newFile();
    await json(['app', 'export', APP, file], withPass(settings));
    const lines = await read(file);
    const per = new Map<string, number>();
    for (const { type, id, user_id, consent } of lines) {
      if (type === 'user') {
        assert.ok(consent);
        per.set(id, 0);
      } else if (type === 'template') per.set(user_id, (per.get(user_id) ?? Number.NaN) + 1);
    }
    assert.ok(
      [...per.values()].every(count => count === 2 || count === 3),
      'every user has all templates, or is not there',
    );
    const target = { DATA_DIR: await madeDataDir() };
    assert.is((await json(['app', 'import', file], withPass(target), within)).users, per.size);
  }
  going = false;
  await writing;
  assert.ok(stored > 20);
});

test('memory does not grow with the app', async () => {
  const peak = async (count: number) => {
    const lines = manyLines(count);
    const file = await fileOf(lines);
    const target = { DATA_DIR: await madeDataDir() };
    const entry = [
      ...CHEAP,
      '--import',
      `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`,
      join(import.meta.dirname, '../../src/main.ts'),
    ];
    const of = async (args: string[]) => {
      const ran = await cli(args, withPass(target), { entry });
      assert.is(ran.code, 0, ran.stderr);
      return Number(/peak (\d+)/.exec(ran.stderr)?.[1]) / 1024;
    };
    return [await of(['app', 'import', file]), await of(['app', 'export', APP, newFile()])];
  };
  const [small, large] = [await peak(100), await peak(20_000)];
  // The engine's caches fill, up to 32 MB each; the file alone has 22.
  for (const i of [0, 1] as const)
    assert.ok((large[i] as number) - (small[i] as number) < 80, `${small[i]} MB and ${large[i]} MB`);
});

test.run();
