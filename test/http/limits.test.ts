/** What counts for the limits of requests, and for whom. That each is exact in its window: windows.test.ts. */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import {
  type Answer,
  assertError,
  atOnce,
  browser,
  call,
  challenge,
  challenges,
  enrolled,
  type Headers,
  type Mode,
  match,
  type Sent,
  server,
  someEmail,
  tally,
  verify,
} from '../support/client.ts';
import { CODES_PATH, requestCode, VERIFY_PATH, verifyCode } from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** Takes a setting of the test harness away, so that the built-in number holds. */
const unset = undefined as unknown as string;
const test = suite('limits');
const run = serviceFor(test, {
  env: {
    LIMIT_IP_PER_MINUTE: unset,
    LIMIT_SECRET_KEY_PER_MINUTE: unset,
    LIMIT_APP_PER_MINUTE: unset,
    LIMIT_CODE_PER_IP: unset,
    LIMIT_VERIFY_PER_IP: unset,
  },
});

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const ask = (app: TestApp, ip: string, on = run, mode: Mode = 'live') =>
  call(on, 'POST', '/v1/challenges', { headers: browser(app, mode), ip });
const isLimited = (answer: Answer) => answer.json?.error?.code === 'rate_limited';

interface Budget {
  readonly path: string;
  readonly most: number;
  /** A request that only the address's limit can refuse. */
  readonly make: (app: TestApp, ip: string, mode?: Mode) => Promise<Answer>;
}
const BUDGETS: Record<string, Budget> = {
  'challenges, enrolls and matches': {
    path: '/v1/match',
    most: 30,
    make: (app, ip, mode) => ask(app, ip, run, mode),
  },
  'code requests': {
    path: CODES_PATH,
    most: 10,
    make: (app, ip, mode = 'live') => requestCode(run, app, someEmail(), { ip, mode }),
  },
  verifies: {
    path: VERIFY_PATH,
    most: 20,
    make: (app, ip, mode = 'live') => verifyCode(run, app, someEmail(), '123456', { ip, mode }),
  },
};

const post = (path: string, headers: Headers, sent: Sent) => call(run, 'POST', path, { headers, ...sent });
const wrongOrigin = (app: TestApp) => browser(app, 'live', 'https://other.example');
type Odd = (path: string, app: TestApp, ip: string) => Promise<Answer>;
const ODD: readonly [string, boolean, Odd][] = [
  ['a wrong field', true, (path, app, ip) => post(path, browser(app), { ip, json: {} })],
  ['a broken body', true, (path, app, ip) => post(path, browser(app), { ip, raw: '{' })],
  ['a wrong type', true, (path, app, ip) => post(path, browser(app), { ip, raw: 'x', type: 'a/b' })],
  ['a long body', true, (path, app, ip) => post(path, browser(app), { ip, raw: ' '.repeat(70_000) })],
  ['no key', false, (path, app, ip) => post(path, { origin: app.origin }, { ip })],
  ['a wrong key', false, (path, app, ip) => post(path, server(app), { ip })],
  ['a wrong Origin', false, (path, app, ip) => post(path, wrongOrigin(app), { ip })],
  ['a wrong method', false, (path, app, ip) => call(run, 'GET', path, { headers: browser(app), ip })],
  ['an unknown route', false, (path, app, ip) => post(`${path}es`, browser(app), { ip })],
  ['a double slash', false, (path, app, ip) => post(`/${path}`, browser(app), { ip })],
  ['a trailing slash', false, (path, app, ip) => post(`${path}/`, browser(app), { ip })],
  [
    'a preflight',
    false,
    (path, { origin }, ip) =>
      call(run, 'OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' }, ip }),
  ],
  ['health', false, (_, __, ip) => call(run, 'GET', '/health', { ip })],
  ['the key set', false, (_, __, ip) => call(run, 'GET', '/.well-known/jwks.json', { ip })],
  ['a server route', false, (_, app, ip) => call(run, 'GET', '/v1/app', { headers: server(app), ip })],
];

for (const [name, { path, most, make }] of Object.entries(BUDGETS)) {
  const fill = (app: TestApp, ip: string, count = most) => atOnce(count, () => make(app, ip));

  const others = Object.entries(BUDGETS).filter(([other]) => other !== name);
  const odds = [
    ...ODD,
    ...others.map(
      ([other, one]) =>
        [`one of the ${other}`, false, (_, app, ip) => one.make(app, ip)] as (typeof ODD)[number],
    ),
  ];
  for (const [what, counts, odd] of odds)
    test(`${what} ${counts ? 'counts' : 'does not count'} for the address among ${name}`, async () => {
      const [app, ip] = [await run.createApp(), address()];
      for (let n = 0; n < 4; n++) assert.not.ok(isLimited(await odd(path, app, ip)));
      const answers = await fill(app, ip, most + 2);
      assert.is(answers.filter(isLimited).length, counts ? 6 : 2);
      assert.is(isLimited(await odd(path, app, ip)), counts);
    });

  test(`${name}: one budget over apps and modes, another for each address`, async () => {
    const [app, other, ip] = [await run.createApp(), await run.createApp(), address()];
    await fill(app, ip);
    assert.ok(isLimited(await make(other, ip)), 'another app');
    assert.ok(isLimited(await make(app, ip, 'test')), 'test mode');
    assert.not.ok(isLimited(await make(app, address())), 'another address');
  });

  test(`a full window of ${name} is reported after credential and Origin, before the body`, async () => {
    const [app, ip] = [await run.createApp(), address()];
    await fill(app, ip);
    assertError(await post(path, { origin: app.origin }, { ip }), 'unauthorized');
    assertError(await post(path, wrongOrigin(app), { ip }), 'origin_not_allowed');
    const sent = [{}, { raw: '{' }, { raw: 'x', type: 'a/b' }, { raw: ' '.repeat(70_000) }, { json: {} }];
    for (const more of sent)
      assertError(
        await post(path, browser(app), { ip, ...more }),
        'rate_limited',
        JSON.stringify(more).slice(0, 40),
      );
  });
}

test('behind one proxy only the last forwarded address counts; what a client wrote before it does not', async () => {
  const [app, ip] = [await run.createApp(), address()];
  const answers = await atOnce(60, n => ask(app, `10.0.0.${n}, ${ip}`));
  assert.is(answers.filter(isLimited).length, 30);
  const fresh = await ask(app, `${ip}, ${address()}`);
  assert.is(fresh.status, 200, 'an address named first is not the client');
  const lines = { ...browser(app), 'x-forwarded-for': [address(), ip] };
  const twice = await call(run, 'POST', '/v1/challenges', { headers: lines });
  assert.ok(isLimited(twice), 'the last of two header lines');
});

for (const [what, spelt] of [
  ['IPv4', (ip: string, port: number) => `${ip}:${port}`],
  ['IPv4 in IPv6', (ip: string, port: number) => `[::ffff:${ip}]:${port}`],
] as const)
  test(`an address that is forwarded with its port is that client, by whatever port: ${what}`, async () => {
    const [app, ip, other] = [await run.createApp(), address(), address()];
    const answers = await atOnce(60, n => ask(app, spelt(ip, 40_000 + n)));
    assert.is(answers.filter(isLimited).length, 30);
    assert.ok(isLimited(await ask(app, ip)));
    assert.is((await ask(app, spelt(other, 40_000))).status, 200, 'another client');
  });

for (const [proxies, forwarded, limited] of [
  ['0', (n: number) => `198.51.100.${n}`, true],
  ['2', (n: number) => `192.0.2.9, 198.51.100.${n}, 10.0.0.1`, false],
  ['2', (n: number) => `192.0.2.${n}, 198.51.100.9, 10.0.0.${n}`, true],
] as const) {
  test(`with ${proxies} trusted proxies and addresses like ${forwarded(1)}: ${limited ? 'one client' : 'many clients'}`, async () => {
    await using on = await startService({ env: { LIMIT_IP_PER_MINUTE: '30', TRUST_PROXY: proxies } });
    const app = await on.createApp();
    const answers = await atOnce(60, n => ask(app, forwarded(n + 1), on));
    assert.is(answers.filter(isLimited).length, limited ? 30 : 0);
  });
}

test('each secret key has its own budget, of the same app too', async () => {
  const app = await run.createApp();
  await atOnce(600, () => verify(run, app, 'x'));
  assert.ok(isLimited(await verify(run, app, 'x')));
  assert.is((await verify(run, app, 'x', 'test')).status, 200, 'the test key');
  const key = (await run.cli(['key', 'create', '--app', app.id, '--type', 'secret', '--mode', 'live'])).json
    .key;
  const fresh = await call(run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${key}` } });
  assert.is(fresh.status, 200, 'another live key');
});

test('bad bodies count for a secret key, wrong Origins and unknown routes do not', async () => {
  const app = await run.createApp();
  const post = (headers: object, path = '/v1/tokens/verify') =>
    call(run, 'POST', path, { headers: { ...server(app), ...headers }, raw: '{' });
  await atOnce(50, () => post({}));
  await atOnce(50, () => post({ origin: 'https://x.example' }));
  await atOnce(50, () => post({}, '/v1/nothing'));
  const answers = await atOnce(600, () => call(run, 'GET', '/v1/app', { headers: server(app) }));
  assert.equal(tally(answers), { 200: 550, '429 rate_limited': 50 });
});

test('the budget of an app is exact for good matches, and leaves other calls and other apps alone', async () => {
  await using on = await startService({ env: { LIMIT_APP_PER_MINUTE: '20' } });
  const [app, other] = [await on.createApp(), await on.createApp()];
  for (const one of [app, other]) await enrolled(on, one);
  const ids = await challenges(on, app, 200);
  const answers = await Promise.all(ids.map(challengeId => match(on, app, { challengeId })));
  assert.equal(tally(answers), { 200: 20, '429 rate_limited': 180 });
  assert.is((await match(on, other)).status, 200, 'another app');
  await challenge(on, app);
  assertError(await match(on, app), 'rate_limited', 'challenges are no way round');
  on.clock.advance(60_000);
  assert.is((await match(on, app)).status, 200, 'a minute later');
});

const byKey = serviceFor(test, { env: { LIMIT_SECRET_KEY_PER_MINUTE: '30' } });

test('every server route takes from the one budget of its key', async () => {
  for (const { method, path } of ROUTES.filter(({ guard }) => guard.name === 'secret')) {
    const app = await byKey.createApp();
    const headers = server(app);
    const send = () => call(byKey, method, path.replace(':id', 'usr_x'), { headers });
    const other = () => call(byKey, 'GET', '/v1/app', { headers });
    const answers = [];
    for (let n = 0; n < 29; n++) answers.push(await (n % 2 ? other() : send()));
    assert.is(tally(answers)['429 rate_limited'], undefined, `${method} ${path}`);
    assert.is((await other()).status, 200, 'the thirtieth');
    const answer = await send();
    assertError(answer, 'rate_limited', `${method} ${path}`);
    assert.is(answer.headers['retry-after'], '60');
  }
});

test.run();
