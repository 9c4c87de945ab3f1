/**
 * Whoever knows a file's passphrase can write one. Each of these opens to its end and says of an app what the API would
 * never have stored: it is refused with the number of the line and the field, and nothing of it stays. What is a matter of the
 * operator's, plan and first-party, is shown and not taken over.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Json } from '../support/client.ts';
import { assertRefused, type Env, json, madeDataDir, text, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, counts, fileOf, folderWith, newFile, read, withPass } from './given.ts';

const test = suite('transfer: limits');
const HOUR = 3_600_000;
let lines: Json[];
let target: Env & { DATA_DIR: string };
let before: unknown;

test.before(async () => {
  const settings = await folderWith(3);
  const file = newFile();
  await json(['app', 'export', APP, file, '--events'], withPass(settings), within);
  lines = await read(file);
  target = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Here before'], target, within);
  before = counts(target.DATA_DIR);
});

const at = (type: string) => lines.findIndex(line => line.type === type);
const id = (prefix: 'usr' | 'tpl') => newId(systemRandom(), prefix);

/** The same app with one line changed. */
const changed = (type: string, change: object): Json[] =>
  lines.map((line, i) => (i === at(type) ? { ...line, ...change } : line));

/** The same app with more lines of a type, counted where they are counted; templates behind those of their user. */
function withMore(type: 'user' | 'template', more: readonly Json[], from = lines): Json[] {
  const own = from.findLastIndex(line => line.type === type && line.user_id === more[0]?.user_id);
  const last = own >= 0 ? own : from.findLastIndex(line => line.type === type);
  const what = `${type}s`;
  const all = [...from.slice(0, last + 1), ...more, ...from.slice(last + 1)];
  return all.map(line =>
    line.type === 'app' || line.type === 'end' ? { ...line, [what]: line[what] + more.length } : line,
  );
}

function templatesOf(user: Json, howMany: number, origin: string): Json[] {
  const one = lines[at('template')];
  return Array.from({ length: howMany }, () => ({
    ...one,
    id: id('tpl'),
    user_id: user.id,
    mode: user.mode,
    origin,
  }));
}

/** The last template of a user behind all others. */
function apart(user: Json): Json[] {
  const all = withMore('template', templatesOf(user, 1, 'enrolled'));
  const [moved] = all.splice(
    all.findLastIndex(line => line.user_id === user.id && line.type === 'template'),
    1,
  );
  return all.toSpliced(all.findLastIndex(({ type }) => type === 'template') + 1, 0, moved as Json);
}

function people(howMany: number, mode: string): Json[] {
  const one = lines[at('user')];
  return Array.from({ length: howMany }, (_, i) => ({
    ...one,
    id: id('usr'),
    mode,
    email: `more${i}@mail.example`,
  }));
}

async function refused(content: readonly object[], line: RegExp, what: string): Promise<void> {
  const file = await fileOf(content);
  for (const more of [[], ['--check']]) {
    const ran = await within(['app', 'import', file, ...more], withPass(target));
    assertRefused(ran, 1, line, what);
    assert.is(ran.stdout, '', `${what}: nothing is said to come in`);
  }
  assert.equal(counts(target.DATA_DIR), before, what);
}

test('more templates than a user can have, or learned ones alone, are refused', async () => {
  const user = lines[at('user')];
  for (const [what, content, line] of [
    [
      '60 enrolled',
      withMore('template', templatesOf(user, 60, 'enrolled')),
      /line \d+ .*\(template\) origin: a user has at most 5 enrolled/,
    ],
    [
      '6 enrolled',
      withMore('template', templatesOf(user, 4, 'enrolled')),
      /\(template\) origin: a user has at most 5 enrolled/,
    ],
    [
      '11 in all',
      withMore('template', templatesOf(user, 9, 'learned')),
      /\(template\) user_id: a user has at most 10 templates/,
    ],
    [
      'an enrolment in two parts',
      apart(user),
      /\(template\) user_id: enrolled templates of a user must follow each other/,
    ],
    [
      'learned alone',
      lines.map(line =>
        line.type === 'template' && line.user_id === user.id ? { ...line, origin: 'learned' } : line,
      ),
      /line 2 of the file \(user\) id: has learned templates, but no enrolled one/,
    ],
  ] as [string, Json[], RegExp][])
    await refused(content, line, what);
});

test('more test users than an app can have are refused', async () => {
  const more = people(98, 'test');
  const templates = more.flatMap(user => templatesOf(user, 1, 'enrolled'));
  const content = withMore('template', templates, withMore('user', more));
  await refused(content, /\(user\) mode: an app has at most 100 test users/, '101 test users');
});

test('times that cannot be are refused, for every line that has one', async () => {
  const ahead = new Date(Date.now() + HOUR).toISOString();
  for (const [type, field] of [
    ['app', 'created_at'],
    ['user', 'created_at'],
    ['user', 'last_sign_in_at'],
    ['template', 'created_at'],
    ['event', 'at'],
  ] as const)
    for (const [moment, rule] of [
      ['9999-12-31T23:59:59.999Z', /must not be in the future/],
      [ahead, /must not be in the future/],
      ['1969-12-31T23:59:59.999Z', /must not be before/],
      ['2026-02-30T00:00:00.000Z', /must be a time/],
    ] as const)
      await refused(
        changed(type, { [field]: moment }),
        new RegExp(`line ${at(type) + 1} of the file \\(${type}\\) ${field}: ${rule.source}`),
        `${type} ${field} ${moment}`,
      );
  const { consent } = lines[at('user')];
  await refused(
    changed('user', { consent: { ...consent, accepted_at: ahead } }),
    /\(user\) consent\.accepted_at: must not be in the future/,
    'consent',
  );
  await refused(
    changed('usage', { month: '9999-12' }),
    /\(usage\) month: must not be in the future/,
    'a month to come',
  );
});

test('what the API would not have stored is refused by its field', async () => {
  const { consent } = lines[at('user')];
  const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);
  const one = Buffer.alloc(512);
  one.writeFloatLE(1.00001, 0);
  for (const [type, change, line] of [
    ['app', { name: 'a\nb' }, /line 1 of the file \(app\) name: must be 1 to 100/],
    ['app', { name: '' }, /\(app\) name: must be 1 to 100/],
    [
      'app',
      { allowed_origins: ['https://a.example', 'https://a.example/'] },
      /\(app\) allowed_origins\[1\]: .*not a plain origin/,
    ],
    ['user', { consent: null }, /\(user\) consent: is required/],
    ['user', { consent: { ...consent, policy_version: '' } }, /consent\.policy_version: must have 1 to 100/],
    [
      'user',
      { consent: { ...consent, policy_version: 'a\0' } },
      /consent\.policy_version: .*without U\+0000/,
    ],
    [
      'user',
      { consent: { ...consent, policy_version: 'x'.repeat(101) } },
      /consent\.policy_version: must have 1 to 100/,
    ],
    ['user', { consent: { ...consent, ip: 'x' } }, /consent\.ip: must be an IP address/],
    [
      'user',
      { consent: { ...consent, user_agent: 'x'.repeat(513) } },
      /consent\.user_agent: must have at most 512/,
    ],
    ['user', { consent: { ...consent, user_agent: 'a\u001b[2J' } }, /consent\.user_agent: must contain only/],
    ['user', { name: 'x'.repeat(201) }, /\(user\) name: must have at most 200/],
    ['user', { email_verified: 1 }, /\(user\) email_verified: must be true or false/],
    ['template', { descriptor: one.toString('base64') }, /\(template\) descriptor: must have norm 1/],
    ['usage', { auths: 1e13 }, /\(usage\) auths: must be at most/],
    ['usage', { auths: 0, enrolls: 1 }, /\(usage\) auths: must be at least all enrolls and matches/],
    ['event', { event: 'user_promoted' }, /\(event\) event: must be a type of event/],
    ['event', { liveness: deep }, /\(event\) liveness: must be an object/],
    ['event', { liveness: { score: 2 } }, /\(event\) liveness\.score: must be from 0 to 1/],
    [
      'event',
      { liveness: { checks: Array(17).fill('x') } },
      /\(event\) liveness\.checks: must have at most 16/,
    ],
    ['event', { ip: 'fe80::1%eth0' }, /\(event\) ip: must be an IP address/],
  ] as [string, object, RegExp][])
    await refused(changed(type, change), line, `${type} ${JSON.stringify(change).slice(0, 60)}`);
  await refused(
    [...lines.slice(0, 1), { type: 'key', hash: 'x' }, ...lines.slice(1)],
    /line 2 .* an unknown type/,
    'a key',
  );
});

test('plan and first-party of a file are shown, and only the operator gives them', async () => {
  const file = await fileOf(changed('app', { plan: 'unlimited', first_party: true, name: 'Shop of theirs' }));
  const shown = await text(['app', 'import', file, '--check'], withPass(target));
  for (const line of [
    /^app +app_transfer/m,
    /^name +Shop of theirs$/m,
    /^origins +https:\/\/app-transfer/m,
    /^first-party +no \(the file says yes: use --first-party for that\)$/m,
    /^plan +free \(the file says unlimited: use --plan unlimited for that\)$/m,
    /^live +3 users, 6 templates$/m,
    /^test +3 users, 6 templates$/m,
    /^keys +none/m,
  ])
    assert.match(shown, line);
  const taken = await json(['app', 'import', file], withPass(target), within);
  assert.equal(
    [taken.plan, taken.first_party, taken.in_file.plan, taken.in_file.first_party],
    ['free', false, 'unlimited', true],
  );
  const { app } = await json(['app', 'show', APP], target, within);
  assert.equal([app.plan, app.first_party, app.name], ['free', false, 'Shop of theirs']);

  await json(['app', 'delete', APP, '--yes'], target, within);
  const wanted = ['app', 'import', file, '--as-new', '--plan', 'standard', '--first-party'];
  const other = { DATA_DIR: await madeDataDir() };
  assertRefused(
    await within(['app', 'import', file, '--plan', 'gold'], withPass(other)),
    2,
    /--plan "gold" is not a plan/,
  );
  const given = await json(wanted, withPass(other), within);
  const { app: there } = await json(['app', 'show', given.app], other, within);
  assert.equal([there.plan, there.first_party], ['standard', true]);
});

test('what comes in is shown before any of it is written', async () => {
  const fresh = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Here before'], fresh, within);
  const file = await fileOf(lines);
  const shown: unknown[] = [];
  const { openUpkeep } = await import('../../src/service/upkeep.ts');
  const { loadConfig } = await import('../../src/config.ts');
  await openUpkeep(loadConfig(fresh)).importApp({
    file,
    passphrase: String(withPass(fresh).EXPORT_PASSPHRASE),
    checkOnly: false,
    asNew: false,
    plan: null,
    firstParty: false,
    onChecked: ({ name }) => shown.push(name, counts(fresh.DATA_DIR).apps),
  });
  assert.equal(shown, [lines[0].name, 1]);
  assert.is(counts(fresh.DATA_DIR).apps, 2);
  assert.ok(readFileSync(join(fresh.DATA_DIR, 'face-sign-in.db')).length > 0);
});

test.run();
