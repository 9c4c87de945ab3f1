/**
 * The description and the service decide alike on every request: what the schema of a body or parameter accepts, the
 * service accepts, and what it refuses, the service refuses. The few places where JSON Schema cannot say it are listed.
 */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import { browser, call, enrolled, type Headers, type Json, server } from '../support/client.ts';
import { document, faultsOf, resolved } from '../support/openapi.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('openapi-requests');
let token: string;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  token = (await enrolled(run, app)).token;
});

const vector = (length = 128, fill = 0.25) => Array(length).fill(fill);

/** A good value of a schema: its first example, else the least that it accepts. */
function exampleOf(schema: Json): Json {
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.type === 'string') return 'x';
  if (schema.type === 'number') return 0.5;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array')
    return Array(schema.minContains ?? schema.minItems ?? 1).fill(exampleOf(schema.items));
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries<Json>(schema.properties).map(([name, one]) => [name, exampleOf(one)]),
    );
  throw new Error(`no example is known of ${JSON.stringify(schema)}`);
}

/** A good body for each route that takes one, with every field. Its challenge is none: only form matters here. */
const GOOD: Record<string, Json> = Object.fromEntries(
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method, { requestBody }]) => [
        `${method.toUpperCase()} ${path}`,
        exampleOf(resolved(requestBody.content['application/json'].schema)),
      ]),
  ),
);

const ABSENT = Symbol('absent');
const OTHERS = [ABSENT, null, true, false, 7, -1, 0.5, '', 'x', [], ['x'], {}];
const letters = (count: number) => 'x'.repeat(count);
const domain = (count: number) => `${letters(count)}.example`;

/** Further values for a field of this name, on the edges of its rules. */
const EDGES: Record<string, unknown[]> = {
  email: [
    `${letters(242)}@example.com`,
    `${letters(243)}@example.com`,
    'a@b',
    'a b@c.example',
    'a@b@c.example',
    'Ada <a@b.example>',
    'a..b.@c.example',
    `a@${domain(63)}`,
    `a@${domain(64)}`,
    'a@-b.example',
    'ä@b.example',
    "o'hara+x.!#$%&*/=?^_`{|}~-@b.example",
  ],
  name: [
    letters(200),
    letters(201),
    '💥'.repeat(200),
    '💥'.repeat(201),
    'a\u0000',
    'a\nb',
    'a\u007f',
    'a\u0085b',
    'a b',
  ],
  code: ['12345', '1234567', '12345a', '１２３４５６', 123456],
  descriptors: [1, 2, 3, 4, 5, 6].map(count => Array(count).fill(vector())),
  'descriptors.0': [
    vector(127),
    vector(129),
    vector(128, 1e300),
    [...vector(127), null],
    [...vector(127), '1'],
  ],
  score: [0, 1, -0.001, 1.001],
  checks: [Array(16).fill('x'), Array(17).fill('x'), [letters(64)], [letters(65)], ['💥'.repeat(64)]],
  policy_version: [letters(100), letters(101), '💥'.repeat(100), '💥'.repeat(101)],
};
EDGES.new_email = EDGES.email as unknown[];

/** Paths of all that a body holds; of long lists only the first item. */
function pathsIn(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? ['0'] : Object.keys(value);
  return [...(path.length > 0 ? [path] : []), ...keys.flatMap(key => pathsIn(value[key], [...path, key]))];
}

function changed(good: Json, path: string[], value: unknown): Json {
  const body = structuredClone(good);
  let at = body;
  for (const key of path.slice(0, -1)) at = at[key];
  const last = path.at(-1) as string;
  if (value !== ABSENT) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return body;
}

function headersFor(name: string): Headers {
  const guard = ROUTES.find(({ method, path }) => `${method} ${path}` === name)?.guard.name;
  if (guard === 'publishable') return browser(app);
  return guard === 'secret' ? server(app) : { authorization: `Bearer ${token}` };
}

async function serviceAccepts(name: string, json: Json): Promise<boolean> {
  const [method = '', path = ''] = name.split(' ');
  const answer = await call(run, method, path, { headers: headersFor(name), json });
  assert.is.not(answer.status, 401, answer.text);
  assert.ok(answer.status < 500, answer.text);
  return !['invalid_request', 'consent_required'].includes(answer.json?.error?.code);
}

function schemaAccepts(name: string, json: Json): boolean {
  const [method = '', path = ''] = name.split(' ');
  const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
  return faultsOf(place, json).length === 0;
}

test('every route with a body has a good one here', () => {
  const names = ROUTES.filter(({ schema }) => schema.body).map(({ method, path }) => `${method} ${path}`);
  assert.equal(Object.keys(GOOD).sort(), names.sort());
});

for (const [name, good] of Object.entries(GOOD)) {
  test(`${name}: a good body, and every change of a field`, async () => {
    assert.ok(schemaAccepts(name, good), 'by the description');
    assert.ok(await serviceAccepts(name, good), 'by the service');
    assert.ok(schemaAccepts(name, { ...good, app_id: 'app_x', extra: {} }), 'unknown fields are ignored');
    let [accepted, refused] = [0, 0];
    for (const path of pathsIn(good)) {
      const edges = EDGES[path.join('.')] ?? EDGES[path.at(-1) as string] ?? [];
      for (const value of [...OTHERS, ...edges]) {
        const json = changed(good, path, value);
        const what = `${path.join('.')} = ${value === ABSENT ? 'absent' : JSON.stringify(value).slice(0, 80)}`;
        const byService = await serviceAccepts(name, json);
        assert.is(
          schemaAccepts(name, json),
          byService,
          `${what}: the service ${byService ? 'accepts' : 'refuses'} it`,
        );
        if (byService) accepted++;
        else refused++;
      }
    }
    assert.ok(refused > 5, `${accepted} accepted, ${refused} refused`);
  });
}

const enrollWith = (fields: object) => ({ ...GOOD['POST /v1/enroll'], ...fields });
const unequal: [string, Json, boolean][] = [
  ['white space around an address is removed', enrollWith({ email: ' someone@example.com\t' }), true],
  ['white space around a long name is removed', enrollWith({ name: ` ${letters(200)} ` }), true],
  ['white space around a name may be a control character', enrollWith({ name: '\tAda' }), true],
  ['a name needs well-formed Unicode', enrollWith({ name: 'a\ud800' }), false],
  ['a descriptor needs a direction', enrollWith({ descriptors: [vector(128, 0)] }), false],
  ['a body is nested at most 8 deep', enrollWith({ extra: [[[[[[[[]]]]]]]] }), false],
];
for (const [what, json, accepted] of unequal) {
  test(`what the description cannot say: ${what}`, async () => {
    const name = 'POST /v1/enroll';
    assert.is(await serviceAccepts(name, json), accepted);
    assert.is(schemaAccepts(name, json), !accepted, 'it can by now: move it to the table of edges');
  });
}

const PARAMETERS: Record<string, Record<string, { good?: string[]; bad: string[] }>> = {
  '/v1/users': {
    limit: {
      good: ['1', '7', '50', '99', '100'],
      bad: ['0', '101', '-1', '1.5', 'x', '', '1e1', '999999'],
    },
    cursor: { bad: [''] },
  },
  '/v1/usage': {
    month: {
      good: ['2026-03', '1999-12', '0000-01'],
      bad: ['2026-3', '2026-13', '2026-00', '2026', '26-03', '2026-03-01', ''],
    },
  },
  '/v1/events': {
    after: { good: ['0', '1', '999999999999999'], bad: ['-1', '0.5', 'x', '', '1000000000000000'] },
    limit: { good: ['1', '100'], bad: ['0', '101', ''] },
    types: {
      good: ['user.deleted', 'user.signed_in,user.deleted'],
      bad: ['', 'user', 'user.deleted,', ',user.deleted', 'userxdeleted', 'webhook.test'],
    },
    wait: { good: ['0', '1', '25'], bad: ['26', '-1', '0.5', ''] },
  },
  '/v1/revocations': { after: { bad: [''] }, wait: { good: ['0', '25'], bad: ['26', ''] } },
};
const queries = Object.entries(PARAMETERS).flatMap(([path, parameters]) =>
  Object.entries(parameters).flatMap(([name, { good = [], bad }]) => [
    ...good.map(text => [path, name, text, true] as const),
    ...bad.map(text => [path, name, text, false] as const),
  ]),
);
for (const [path, name, text, accepted] of queries) {
  test(`GET ${path}?${name}=${text} is ${accepted ? 'accepted' : 'refused'}`, async () => {
    const { parameters } = document.paths[path].get;
    const index = parameters.findIndex((one: Json) => one.name === name);
    const numeric = parameters[index].schema.type === 'integer' && String(Number(text)) === text;
    const place = ['paths', path, 'get', 'parameters', String(index), 'schema'];
    assert.is(faultsOf(place, numeric ? Number(text) : text).length === 0, accepted, 'by the description');
    const answer = await call(run, 'GET', `${path}?${name}=${text}`, { headers: server(app) });
    assert.is(answer.status, accepted ? 200 : 400, answer.text);
  });
}

test('a page has as many users as the description says, unless told', async () => {
  const limit = document.paths['/v1/users'].get.parameters.find((one: Json) => one.name === 'limit');
  assert.equal(limit.schema, { type: 'integer', minimum: 1, maximum: 100, default: 50 });
});

test.run();
