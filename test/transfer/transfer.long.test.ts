/**
 * An app moves from one deployment to another, each with a master secret of its own: people sign in there by the faces of
 * before, as the users they were. Written while others write, it is one state; killed on its way in, it is not there.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { DYING } from '../cli/sealed-folder.ts';
import { newApp } from '../cli/test-app.ts';
import {
  browser,
  call,
  enrolled,
  faces,
  type Json,
  match,
  planFile,
  server as secretKey,
} from '../support/client.ts';
import { NO_LIMITS } from '../support/no-limits.ts';
import { addOperator } from '../support/operator.ts';
import {
  assertRefused,
  cli,
  json,
  madeDataDir,
  newDataDir,
  serve,
  tempFolder,
  within,
} from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { APP, counts, folderWith, newFile, PASSPHRASE, read, rowsOf, withPass } from './given.ts';

const test = suite('transfer');
const OPEN = NO_LIMITS;

async function keysFor(settings: Record<string, string>, app: TestApp, id: string): Promise<TestApp> {
  const key = async (type: string, mode: string) =>
    (await json(['key', 'create', '--app', id, '--type', type, '--mode', mode], settings, within)).key;
  const pair = async (mode: string) => ({
    pk: await key('publishable', mode),
    sk: await key('secret', mode),
  });
  return { ...app, id, live: await pair('live'), test: await pair('test') };
}

test('from one server to another: the same people sign in, as the same users', async () => {
  const [here, there] = [
    { DATA_DIR: newDataDir(), ...OPEN },
    { DATA_DIR: newDataDir(), ...OPEN },
  ];
  const [first, second] = [await serve(here), await serve(there)];
  const run = { base: first.base } as Running;
  const shop = await newApp(here, 'Shop');
  const users = new Map<number, string>();
  const inQuestion = 'whose.face@example.com';
  for (let i = 0; i < 12; i++) {
    const mode = i % 3 === 0 ? 'test' : 'live';
    const { user, token } = await enrolled(run, shop, {
      mode,
      ...(i === 3 && { fields: { email: inQuestion } }),
      descriptors: [faces.genuine(i), faces.genuine(i, 2)],
    });
    users.set(i, user.id);
    if (i !== 4) continue;
    const { challenge_id } = (
      await call(run, 'POST', '/v1/challenges', {
        headers: { 'x-svc-key': shop.live.pk, origin: shop.origin },
      })
    ).json;
    const sent = {
      headers: { authorization: `Bearer ${token}`, origin: shop.origin },
      json: { challenge_id, descriptors: [faces.genuine(i, 3)] },
    };
    assert.is((await call(run, 'POST', '/v1/me/templates', sent)).status, 201);
  }
  await call(run, 'DELETE', `/v1/users/${users.get(1)}`, { headers: secretKey(shop) });
  users.delete(1);
  const headers = browser(shop, 'test');
  for (const [path, more] of [
    ['/v1/email-codes', {}],
    ['/v1/email-codes/verify', { code: '000000', asks_owner: true }],
  ] as const)
    assert.ok(
      (await call(run, 'POST', path, { headers, json: { email: inQuestion, ...more } })).status < 300,
    );
  const file = newFile();
  const exported = await json(['app', 'export', shop.id, file, '--events'], withPass(here));
  assert.equal(Object.keys(exported), [
    'file',
    'bytes',
    'users',
    'templates',
    'usage',
    'events',
    'unreadable',
    'altered',
  ]);
  assert.equal(
    [exported.file, exported.bytes, exported.users, exported.templates],
    [file, statSync(file).size, 11, 23],
  );
  assert.is(statSync(file).mode & 0o777, 0o600);
  // 2^17 KB for each guess at the passphrase: the program itself, with nothing made cheap.
  assert.match(readFileSync(file, 'latin1').slice(0, 60), /^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/);
  await first.stop();

  const check = await json(['app', 'import', file, '--check'], withPass(there));
  assert.equal(
    [check.users, check.templates, check.checked_only, counts(there.DATA_DIR).users],
    [11, 23, true, 0],
  );
  const imported = await json(['app', 'import', file], withPass(there));
  assert.equal(imported, {
    app: shop.id,
    users: 11,
    templates: 23,
    usage: exported.usage,
    events: exported.events,
    skipped_erased: 0,
    checked_only: false,
    name: 'Shop',
    allowed_origins: [shop.origin],
    plan: 'free',
    first_party: false,
    in_file: {
      plan: 'standard',
      first_party: false,
      modes: { live: { users: 7, templates: 15 }, test: { users: 4, templates: 8 } },
    },
  });
  assert.equal(rowsOf(there.DATA_DIR, shop.id), rowsOf(here.DATA_DIR, shop.id));
  assert.ok(rowsOf(there.DATA_DIR, shop.id).users.some((one: Json) => one.email_verified === 2));
  assert.ok(rowsOf(there.DATA_DIR, shop.id).templates.some((one: Json) => one.origin === 'learned'));
  const again = { base: second.base } as Running;
  const moved = await keysFor(there, shop, shop.id);
  for (const [i, id] of users) {
    const answer = await match(again, moved, {
      mode: i % 3 === 0 ? 'test' : 'live',
      descriptors: [faces.genuine(i, 5)],
    });
    assert.equal([answer.status, answer.json.user?.id], [200, id], `person ${i}: ${answer.text}`);
  }
  assert.is(
    (await match(again, moved, { descriptors: [faces.genuine(1, 5)] })).status,
    401,
    'who was deleted',
  );
  await enrolled(again, moved, { descriptors: [faces.genuine(77)] });

  // Back again, after one of them was erased there: the app of before is in the way, and who was erased stays so.
  await call(again, 'DELETE', `/v1/users/${users.get(2)}`, { headers: secretKey(moved) });
  assertRefused(
    await cli(['app', 'import', file], withPass(there)),
    1,
    /already exists here: first delete it/,
  );
  assertRefused(
    await cli(['app', 'import', file, '--as-new'], withPass(there)),
    1,
    /usr_\w+ from the file already exists here/,
  );
  await json(['app', 'delete', shop.id, '--yes'], there, within);
  assertRefused(await cli(['app', 'import', file], withPass(there)), 1, /was erased here with all its users/);
  const anew = await json(['app', 'import', file, '--as-new'], withPass(there));
  assert.is.not(anew.app, shop.id);
  assert.equal([anew.users, anew.templates, anew.skipped_erased], [10, 21, 1]);
  assert.not(rowsOf(there.DATA_DIR, anew.app).users.some((one: Json) => one.id === users.get(2)));
  await second.stop();
});

test('the file opens as any age file does, and holds the lines in their order, without operators', async () => {
  const settings = await folderWith(60);
  await addOperator(settings, 'operator@mail.example', true);
  const file = newFile();
  const { users, templates } = await json(['app', 'export', APP, file], withPass(settings), within);
  const lines = await read(file);
  const ofType = (type: string) => lines.filter(line => line.type === type);
  assert.equal([ofType('user').length, ofType('template').length], [users, templates]);
  assert.equal([lines[0].type, lines.at(-1).type, ofType('event').length], ['app', 'end', 0]);
  const types = new Set(lines.map(({ type }) => type));
  assert.equal([...types].sort(), ['app', 'end', 'template', 'usage', 'user']);
  assert.not.match(JSON.stringify(lines), /operator@mail|opr_|team_/);
  const first = Buffer.from(ofType('template')[0].descriptor, 'base64');
  const numbers = Array.from({ length: 128 }, (_, i) => first.readFloatLE(4 * i));
  assert.ok(Math.abs(Math.hypot(...numbers) - 1) < 1e-6);
});

test('no file is overwritten, and none is left by a failure', async () => {
  const settings = await folderWith(1);
  const file = newFile();
  writeFileSync(file, 'precious');
  const refused = async (args: string[], line: RegExp, env = withPass(settings), code = 1) =>
    assertRefused(await within(['app', 'export', ...args], env), code, line, args.join(' '));
  await refused([APP, file], /already exists/);
  await refused(['app_unknown', newFile()], /there is no app "app_unknown"/);
  await refused([APP, '/nowhere/x'], /cannot write \/nowhere\/x/);
  await refused([APP, newFile()], /a passphrase is required: .*EXPORT_PASSPHRASE/, settings, 2);
  await refused([APP, newFile()], /at least 12 characters/, { ...settings, EXPORT_PASSPHRASE: 'short' }, 2);
  await refused([APP, newFile(), '--passphrase-file', file], /not both/, withPass(settings), 2);
  await refused([APP, newFile(), '--passphrase-file', '/nowhere/p'], /cannot be read/, settings, 2);
  const folder = dirname(newFile());
  await refused(['app_unknown', join(folder, 'x')], /there is no app/);
  assert.equal(readdirSync(folder), []);
  const killed = newFile();
  const ran = await cli(['app', 'export', APP, killed], { ...withPass(settings), KILL_AT: '2' }, DYING);
  assert.is(ran.signal, 'SIGKILL');
  assert.not.ok(existsSync(killed));
  const secret = join(tempFolder(), 'passphrase');
  writeFileSync(secret, `${PASSPHRASE}\n`);
  const good = newFile();
  await json(['app', 'export', APP, good, '--passphrase-file', secret], settings, within);
  assert.ok((await read(good)).length > 2);
});

test('a plan that is not known where the app comes to does not come along', async () => {
  const plans = planFile({ gold: 5 });
  const here = { DATA_DIR: await madeDataDir(), PLANS_FILE: plans };
  const { app } = await json(['app', 'create', '--name', 'Gold', '--plan', 'gold'], here, within);
  const file = newFile();
  await json(['app', 'export', app.id, file], withPass(here), within);
  const there = { DATA_DIR: await madeDataDir() };
  const refused = await within(['app', 'import', file, '--plan', 'gold'], withPass(there));
  assertRefused(refused, 2, /--plan "gold" is not a plan: use one of free/);
  await json(['app', 'import', file], withPass(there), within);
  assert.is((await json(['app', 'show', app.id], there, within)).app.plan, 'free');
});

test.run();
