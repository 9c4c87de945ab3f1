/**
 * For every route of the internal API: without a whole session of somebody who may, the request is refused and nothing
 * is changed. Made from the table of routes.
 */
import * as assert from 'uvu/assert';
import { PORTAL_HEADER_NAME } from '../../../src/brand.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { assertError, type Headers } from '../../support/client.ts';
import { ask, credentials, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { wellFormed } from './requests.ts';
import { setupFor, stateOf } from './setup.ts';

const test = suite('internal: refused');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const setup = setupFor(test, operators);

let owner: Session;
let stranger: Session;
let ended: Session;
let disabled: Session;
test.before(async () => {
  owner = await operators.create({ teams: { [setup.own.team]: 'owner' }, isAdmin: true });
  stranger = await operators.create({ teams: { [setup.other.team]: 'owner' } });
  ended = await operators.create({ isAdmin: true });
  assert.is((await ask(run, 'DELETE', '/session', { as: ended })).status, 204);
  disabled = await operators.create({ isAdmin: true });
  await operators.admin.deps.store.updateOperator(disabled.id, { disabledAt: run.clock.now() });
});

const guarded = OPERATIONS.filter(({ needs }) => needs.who !== 'anybody');
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const SESSIONS: readonly [string, () => Headers][] = [
  ['no session', () => ({})],
  ['the cookie alone', () => ({ cookie: credentials(owner).cookie as string })],
  ['the header alone', () => ({ [PORTAL_HEADER_NAME]: owner.secret })],
  ['the header of somebody else', () => ({ ...credentials(owner), [PORTAL_HEADER_NAME]: stranger.secret })],
  [
    'cookie and header exchanged',
    () => credentials({ ...owner, cookie: owner.secret, secret: owner.cookie }),
  ],
  ['a session that was ended', () => credentials(ended)],
  ['a disabled operator', () => credentials(disabled)],
];

for (const route of guarded) {
  test(`${nameOf(route)} wants a whole session`, async () => {
    const { path, json } = wellFormed(route, setup.own);
    const before = stateOf(run);
    for (const [what, headers] of SESSIONS) {
      const answer = await ask(run, route.method, path, { json, headers: headers() });
      assertError(answer, 'unauthorized', what);
    }
    assert.is(stateOf(run), before);
  });
}

for (const route of guarded.filter(({ path }) => /:(?:team|app)\b/.test(path))) {
  test(`${nameOf(route)} knows nothing of another team`, async () => {
    const { path, json } = wellFormed(route, setup.own);
    const before = stateOf(run);
    assertError(await ask(run, route.method, path, { json, as: stranger }), 'not_found');
    assert.is(stateOf(run), before);
  });
}

const WRONG: readonly [string, Headers, string][] = [
  ['a foreign Host', { host: 'evil.example' }, 'origin_not_allowed'],
  ['another name of this machine', { host: '127.0.0.1' }, 'origin_not_allowed'],
  ['a foreign Origin', { origin: 'https://evil.example' }, 'origin_not_allowed'],
  ['an Origin of another port', { origin: 'http://localhost:1' }, 'origin_not_allowed'],
  ['an opaque Origin', { origin: 'null' }, 'origin_not_allowed'],
  ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }, 'origin_not_allowed'],
  ['a page of another port', { 'sec-fetch-site': 'same-site' }, 'origin_not_allowed'],
  ['the address bar', { 'sec-fetch-site': 'none' }, 'origin_not_allowed'],
];

for (const route of OPERATIONS) {
  test(`${nameOf(route)} answers only pages of the portal, and only JSON`, async () => {
    const { path, json } = wellFormed(route, setup.own);
    const before = stateOf(run);
    for (const [what, headers, code] of WRONG) {
      const answer = await ask(run, route.method, path, { json, as: owner, headers });
      assertError(answer, code, what);
    }
    const raw = JSON.stringify(json ?? {});
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await ask(run, route.method, path, { raw, type, as: owner });
      assertError(answer, 'unsupported_media_type', type);
    }
    assert.is(stateOf(run), before);
  });
}

const ODD: readonly unknown[] = [null, [], {}, 1e99, true, 'x'.repeat(5_000), 'a\u0000b', ['x']];

for (const route of OPERATIONS.filter(({ body }) => body)) {
  test(`${nameOf(route)} names what is wrong with a body, and changes nothing`, async () => {
    const { path, json = {} } = wellFormed(route, setup.own);
    const before = stateOf(run);
    // A body that is no object, or is missing, is never taken for one without fields.
    for (const raw of ['', '{', '[]', 'null', '"x"', '1']) {
      const answer = await ask(run, route.method, path, { raw, type: 'application/json', as: owner });
      assert.ok([400, 404].includes(answer.status), `${raw}: ${answer.status} ${answer.text}`);
    }
    for (const field of Object.keys(json))
      for (const odd of ODD) {
        const sent = { ...json, [field]: odd };
        const answer = await ask(run, route.method, path, { json: sent, as: owner });
        assert.ok(answer.status < 500, `${field} ${JSON.stringify(odd)?.slice(0, 20)}: ${answer.text}`);
        if (answer.status < 300) assert.is(odd, null, `${field} was taken: ${JSON.stringify(odd)}`);
      }
    assert.is(stateOf(run), before);
  });
}

test('nothing is changed by GET, and other methods of a path are named', async () => {
  const before = stateOf(run);
  for (const route of OPERATIONS.filter(({ method }) => method !== 'GET')) {
    if (OPERATIONS.some(({ method, path }) => method === 'GET' && path === route.path)) continue;
    const { path } = wellFormed(route, setup.own);
    const answer = await ask(run, 'GET', path, { as: owner });
    // A path such as `users/{user}` may take this for an id.
    if (answer.status === 404) continue;
    assertError(answer, 'method_not_allowed', nameOf(route));
    assert.ok(String(answer.headers.allow).includes(route.method), nameOf(route));
  }
  assert.is(stateOf(run), before);
});

test('an Origin and a Sec-Fetch-Site of the portal itself are accepted', async () => {
  const headers = { origin: run.portal, 'sec-fetch-site': 'same-origin' };
  assert.is((await ask(run, 'GET', '/session', { as: owner, headers })).status, 200);
});

test('there are no CORS headers for a preflight either', async () => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': PORTAL_HEADER_NAME,
  };
  const answer = await ask(run, 'OPTIONS', '/session', { headers });
  assertError(answer, 'origin_not_allowed');
  assert.ok(!Object.keys(answer.headers).some(name => name.startsWith('access-control')));
});

test.run();
