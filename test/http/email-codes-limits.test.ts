/** What counts among the 10 code requests and 20 verifies of an address in 15 minutes. Exactness: windows.test.ts. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  browser,
  call,
  challenge,
  match,
  server,
  someEmail,
  tally,
} from '../support/client.ts';
import {
  CODES_PATH,
  freshCode,
  member,
  requestCode,
  signedIn,
  VERIFY_PATH,
  verifyCode,
} from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const test = suite('email-codes: limits');
const run = serviceFor(test, {
  env: { LIMIT_CODE_PER_IP: builtIn, LIMIT_VERIFY_PER_IP: builtIn, LIMIT_IP_PER_MINUTE: builtIn },
});

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const limited = (answer: Answer) => answer.json?.error?.code === 'rate_limited';

interface Route {
  name: string;
  path: string;
  most: number;
  /** A request that only the address's limit can refuse. */
  make: (app: TestApp, ip: string, mode?: 'live' | 'test') => Promise<Answer>;
}
const routes: [Route, Route] = [
  {
    name: 'code requests',
    path: CODES_PATH,
    most: 10,
    make: (app, ip, mode = 'live') => requestCode(run, app, someEmail(), { ip, mode }),
  },
  {
    name: 'verifies',
    path: VERIFY_PATH,
    most: 20,
    make: (app, ip, mode = 'live') => verifyCode(run, app, someEmail(), '123456', { ip, mode }),
  },
];
const fill = ({ make, most }: Route, app: TestApp, ip: string) => atOnce(most, () => make(app, ip));

for (const route of routes) {
  const { name, path, most, make } = route;

  test(`${name}: one budget over apps and modes, another for each address`, async () => {
    const [app, other, ip] = [await run.createApp(), await run.createApp(), address()];
    await fill(route, app, ip);
    assert.ok(limited(await make(other, ip)), 'another app');
    assert.ok(limited(await make(app, ip, 'test')), 'test mode');
    assert.not.ok(limited(await make(app, address())), 'another address');
  });

  const send = (app: TestApp, ip: string, more: object) =>
    call(run, 'POST', path, { headers: browser(app), ip, ...more });
  const wrongOrigin = (app: TestApp) => ({ headers: browser(app, 'live', 'https://other.example') });
  const counted: [string, boolean, (app: TestApp, ip: string) => Promise<Answer>][] = [
    ['a wrong field', true, (app, ip) => send(app, ip, { json: {} })],
    ['a broken body', true, (app, ip) => send(app, ip, { raw: '{' })],
    ['a wrong type', true, (app, ip) => send(app, ip, { raw: 'x', type: 'a/b' })],
    ['a long body', true, (app, ip) => send(app, ip, { raw: ' '.repeat(70_000) })],
    ['no key', false, (app, ip) => send(app, ip, { headers: { origin: app.origin } })],
    ['a wrong key', false, (app, ip) => send(app, ip, { headers: server(app) })],
    ['a wrong Origin', false, (app, ip) => send(app, ip, wrongOrigin(app))],
    ['a wrong method', false, (app, ip) => call(run, 'GET', path, { headers: browser(app), ip })],
    ['a trailing slash', false, (app, ip) => call(run, 'POST', `${path}/`, { headers: browser(app), ip })],
    ['a challenge', false, (app, ip) => call(run, 'POST', '/v1/challenges', { headers: browser(app), ip })],
    ['the other route', false, (app, ip) => routes[route === routes[0] ? 1 : 0].make(app, ip)],
  ];
  for (const [what, counts, odd] of counted) {
    test(`${what} ${counts ? 'counts' : 'does not count'} among ${name}`, async () => {
      const [app, ip] = [await run.createApp(), address()];
      for (let n = 0; n < 4; n++) assert.not.ok(limited(await odd(app, ip)));
      const answers = await atOnce(most + 2, () => make(app, ip));
      assert.is(answers.filter(limited).length, counts ? 6 : 2);
    });
  }

  test(`a full window of ${name} is reported after credential and Origin, before the body`, async () => {
    const [app, ip] = [await run.createApp(), address()];
    await fill(route, app, ip);
    assertError(await send(app, ip, { headers: { origin: app.origin } }), 'unauthorized');
    assertError(await send(app, ip, wrongOrigin(app)), 'origin_not_allowed');
    for (const more of [
      {},
      { raw: '{' },
      { raw: 'x', type: 'a/b' },
      { raw: ' '.repeat(70_000) },
      { json: {} },
    ])
      assertError(await send(app, ip, more), 'rate_limited', JSON.stringify(more).slice(0, 40));
  });
}

test('codes have no part in the budget of challenges, enroll and match', async () => {
  const [app, ip] = [await run.createApp(), address()];
  for (const route of routes) await fill(route, app, ip);
  const asks = () => call(run, 'POST', '/v1/challenges', { headers: browser(app), ip });
  assert.equal(tally(await atOnce(35, asks)), { 200: 30, '429 rate_limited': 5 });
  const [fresh, other] = [address(), await run.createApp()];
  await atOnce(30, () => call(run, 'POST', '/v1/challenges', { headers: browser(other), ip: fresh }));
  for (const { make } of routes) assert.not.ok(limited(await make(other, fresh)));
});

test('a code request that is one too many sends nothing and retires nothing', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const ip = address();
  const code = await freshCode(run, app, email, { ip });
  await atOnce(9, () => routes[0].make(app, ip));
  assertError(await requestCode(run, app, email, { ip }), 'rate_limited');
  assert.is(run.mails(email).length, 1);
  await signedIn(run, app, email, code, { ip });
});

test('both limits are settings, and 0 switches one off', async () => {
  await using on = await startService({ env: { LIMIT_CODE_PER_IP: '2', LIMIT_VERIFY_PER_IP: '0' } });
  const app = await on.createApp();
  const ip = address();
  const requests = await atOnce(5, () => requestCode(on, app, someEmail(), { ip }));
  assert.equal(tally(requests), { 202: 2, '429 rate_limited': 3 });
  const verifies = await atOnce(40, () => verifyCode(on, app, someEmail(), '123456', { ip }));
  assert.equal(tally(verifies), { '400 invalid_code': 40 });
  await challenge(on, app, 'live', ip);
  await member(on, app);
  assert.is((await match(on, app, { ip })).status, 200);
});

test.run();
