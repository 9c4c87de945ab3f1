/** What counts for the limits of requests, and for whom. That each is exact in its window: windows.test.ts. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  browser,
  call,
  challenge,
  challenges,
  enrolled,
  match,
  server,
  tally,
  verify,
} from '../support/client.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** Takes a setting of the test harness away, so that the built-in number holds. */
const unset = undefined as unknown as string;
const test = suite('limits');
const run = serviceFor(test, {
  env: { LIMIT_IP_PER_MINUTE: unset, LIMIT_SECRET_KEY_PER_MINUTE: unset, LIMIT_APP_PER_MINUTE: unset },
});

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const ask = (app: TestApp, ip: string, path = '/v1/challenges', on = run) =>
  call(on, 'POST', path, { headers: browser(app), ip, ...(path !== '/v1/challenges' && { json: {} }) });
const fill = (app: TestApp, ip: string, count = 30) => atOnce(count, () => ask(app, ip));
const isLimited = (answer: Answer) => answer.json?.error?.code === 'rate_limited';

const counted: [string, boolean, (app: TestApp, ip: string) => Promise<Answer>][] = [
  ['a bad field', true, (app, ip) => ask(app, ip, '/v1/match')],
  [
    'a wrong type',
    true,
    (app, ip) => call(run, 'POST', '/v1/match', { headers: browser(app), ip, raw: 'x', type: 'a/b' }),
  ],
  [
    'a long body',
    true,
    (app, ip) => call(run, 'POST', '/v1/match', { headers: browser(app), ip, raw: ' '.repeat(70_000) }),
  ],
  [
    'a missing key',
    false,
    (app, ip) => call(run, 'POST', '/v1/match', { headers: { origin: app.origin }, ip }),
  ],
  [
    'a wrong Origin',
    false,
    (app, ip) => call(run, 'POST', '/v1/match', { headers: browser(app, 'live', 'https://x.example'), ip }),
  ],
  ['a wrong method', false, (app, ip) => call(run, 'GET', '/v1/match', { headers: browser(app), ip })],
  ['an unknown route', false, (app, ip) => call(run, 'POST', '/v1/matches', { headers: browser(app), ip })],
  ['a double slash', false, (app, ip) => call(run, 'POST', '//v1/match', { headers: browser(app), ip })],
  ['a trailing slash', false, (app, ip) => call(run, 'POST', '/v1/match/', { headers: browser(app), ip })],
  [
    'a preflight',
    false,
    (app, ip) =>
      call(run, 'OPTIONS', '/v1/match', {
        headers: { origin: app.origin, 'access-control-request-method': 'POST' },
        ip,
      }),
  ],
  ['health', false, (_, ip) => call(run, 'GET', '/health', { ip })],
  ['the key set', false, (_, ip) => call(run, 'GET', '/.well-known/jwks.json', { ip })],
  ['a server route', false, (app, ip) => call(run, 'GET', '/v1/app', { headers: server(app), ip })],
];
for (const [name, counts, make] of counted) {
  test(`${name} ${counts ? 'counts' : 'does not count'} for the address`, async () => {
    const [app, ip] = [await run.createApp(), address()];
    for (let n = 0; n < 5; n++) assert.not.ok(isLimited(await make(app, ip)));
    const answers = await fill(app, ip, 40);
    assert.is(answers.filter(isLimited).length, counts ? 15 : 10);
    assert.is(isLimited(await make(app, ip)), counts);
  });
}

test('the budget of an address is one over apps and modes', async () => {
  const [app, other, ip] = [await run.createApp(), await run.createApp(), address()];
  await fill(app, ip);
  assert.ok(isLimited(await ask(other, ip)));
  assert.ok(
    isLimited(await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'test'), ip })),
    'test mode',
  );
  assert.is((await ask(app, address())).status, 200, 'another address');
});

const sames: [string, string, boolean][] = [
  ['2001:db8:1:1::1', '2001:db8:1:1:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', true],
  ['2001:db8:1:3::1', '2001:db8:1:4::1', false],
  ['2001:db8:5::1', '2001:db8:5:0:ffff::', true],
  ['2001:db8::7:2:3:4:5', '2001:db8:0:7::9', true],
  ['2001:db8::8:2:3:4:5', '2001:db8::9', false],
  ['2001::6:2:3:4:5', '2001:0:0:6::', true],
  ['::9:2:3:4:5:6', '0:0:9:2::1', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.2', '::FFFF:c000:0202', true],
  ['::ffff:192.0.2.3', '::ffff:192.0.2.4', false],
  ['192.0.2.5', '192.0.2.6', false],
];
for (const [one, other, same] of sames) {
  test(`${one} and ${other} are ${same ? 'one' : 'two'} for the limit`, async () => {
    const app = await run.createApp();
    await fill(app, one);
    assert.is(isLimited(await ask(app, other)), same);
    assert.is(isLimited(await ask(app, one)), true);
    run.clock.advance(60_000);
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
    const answers = await atOnce(60, n => ask(app, forwarded(n + 1), '/v1/challenges', on));
    assert.is(answers.filter(isLimited).length, limited ? 30 : 0);
  });
}

for (const odd of [
  '',
  'unknown',
  '1.2.3',
  '999.1.1.1',
  '[::1]:99',
  ',,,',
  'x'.repeat(4_000),
  '203.0.113.250:1234',
  "'",
]) {
  test(`a forwarded address that is none (${odd.slice(0, 12)}) does no harm`, async () => {
    const app = await run.createApp();
    const headers = { ...browser(app), 'x-forwarded-for': odd };
    const answer = await call(run, 'POST', '/v1/challenges', { headers });
    assert.ok([200, 429].includes(answer.status), answer.text);
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

test.run();
