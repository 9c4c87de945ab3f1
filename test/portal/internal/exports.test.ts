/** The list of users as a file: whole, harmless in a spreadsheet, limited, and written down. */
import * as assert from 'uvu/assert';
import { csvCell } from '../../../src/operations/people-files.ts';
import { HOUR } from '../../../src/protocol/limits.ts';
import { assertError, enrolled, faces, type Json } from '../../support/client.ts';
import { ask, operatorsFor } from '../../support/portal.ts';
import { appFor, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: exports');
const run = serviceFor(test, {
  env: { LIMIT_EXPORTS_PER_OPERATOR: '10', LIMIT_PEOPLE_PER_OPERATOR_DAY: '20' },
});
const operators = operatorsFor(test, run);
const app = appFor(test, run);
const FORMULAS = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://evil.example","x")'],
  ...['＝1+1', '＋1', '－1', '＠SUM(A1)'],
];

test.before(async () => {
  for (const [i, name] of FORMULAS.entries())
    await enrolled(run, app, {
      fields: { email: `person${i}@mail.example`, name },
      descriptors: [faces.genuine(i)],
    });
});

test('CSV has every user once, and no cell that a spreadsheet would run', async () => {
  const admin = await operators.create({ isAdmin: true });
  const answer = await ask(run, 'GET', `/apps/${app.id}/live/users.csv`, { as: admin });
  assert.is(answer.headers['content-type'], 'text/csv; charset=utf-8');
  assert.is(answer.headers['content-disposition'], `attachment; filename="users-${app.id}-live.csv"`);
  const lines = answer.text.split('\r\n');
  assert.is(lines.length, FORMULAS.length + 2);
  assert.is(lines[0], '\uFEFFid,email,name,email_verified,created_at,last_sign_in_at,template_count');
  for (const line of lines.slice(1)) assert.not.match(line, /(?:^|,)"?[=+\-@＝＋－＠]/);
});

const CELLS: readonly [string | number | boolean | null, string][] = [
  ['Ada', 'Ada'],
  ['Lovelace, "Ada"', '"Lovelace, ""Ada"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['\t=1', `"'\t=1"`],
  ['-1', `"'-1"`],
  ['＝1+1', `"'＝1+1"`],
  ['＋1', `"'＋1"`],
  ['－1', `"'－1"`],
  ['＠A1', `"'＠A1"`],
  ['\n=1', `"'\n=1"`],
  [1, '1'],
  [false, 'false'],
  [null, ''],
];
test('cells of CSV', () => {
  for (const [value, cell] of CELLS) assert.is(csvCell(value), cell);
});

test('JSONL has one user a line', async () => {
  const admin = await operators.create({ isAdmin: true });
  const answer = await ask(run, 'GET', `/apps/${app.id}/live/users.jsonl`, { as: admin });
  const names = answer.text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).name);
  assert.equal(names.sort(), [...FORMULAS].sort());
});

test('ten exports an hour and operator, each in the audit log, refused ones too', async () => {
  const admin = await operators.create({ isAdmin: true });
  const second = await operators.signIn(admin.id);
  const path = `/apps/${app.id}/live/users.csv`;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => ask(run, 'GET', path, { as: i % 2 ? admin : second })),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 10);
  assertError(answers.find(({ status }) => status !== 200) as (typeof answers)[number], 'rate_limited');
  const { entries } = (await ask(run, 'GET', `/audit?actor=${admin.id}&limit=100`, { as: admin })).json;
  const counts = (wanted: string) =>
    entries
      .filter(({ action, outcome }: Json) => action === 'people.export' && outcome === wanted)
      .map(({ count }: Json) => count);
  assert.equal(counts('ok'), Array(10).fill(1));
  assert.equal(counts('rate_limited'), [19, 1]);
  run.clock.advance(HOUR - 1);
  const fresh = await operators.signIn(admin.id);
  assert.is((await ask(run, 'GET', path, { as: fresh })).status, 429, 'another session');
  run.clock.advance(1);
  assert.is((await ask(run, 'GET', path, { as: fresh })).status, 200);
});

test('an operator lists, finds and opens so many people a day, in whichever session, and is shown none beyond', async () => {
  const of = await operators.create({ isAdmin: true });
  const users = `/apps/${app.id}/live/users`;
  const look = async (query: string) =>
    ask(run, 'GET', `${users}${query}`, { as: await operators.signIn(of.id) });
  const { json } = await look('?limit=9');
  assert.is(json.users.length, 9);
  assert.is((await look('?contains=nobody-at-all')).json.users.length, 0);
  assert.is((await look('?email=person0%40mail.example')).json.users.length, 1);
  assert.is((await look(`/${json.users[0].id}`)).status, 200);
  // 12 of 20: nine more are too many, eight are not.
  const refused = await look('?limit=9');
  assertError(refused, 'rate_limited');
  assert.ok(Number(refused.headers['retry-after']) > 3_600);
  assert.is((await look('?limit=8')).json.users.length, 8);
  for (const query of ['?limit=1', '?contains=a', '?email=person0%40mail.example', `/${json.users[1].id}`])
    assertError(await look(query), 'rate_limited');
  const other = await operators.create({ isAdmin: true });
  assert.is((await ask(run, 'GET', `${users}?limit=1`, { as: other })).status, 200);
  run.clock.advance(24 * HOUR);
  assert.is((await look('?limit=1')).status, 200);
});

test.run();
