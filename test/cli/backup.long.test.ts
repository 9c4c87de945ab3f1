/** Backups beside a running server, and what may come back from them: nothing that was erased, used or signed out. */
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import {
  assertError,
  browser,
  call,
  challenges,
  enrolled,
  faces,
  type Json,
  match,
  server as secretKey,
  verify,
} from '../support/client.ts';
import { byCode } from '../support/codes.ts';
import { getMe } from '../support/me.ts';
import {
  assertLike,
  type Env,
  json,
  newDataDir,
  type Server,
  serve,
  tempFolder,
  text,
  within,
} from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: backup and restore');
const first = { DATA_DIR: newDataDir(), LIMIT_IP_PER_MINUTE: '0', BASE_URL: 'https://face.example' };
let service: Server;
let run: Running;
let shop: TestApp;
let bank: TestApp;

test.before(async () => {
  service = await serve(first);
  run = { base: service.base } as Running;
  [shop, bank] = [await newApp(first, 'Shop'), await newApp(first, 'Bank')];
});
test.after(() => service?.stop());

const person = (n: number) => ({
  descriptors: [faces.genuine(n)],
  fields: { email: `person${n}@mail.example` },
});
const newBackup = () => join(tempFolder(), 'backup.db');

async function backUp(settings: Env = first): Promise<string> {
  const file = newBackup();
  assertLike(await json(['backup', file], settings), { file, bytes: statSync(file).size });
  return file;
}

/** A folder with the master secret alone. */
function folderFor(secretOf = first.DATA_DIR): Env & { DATA_DIR: string } {
  const DATA_DIR = tempFolder();
  copyFileSync(join(secretOf, 'master.key'), join(DATA_DIR, 'master.key'));
  return { ...first, DATA_DIR };
}

async function restored(
  file: string,
  more: readonly string[] = [],
  settings = folderFor(),
): Promise<typeof settings> {
  const isKnown = more.includes('--erasures') || existsSync(join(settings.DATA_DIR, 'erasures.jsonl'));
  const gap = isKnown ? [] : ['--accept-gap'];
  assertLike(await json(['restore', file, ...more, ...gap], settings), { restored: true });
  return settings;
}

async function during<Answer>(settings: Env, task: (again: Running) => Promise<Answer>): Promise<Answer> {
  const again = await serve(settings);
  try {
    return await task({ base: again.base } as Running);
  } finally {
    await again.stop();
  }
}

const usage = async (at: Running) => (await call(at, 'GET', '/v1/usage', { headers: secretKey(shop) })).json;

const userStatus = async (at: Running, user: Json) =>
  (await call(at, 'GET', `/v1/users/${user.id}`, { headers: secretKey(shop) })).status;

test('a backup is for its owner alone, holds no master secret and says so', async () => {
  const file = newBackup();
  assert.match(await text(['backup', file], first), /does not contain the master secret/);
  assert.is(statSync(file).mode & 0o777, 0o600);
  // Also where somebody has put a file there that others can read.
  const open = newBackup();
  writeFileSync(`${open}.part-${process.pid}`, '', { mode: 0o644 });
  await json(['backup', open], first, within);
  assert.is(statSync(open).mode & 0o777, 0o600);
  assert.not(readFileSync(file).includes(readFileSync(join(first.DATA_DIR, 'master.key'), 'utf8').trim()));
  const database = new Database(file, { readonly: true });
  assert.is(database.pragma('integrity_check', { simple: true }), 'ok');
  database.close();
});

test('users sign in again after a restore; tokens, challenges and windows of before do not count', async () => {
  const { user, token } = await enrolled(run, shop, person(0));
  const counted = await usage(run);
  const [waiting = ''] = await challenges(run, shop, 1);
  const settings = await restored(await backUp());
  await during(settings, async again => {
    assert.equal((await verify(again, shop, token)).json, { valid: false, reason: 'revoked' });
    assertError(await getMe(again, token), 'token_revoked');
    assertError(await match(again, shop, { ...person(0), challengeId: waiting }), 'challenge_invalid');
    const signedIn = (await match(again, shop, person(0))).json;
    assert.is(signedIn.user?.id, user.id);
    assert.is((await verify(again, shop, signedIn.token)).json.valid, true, 'a new token counts at once');
    assert.is((await usage(again)).enrolls, counted.enrolls, 'counts stay');
  });
  const database = new Database(join(settings.DATA_DIR, 'face-sign-in.db'), { readonly: true });
  // But for the one that the sign-in after it has opened.
  const windows = database.prepare("SELECT COUNT(*) FROM windows WHERE key NOT LIKE 'matches:%'");
  assert.is(windows.pluck().get(), 0);
  database.close();
  assert.is((await verify(run, shop, token)).json.valid, true, 'the server that runs is not touched');
});

test('a first verification is known after a restore; one that the backup lacks comes again, and ends what was before', async () => {
  const mode = 'test';
  const [ana, ben] = [
    await enrolled(run, shop, { ...person(5), mode }),
    await enrolled(run, shop, { ...person(6), mode }),
  ];
  const isFirst = async (at: Running, { user }: Json) =>
    (await byCode(at, shop, user.email, mode)).first_verification === true;
  assert.is(await isFirst(run, ana), true);
  const file = await backUp();
  assert.is(await isFirst(run, ben), true);
  await during(await restored(file), async again => {
    for (const { token } of [ana, ben])
      assert.equal((await verify(again, shop, token, mode)).json, { valid: false, reason: 'revoked' });
    assert.is(await isFirst(again, ana), false);
    const since = (await match(again, shop, { ...person(6), mode })).json.token;
    assert.is((await verify(again, shop, since, mode)).json.valid, true);
    assert.is(await isFirst(again, ben), true);
    assertError(await getMe(again, since), 'token_revoked');
  });
});

test('users and apps erased since the backup are erased again, by the journal of the folder', async () => {
  const [gone, kept] = [
    (await enrolled(run, shop, person(1))).user,
    (await enrolled(run, shop, person(2))).user,
  ];
  await enrolled(run, bank, person(3));
  const file = await backUp();
  await call(run, 'DELETE', `/v1/users/${gone.id}`, { headers: secretKey(shop) });
  await json(['app', 'delete', bank.id, '--yes'], first);
  const settings = folderFor();
  const journal = join(settings.DATA_DIR, 'erasures.jsonl');
  copyFileSync(join(first.DATA_DIR, 'erasures.jsonl'), journal);
  const noted = readFileSync(journal, 'utf8');
  await restored(file, [], settings);
  assert.is(readFileSync(journal, 'utf8'), noted, 'nothing is noted anew');
  const bytes = readFileSync(join(settings.DATA_DIR, 'face-sign-in.db')).toString('latin1');
  for (const marker of [gone.id, 'person1@mail.example', 'person3@mail.example', 'Bank'])
    assert.not(bytes.includes(marker), marker);
  await during(settings, async again => {
    assert.equal([await userStatus(again, gone), await userStatus(again, kept)], [404, 200]);
    assertError(await match(again, shop, person(1)), 'no_match');
    assert.is((await call(again, 'POST', '/v1/challenges', { headers: browser(bank) })).status, 401);
  });
});

test('a journal, or a later backup, is given with --erasures and passed on to the new folder', async () => {
  const gone = (await enrolled(run, shop, person(4))).user;
  const file = await backUp();
  await call(run, 'DELETE', `/v1/users/${gone.id}`, { headers: secretKey(shop) });
  const later = await backUp();
  for (const source of [join(first.DATA_DIR, 'erasures.jsonl'), later]) {
    const settings = await restored(file, ['--erasures', source]);
    assert.is(await during(settings, again => userStatus(again, gone)), 404, source);
    // The new folder's journal alone is enough the next time.
    const third = folderFor();
    copyFileSync(join(settings.DATA_DIR, 'erasures.jsonl'), join(third.DATA_DIR, 'erasures.jsonl'));
    await restored(file, [], third);
    assert.is(await during(third, again => userStatus(again, gone)), 404, 'from the journal passed on');
  }
  const without = await restored(file);
  assert.is(await during(without, again => userStatus(again, gone)), 200, 'found before it is missed');
});

test.run();
