/** The encoder of an app's templates moves with the app. */
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { assertRefused, type Env, json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, fileOf, folderWith, inStoreOf, newFile, person, read, withPass } from './given.ts';

const test = suite('transfer: encoder');
const ENCODER = 'mobilefacenet-1 "own"';

const shown = async (settings: Env, app = APP) => {
  const of = (mode: string) =>
    json(['app', 'encoder', 'show', '--app', app, '--mode', mode], settings, within);
  return [(await of('live')).encoder, (await of('test')).encoder];
};

/** A folder with the app, whose live mode remembers the encoder, and its export. */
async function exported(): Promise<{ file: string; lines: Json[] }> {
  const here = await folderWith(2);
  await json(['app', 'encoder', 'set', '--app', APP, '--mode', 'live', '--encoder', ENCODER], here, within);
  await inStoreOf(here.DATA_DIR, store => person(store, 'live', 1, ENCODER));
  const file = newFile();
  await json(['app', 'export', APP, file], withPass(here), within);
  return { file, lines: await read(file) };
}

test('it is in the first line of the file, and arrives with the app, under a new id too', async () => {
  const { file, lines } = await exported();
  assert.equal(lines[0].encoders, { live: ENCODER, test: null });
  for (const more of [[], ['--as-new']]) {
    const there = { DATA_DIR: await madeDataDir() };
    const { app } = await json(['app', 'import', file, ...more], withPass(there), within);
    assert.equal(await shown(there, app), [ENCODER, null]);
    await inStoreOf(there.DATA_DIR, async store => {
      const gallery = { appId: app, mode: 'live' } as const;
      assert.is((await store.galleryState(gallery)).sequence, 5, 'templates are counted as ever');
    });
  }
});

test('an app without one comes in, and remembers none', async () => {
  const file = newFile();
  await json(['app', 'export', APP, file], withPass(await folderWith(1)), within);
  const there = { DATA_DIR: await madeDataDir() };
  await json(['app', 'import', file], withPass(there), within);
  assert.equal(await shown(there), [null, null]);
});

test('a name that no caller could send is refused, by its line and field', async () => {
  const { lines } = await exported();
  const [first, ...rest] = lines;
  for (const [encoders, field] of [
    [
      { live: 'canary\n', test: null },
      /line 1 of the file \(app\) encoders\.live: must be 1 to 100 printable/,
    ],
    [{ live: null, test: 'canary'.repeat(20) }, /encoders\.test: must be/],
    [{ live: 7, test: null }, /encoders\.live: must be a string/],
    ['canary', /encoders: must be an object/],
  ] as const) {
    const file = await fileOf([{ ...first, encoders }, ...rest]);
    const ran = await within(['app', 'import', file], withPass({ DATA_DIR: await madeDataDir() }));
    assertRefused(ran, 1, field);
    assert.not.match(ran.stderr, /canary/);
  }
});

test.run();
