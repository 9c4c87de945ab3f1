/** `operator` and `team`: people of the portal from the command line, which can always let somebody in. */
import * as assert from 'uvu/assert';
import { addOperator } from '../support/operator.ts';
import { newDataDir, within } from '../support/process.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: operators');
const PORTAL_URL = 'https://portal.example';
const run = serviceFor(test, { env: { PORTAL_URL } });

async function ok(...args: string[]) {
  const { code, json, stderr } = await run.cli(args);
  assert.is(code, 0, `${args.join(' ')}: ${stderr}`);
  return json;
}

async function refused(code: number, message: RegExp, ...args: string[]) {
  const ran = await run.cli(args);
  assert.match(ran.stderr, message, args.join(' '));
  assert.is(ran.code, code, args.join(' '));
}

test('an empty installation has no operators, and a person is told what to type', async () => {
  assert.equal(await ok('operator', 'list'), { operators: [] });
});

test('link: its address, token, purpose and end; without --admin it says that it makes no admin', async () => {
  const { code, json, stderr } = await run.cli(['operator', 'link']);
  assert.is(code, 0, stderr);
  assert.match(stderr, /has no admin, and this link makes none: use --admin/);
  const { url, token, purpose, expires_at, ...rest } = json.link;
  assert.equal(rest, {});
  assert.match(token, /^[\w-]{43}$/);
  assert.is(url, `${PORTAL_URL}/link#${token}`);
  assert.is(purpose, 'new_operator');
  assert.is(Date.parse(expires_at) - run.clock.now(), 30 * 60_000);
  const admin = await run.cli(['operator', 'link', 'ada@example.com', '--admin']);
  assert.equal([admin.code, admin.stderr, admin.json.link.purpose], [0, '', 'new_operator']);
});

test('disable and enable: at once, by the address in any case; the last admin stays', async () => {
  const settings = { DATA_DIR: run.dataDir };
  const id = await addOperator(settings, 'ben@example.com');
  await addOperator(settings, 'cleo@example.com', true);
  const { operator } = await ok('operator', 'disable', 'BEN@example.com');
  assert.equal([operator.id, operator.is_admin], [id, false]);
  assert.ok(operator.disabled_at);
  const listed = (await ok('operator', 'list')).operators.find((each: { id: string }) => each.id === id);
  assert.equal([listed.disabled_at, listed.sessions, listed.passkeys], [operator.disabled_at, 0, 0]);
  await refused(1, /This operator is disabled/, 'operator', 'link', 'ben@example.com');
  assert.is((await ok('operator', 'enable', 'ben@example.com')).operator.disabled_at, null);
  const { link } = await ok('operator', 'link', 'ben@example.com');
  assert.is(link.purpose, 'sign_in');
  await refused(1, /This is the last admin/, 'operator', 'disable', 'cleo@example.com');
  await refused(
    1,
    new RegExp(
      `is no admin: ${id}, Test <ben@example.com>, since .*, invited by command line, address never`,
    ),
    ...['operator', 'link', 'ben@example.com', '--admin'],
  );
  await refused(2, /--promote goes with --admin/, 'operator', 'link', 'ben@example.com', '--promote');
  const promoted = await ok('operator', 'link', 'ben@example.com', '--admin', '--promote');
  assert.equal(
    [promoted.operator.id, promoted.operator.is_admin, promoted.operator.invited_by],
    [id, true, 'command line'],
  );
  assert.ok((await ok('operator', 'disable', 'cleo@example.com')).operator.disabled_at);
  const { entries } = await ok('audit', '--action', 'operator.disable');
  assert.equal(
    entries.map(({ outcome }: { outcome: string }) => outcome),
    ['ok', 'last_admin', 'ok'],
  );
  assert.is((await ok('audit', '--operator', 'ben@example.com')).entries.at(-1).action, 'link.new_operator');
});

test('team create and list', async () => {
  const { team } = await ok('team', 'create', '--name', 'Shop');
  assert.match(team.id, /^team_[0-9A-Za-z]{24}$/);
  const { teams } = await ok('team', 'list');
  assert.equal(
    teams.map(({ name, members, apps }: Record<string, unknown>) => [name, members, apps]),
    [
      ['Operators', 0, 0],
      ['Shop', 0, 0],
    ],
  );
});

test('a link needs to know where the portal is', async () => {
  const DATA_DIR = newDataDir();
  const ran = await within(['operator', 'link'], { DATA_DIR, PORTAL_PORT: '0' });
  assert.is(ran.code, 1);
});

test('every link, team and change by command is in the audit log, refused ones too', async () => {
  const { entries } = await ok('audit');
  const actions = entries.map(({ action }: { action: string }) => action);
  assert.equal(
    [actions[0], actions.at(-1), actions.at(-2)],
    ['team.create', 'operator.link', 'operator.link'],
  );
  for (const { actor, actor_id } of entries.filter(({ ip }: { ip: string | null }) => ip === null)) {
    assert.match(actor, /^command line \(.+\)$/);
    assert.is(actor_id, null);
  }
  assert.is((await ok('audit', '--action', 'team.create')).entries.length, 1);
  assert.is((await ok('audit', '--limit', '2')).entries.length, 2);
  assert.is((await ok('audit', '--until', '2020-01-01')).entries.length, 0);
});

test.run();
