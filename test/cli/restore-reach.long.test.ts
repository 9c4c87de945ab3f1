/**
 * Who was erased is known for 400 days. A backup from before what is known would bring people back whom nobody can erase
 * again: it is refused, unless a journal reaches back to it or the operator accepts that.
 */
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { gapAfter } from '../../src/adapters/journal/erasure-reach.ts';
import { enrolled } from '../contract/fixtures.ts';
import { assertRefused, json, madeDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { inStore } from './sealed-folder.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: reach of erasures');
const DAY = 86_400_000;
const first = { DATA_DIR: await madeDataDir() };
let sample: string;

test.before(async () => {
  const { id } = await newApp(first, 'Shop');
  await inStore(first.DATA_DIR, store => enrolled(store, { gallery: { appId: id, mode: 'live' } }));
  sample = join(tempFolder(), 'sample.db');
  await json(['backup', sample], first, within);
});

/** A backup whose last moment is so many days ago. */
function backupOf(days: number): string {
  const file = join(tempFolder(), 'backup.db');
  copyFileSync(sample, file);
  const database = new Database(file);
  const at = Date.now() - days * DAY;
  database.exec(`UPDATE users SET created_at = ${at}; UPDATE auth_events SET at = ${at};
    UPDATE signing_keys SET created_at = ${at}; UPDATE jobs SET last_run = ${at};
    DELETE FROM meta WHERE name = 'known_time'`);
  database.close();
  return file;
}

/** A journal that reaches back so many days; null: to the beginning. */
function journalOf(
  reach: number | null,
  lines: readonly number[],
  file = join(tempFolder(), 'erasures.jsonl'),
): string {
  const time = (days: number) => new Date(Date.now() - days * DAY).toISOString();
  const all = [
    ...(reach === null ? [] : [{ reaches: time(reach) }]),
    ...lines.map((days, i) => ({ at: time(days), hash: `hash ${i}` })),
  ];
  writeFileSync(file, all.map(line => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function folder(reach?: number | null) {
  const DATA_DIR = tempFolder();
  copyFileSync(join(first.DATA_DIR, 'master.key'), join(DATA_DIR, 'master.key'));
  if (reach !== undefined) journalOf(reach, [1], join(DATA_DIR, 'erasures.jsonl'));
  return { DATA_DIR };
}

const REFUSED =
  /is from \d{4}-\d\d-\d\d, but erasures are known only from \d{4}-\d\d-\d\d on: .*--erasures.*--accept-gap/;

test('a backup from before what the journal knows is refused, and one from after it is not', async () => {
  const settings = folder(100);
  const before = readdirSync(settings.DATA_DIR);
  assertRefused(await within(['restore', backupOf(101)], settings), 1, REFUSED);
  assert.equal(readdirSync(settings.DATA_DIR), before);
  await json(['restore', backupOf(99)], settings, within);
  await json(['restore', backupOf(5_000)], folder(null), within);
});

/** What is at hand, and whether erasures since a backup of ten days ago may be missing afterwards. */
const AT_HAND: readonly [
  string,
  number | null | undefined,
  readonly string[],
  'refused' | 'unknown' | 'known',
][] = [
  ['nothing', undefined, [], 'refused'],
  ['nothing, and the gap is accepted', undefined, ['--accept-gap'], 'unknown'],
  ['the journal of the folder', null, [], 'known'],
  ['that of a database made later', 5, [], 'refused'],
  ['the same, and the gap is accepted', 5, ['--accept-gap'], 'unknown'],
  ['another journal', undefined, ['--erasures', journalOf(null, [8])], 'unknown'],
];

for (const [what, reach, options, outcome] of AT_HAND)
  test(`with ${what}, erasures since a backup are ${outcome}`, async () => {
    const settings = folder(reach);
    const file = join(settings.DATA_DIR, 'erasures.jsonl');
    const ran = await within(['restore', backupOf(10), ...options], settings);
    if (outcome === 'refused') {
      assertRefused(ran, 1, /erasures.* (since|only from) \d{4}-\d\d-\d\d.*--erasures.*--accept-gap/);
      return assert.equal(readdirSync(settings.DATA_DIR).includes('face-sign-in.db'), false);
    }
    assert.is(ran.code, 0, ran.stderr);
    assert.is(/Erasures since \d{4}.* are not known/.test(ran.stdout), outcome === 'unknown', ran.stdout);
    // A later restore from the same backup: what was not known then is not known now.
    await within(['app', 'list'], settings);
    const again = folder();
    copyFileSync(file, join(again.DATA_DIR, 'erasures.jsonl'));
    const isGap = options.includes('--accept-gap');
    assert.is((await within(['restore', backupOf(10)], again)).code, isGap ? 1 : 0);
  });

test('a database has a journal before anybody is erased, so that a lost one is noticed', async () => {
  const { DATA_DIR } = { DATA_DIR: await madeDataDir() };
  await within(['app', 'list'], { DATA_DIR });
  const backup = join(tempFolder(), 'none-erased.db');
  await json(['backup', backup], { DATA_DIR }, within);
  for (const end of ['', '-wal', '-shm']) rmSync(join(DATA_DIR, `face-sign-in.db${end}`), { force: true });
  await json(['restore', backup], { DATA_DIR }, within);
});

test('a journal or backup that reaches back closes the gap, where it reaches far enough forward', async () => {
  const restore = (settings: ReturnType<typeof folder>, erasures: string) =>
    within(['restore', backupOf(300), '--erasures', erasures], settings);
  assert.is((await restore(folder(100), journalOf(350, [200, 90]))).code, 0);
  assertRefused(await restore(folder(100), journalOf(350, [200])), 1, REFUSED);
  assertRefused(await restore(folder(100), journalOf(290, [200, 90])), 1, REFUSED);
  assert.is((await restore(folder(100), backupOf(50))).code, 0, 'a later backup knows all before it');
  assertRefused(await restore(folder(100), backupOf(150)), 1, REFUSED);
});

test('--accept-gap restores all the same', async () => {
  const settings = folder(100);
  await json(['restore', backupOf(200), '--accept-gap'], settings, within);
  assert.ok(existsSync(join(settings.DATA_DIR, 'face-sign-in.db')));
});

test('the job takes out what is older than 400 days, and restore knows', async () => {
  const settings = folder(null);
  const file = join(settings.DATA_DIR, 'erasures.jsonl');
  await json(['restore', backupOf(10)], settings, within);
  journalOf(null, [500, 401, 399, 1], file);
  assert.is((await json(['job', 'run', 'events'], settings, within)).affected >= 2, true);
  const again = folder();
  copyFileSync(file, join(again.DATA_DIR, 'erasures.jsonl'));
  assertRefused(await within(['restore', backupOf(402)], again), 1, REFUSED);
  await json(['restore', backupOf(398)], again, within);
});

test('gaps, by what each source knows', () => {
  const known = (from: number, until = Number.POSITIVE_INFINITY) => ({ from, until });
  assert.is(gapAfter(5, [known(5)]), null);
  assert.is(gapAfter(5, [known(6)]), 6);
  assert.is(gapAfter(5, [known(9), known(0, 9)]), null);
  assert.is(gapAfter(5, [known(10), known(0, 9)]), 10);
});

test.run();
