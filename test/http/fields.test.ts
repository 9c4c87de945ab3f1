/** Every field by itself: a wrong one is 400 invalid_request, named by its path, its value never repeated; nothing is used up. */
import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  browser,
  call,
  challenges,
  consent,
  faces,
  type Json,
  usage,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('fields');
const run = serviceFor(test);

const CANARY = 'canary';
const NUMBER = 424242.5;
type Place = 'enroll' | 'match' | 'both';
type Change = [where: Place, path: string, what: string, change: (json: Json) => void];

const keysOf = (path: string) => path.split(/[.[\]]+/).filter(Boolean);
const get = (json: Json, path: string) => keysOf(path).reduce((at, key) => at?.[key], json);
const set = (path: string, value: unknown) => (json: Json) => {
  const keys = keysOf(path);
  let at = json;
  for (const key of keys.slice(0, -1)) at = at[key];
  at[keys.at(-1) ?? ''] = value;
};
const wrong = (where: Place, path: string, ...values: unknown[]): Change[] =>
  values.map(value => [where, path, JSON.stringify(value)?.slice(0, 40) ?? 'undefined', set(path, value)]);
const vector = (change: Record<number, unknown> = {}, fill = 0.25) =>
  Array.from({ length: 128 }, (_, index) => (index in change ? change[index] : fill));
const pair = (count: number) => Array.from({ length: count }, () => vector());

const cases: Change[] = [
  ...wrong('both', 'challenge_id', undefined, null, NUMBER, true, {}, [], [CANARY]),
  ...wrong('both', 'descriptors', undefined, null, CANARY, NUMBER, true, {}, { 0: vector(), length: 1 }, []),
  ['enroll', 'descriptors', 'six', set('descriptors', pair(6))],
  ['match', 'descriptors', 'four', set('descriptors', pair(4))],
  ...wrong('both', 'descriptors[0]', null, CANARY, NUMBER, {}, true),
  ...wrong('both', 'descriptors[1]', [], vector().slice(1), [...vector(), 0.5], [vector()], vector().fill(0)),
  ['both', 'descriptors[1]', 'a norm below 1e-6', set('descriptors[1]', vector({ 3: 9.9e-7 }, 0))],
  ['both', 'descriptors[1]', 'a norm that underflows', set('descriptors[1]', vector({}, 1e-170))],
  ['both', 'descriptors[1]', 'denormals', set('descriptors[1]', vector({}, 5e-324))],
  ...[null, CANARY, '1', true, [], [0.5], {}].map(
    value =>
      ['both', 'descriptors[1][127]', JSON.stringify(value), set('descriptors[1][127]', value)] as Change,
  ),
  ...wrong('both', 'descriptors[0][0]', null, CANARY),
  ...wrong('both', 'liveness', null, CANARY, NUMBER, true, [], [CANARY]),
  ...wrong('both', 'liveness.score', null, CANARY, '0.5', true, [], {}, -0.001, 1.001, NUMBER, -1),
  ...wrong('both', 'liveness.checks', null, CANARY, NUMBER, {}, Array(17).fill('ok')),
  ...wrong('both', 'liveness.checks[1]', null, NUMBER, '', 'c'.repeat(65), [CANARY], {}, true),
  ...wrong('enroll', 'email', undefined, null, NUMBER, true, [], {}, ['a@example.com']),
  ...wrong(
    'enroll',
    'email',
    '',
    '  ',
    CANARY,
    `${CANARY}@`,
    '@example.com',
    `${CANARY}@example`,
    'a@b@c.example',
  ),
  ...wrong(
    'enroll',
    'email',
    'a b@example.com',
    'a@exa mple.com',
    'a@.example.com',
    'a@example..com',
    'a@example.com.',
  ),
  ...wrong(
    'enroll',
    'email',
    'a@-example.com',
    'a@example-.com',
    `a@${'d'.repeat(64)}.com`,
    'a@exa_mple.com',
  ),
  ...wrong(
    'enroll',
    'email',
    'a@b.com, c@d.com',
    'a@b.com;c@d.com',
    '<a@example.com>',
    'Ada <a@example.com>',
  ),
  ...wrong(
    'enroll',
    'email',
    'a@b.com\r\nBcc: c@d.com',
    'a@b.com\u0000',
    'ä@example.com',
    'a@exämple.com',
    'a@[127.0.0.1]',
  ),
  ...wrong('enroll', 'email', `a@${'a-'.repeat(120)}`, `${'.'.repeat(250)}@`, `a@${'a.'.repeat(125)}`),
  ...wrong('enroll', 'email', '"ada"@example.com', 'mailto:a@example.com', 'a@example.com\u2028x'),
  ['enroll', 'email', '255 characters', set('email', `${'a'.repeat(243)}@example.com`)],
  ...wrong('enroll', 'name', null, NUMBER, true, [], {}, [CANARY]),
  ...wrong(
    'enroll',
    'name',
    `${CANARY}\u0000`,
    `${CANARY}\nb`,
    `a\t${CANARY}`,
    `${CANARY}\u001b[1m`,
    `${CANARY}\u007fb`,
  ),
  ...wrong(
    'enroll',
    'name',
    `${CANARY}\u0085b`,
    `${CANARY}\ud800`,
    `\udc00${CANARY}`,
    `${CANARY}\udc00\ud800b`,
  ),
  ['enroll', 'name', '201 letters', set('name', 'n'.repeat(201))],
  ['enroll', 'name', '201 emoji', set('name', '💥'.repeat(201))],
];

async function given(
  app: Parameters<typeof browser>[0],
  challenge_id: string,
  route: 'enroll' | 'match',
): Promise<Json> {
  const json = {
    challenge_id,
    descriptors: [faces.genuine(0), faces.genuine(0, 1)],
    liveness: { score: 0.5, checks: ['blink', 'turn'] },
  };
  const more = { email: `someone@${app.id.slice(4, 20)}.example.com`, name: 'Ada', consent };
  return structuredClone(route === 'enroll' ? { ...json, ...more } : json);
}

for (const [where, path, what, change] of cases) {
  test(`${path} (${where}): ${what}`, async () => {
    for (const route of where === 'both' ? (['enroll', 'match'] as const) : [where]) {
      const app = await run.createApp();
      const [id = ''] = await challenges(run, app, 1);
      const json = await given(app, id, route);
      change(json);
      const answer = await call(run, 'POST', `/v1/${route}`, { headers: browser(app), json });
      assertError(answer, 'invalid_request', route);
      const { message } = answer.json.error;
      const named = message.replaceAll(path, '§');
      assert.match(named, /(^|[^\w.\]])§(?![\w.[])/, `${path} is not what this names: ${message}`);
      const value = get(json, path);
      assertLacks(answer, [
        CANARY,
        String(NUMBER),
        ...(typeof value === 'string' && value.length > 2 ? [value] : []),
      ]);
      assert.equal(usage(run, app), { auths: 0, enrolls: 0, matches_ok: 0, matches_failed: 0 });
      const good = await call(run, 'POST', '/v1/match', {
        headers: browser(app),
        json: await given(app, id, 'match'),
      });
      assertError(good, 'no_match', 'the challenge is still good, and nobody was enrolled');
    }
  });
}

const unwritable: [string, (good: string) => string][] = [
  ['1e400', good => good.replace(/\[\[[^,]+/, '[[1e400')],
  ['-1e400', good => good.replace(/\[\[[^,]+/, '[[-1e400')],
];
for (const [name, change] of unwritable) {
  test(`a descriptor with ${name} is not finite`, async () => {
    const app = await run.createApp();
    for (const route of ['enroll', 'match'] as const) {
      const [id = ''] = await challenges(run, app, 1);
      const raw = change(JSON.stringify(await given(app, id, route)));
      const answer = await call(run, 'POST', `/v1/${route}`, { headers: browser(app), raw });
      assertError(answer, 'invalid_request');
      assert.match(answer.json.error.message, /descriptors\[0\]\[0\](?![\w.[])/);
      assertLacks(answer, ['1e400', 'infinity']);
    }
  });
}

const longEmail = `${'a'.repeat(242)}@example.com`;
const right: [string, unknown, Json?][] = [
  ['email', longEmail, longEmail],
  [
    'email',
    "o'hara+tag.x!#$%&*/=?^_`{|}~-@mail.example-host.co",
    "o'hara+tag.x!#$%&*/=?^_`{|}~-@mail.example-host.co",
  ],
  ['email', '  Upper.Case@EXAMPLE.com\t', 'Upper.Case@EXAMPLE.com'],
  ['email', `a@${'d'.repeat(63)}.com`, `a@${'d'.repeat(63)}.com`],
  ['email', '.dots..anywhere.@1.2', '.dots..anywhere.@1.2'],
  ['name', '👩‍👩‍👧', '👩‍👩‍👧'],
  ['name', undefined, ''],
  ['name', '', ''],
  ['name', '   ', ''],
  ['name', '  Zoë  van der Ünïcode ', 'Zoë  van der Ünïcode'],
  ['name', 'n'.repeat(200), 'n'.repeat(200)],
  ['name', '💥'.repeat(200), '💥'.repeat(200)],
  ['name', '<script>"\'&', '<script>"\'&'],
  ['liveness', undefined],
  ['liveness', {}],
  ['liveness', { score: 0 }],
  ['liveness', { score: 1, checks: [] }],
  ['liveness', { checks: Array(16).fill('c'.repeat(64)), extra: { more: 1 } }],
  ['descriptors', [vector({ 3: 1.1e-6 }, 0)]],
  ['descriptors', [vector({}, 1e155)]],
  ['descriptors', [vector({}, -1.7e308)]],
  ['descriptors', [vector({ 0: 1e300 }, -0)]],
  ['descriptors', [vector({ 0: 1, 1: 5e-324 }, 0)]],
  ['descriptors', [vector({}, 7)]],
];
for (const [field, value, kept] of right) {
  test(`${field} ${JSON.stringify(value)?.slice(0, 50)} is accepted`, async () => {
    const app = await run.createApp();
    const [id = ''] = await challenges(run, app, 1);
    const json = { ...(await given(app, id, 'enroll')), [field]: value };
    const answer = await call(run, 'POST', '/v1/enroll', { headers: browser(app), json });
    assert.is(answer.status, 201, answer.text);
    if (kept !== undefined) assert.is(answer.json.user[field], kept);
    if (field === 'email' || field === 'name') return;
    const [again = ''] = await challenges(run, app, 1);
    const probe = { ...(await given(app, again, 'match')), [field]: value };
    const found = await call(run, 'POST', '/v1/match', { headers: browser(app), json: probe });
    assert.is(found.status, 200, found.text);
    assert.is(found.json.user.id, answer.json.user.id);
  });
}

test.run();
