/** From which Origin a key may be used. */
import * as assert from 'uvu/assert';
import { assertError, browser, call, type Headers, type Mode, server, soon } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const LISTED = ['https://app.example', 'https://two.example:8443', 'http://localhost:4000'];
const test = suite('origins');
const run = serviceFor(test);
const app = appFor(test, run, { origins: LISTED });

const paths = ['/v1/challenges', '/v1/enroll', '/v1/match'];
const from = (origin: string | string[] | undefined, mode: Mode): Headers => ({
  'x-svc-key': app[mode].pk,
  ...(origin !== undefined && { origin }),
});

for (const origin of LISTED) {
  test(`the listed Origin ${origin} is allowed, to both modes and to the secret key`, async () => {
    for (const mode of ['live', 'test'] as const) {
      const answer = await call(run, 'POST', '/v1/challenges', { headers: from(origin, mode) });
      assert.is(answer.status, 200, answer.text);
      const own = await call(run, 'GET', '/v1/app', { headers: { ...server(app, mode), origin } });
      assert.is(own.status, 200, own.text);
    }
  });
}

const refused: (string | string[] | undefined)[] = [
  undefined,
  '',
  'null',
  'https://other.example',
  'http://app.example',
  'https://app.example/',
  'https://app.example:443',
  'https://app.example:8443',
  'https://two.example',
  'https://two.example:08443',
  'https://APP.example',
  'HTTPS://app.example',
  'https://app.example.',
  'https://app.example.evil.example',
  'https://evil-app.example',
  'https://sub.app.example',
  'https://app.example@evil.example',
  'https://user@app.example',
  'https://app.example#',
  'https://app.example?',
  'https://app.example\\.evil.example',
  'https://app%2eexample',
  'https://app.example, https://app.example',
  'https://app.example https://two.example',
  ['https://app.example', 'https://app.example'],
  'app.example',
  '//app.example',
  '*',
  'https://*',
  'https://*.example',
  `https://${'a'.repeat(4_000)}.example`,
];
for (const origin of refused) {
  test(`the Origin ${JSON.stringify(origin)?.slice(0, 60)} is refused on every browser route, in both modes`, async () => {
    for (const mode of ['live', 'test'] as const) {
      for (const path of paths) {
        const answer = await call(run, 'POST', path, { headers: from(origin, mode) });
        assertError(answer, 'origin_not_allowed', `${mode} ${path}`);
      }
    }
  });
}

test('a secret key needs no Origin, and refuses one that is not listed', async () => {
  for (const mode of ['live', 'test'] as const) {
    assert.is((await call(run, 'GET', '/v1/app', { headers: server(app, mode) })).status, 200);
    for (const origin of ['https://other.example', 'null', 'https://app.example/', 'http://localhost:5173']) {
      const headers = { ...server(app, mode), origin };
      assertError(await call(run, 'GET', '/v1/app', { headers }), 'origin_not_allowed', `${mode} ${origin}`);
      const sent = { headers, json: { token: 'x' } };
      assertError(
        await call(run, 'POST', '/v1/tokens/verify', sent),
        'origin_not_allowed',
        `${mode} ${origin}`,
      );
    }
  }
});

for (const origin of [
  'http://localhost:1',
  'http://localhost:5173',
  'http://127.0.0.1:65535',
  'http://127.0.0.1:3000',
]) {
  test(`the unlisted ${origin} is allowed to a test publishable key alone`, async () => {
    assert.is((await call(run, 'POST', '/v1/challenges', { headers: from(origin, 'test') })).status, 200);
    assertError(
      await call(run, 'POST', '/v1/challenges', { headers: from(origin, 'live') }),
      'origin_not_allowed',
    );
  });
}

const notLocal = [
  'http://localhost:0',
  'http://localhost:65536',
  'http://localhost:99999',
  'http://localhost:03000',
  'http://localhost:+3000',
  'http://localhost:-1',
  'http://localhost:3e3',
  'http://localhost:0x50',
  'http://localhost:３０００',
  'http://localhost:3000/',
  'http://localhost:3000#',
  'http://localhost:3000.evil.example',
  'http://localhost:3000@evil.example',
  'http://localhost.evil.example:3000',
  'http://evil.localhost:3000',
  'http://evillocalhost:3000',
  'http://localhost.:3000',
  'http://LOCALHOST:3000',
  'https://localhost:3000',
  'https://127.0.0.1:3000',
  'ws://localhost:3000',
  'http://127.0.0.2:3000',
  'http://127.1:3000',
  'http://2130706433:3000',
  'http://127.0.0.1.evil.example:3000',
  'http://0.0.0.0:3000',
  'http://[::1]:3000',
  'http://user@localhost:3000',
];
for (const origin of notLocal) {
  test(`${origin} is not the local machine's Origin`, async () => {
    const headers = from(Buffer.from(origin).toString('latin1'), 'test');
    assertError(await call(run, 'POST', '/v1/challenges', { headers }), 'origin_not_allowed');
  });
}

test('an Origin belongs to the app that lists it', async () => {
  const other = await run.createApp({ origins: ['https://other.example'] });
  const mine = { headers: browser(app, 'live', 'https://other.example') };
  assertError(await call(run, 'POST', '/v1/challenges', mine), 'origin_not_allowed');
  const theirs = { headers: browser(other, 'live', 'https://other.example') };
  assert.is((await call(run, 'POST', '/v1/challenges', theirs)).status, 200);
});

test('the refusal names the Origin received and where to allow it', async () => {
  const origin = 'https://staging.example:9443';
  const answer = await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'live', origin) });
  assertError(answer, 'origin_not_allowed');
  assert.ok(answer.json.error.message.includes(origin), answer.text);
  assert.match(answer.json.error.message, /portal|allowed.origins|--origin/i);
  for (const listed of LISTED) assert.not.ok(answer.text.includes(listed), 'the list itself is not told');
});

test('a changed list holds at once', async () => {
  const changing = await run.createApp();
  const status = async (origin: string) =>
    (await call(run, 'POST', '/v1/challenges', { headers: browser(changing, 'live', origin) })).status;
  assert.is(await status('https://new.example'), 403);
  await run.cli(['app', 'update', changing.id, '--origin', 'https://new.example']);
  await soon(async () => (await status('https://new.example')) === 200, 'the new Origin');
  assert.is(await status(changing.origin), 403, 'the option is the whole new list');
});

const unlistable: [string, string | null][] = [
  ['https://app.example/', 'https://app.example'],
  ['https://app.example/path', 'https://app.example'],
  ['https://APP.example', 'https://app.example'],
  ['https://app.example:443', 'https://app.example'],
  ['http://app.example:80', 'http://app.example'],
  ['https://*.example', null],
  ['*', null],
  ['null', null],
  ['app.example', null],
  ['', null],
  ['ftp://app.example', null],
];
for (const [origin, corrected] of unlistable) {
  test(`an app cannot list "${origin}"`, async () => {
    const before = run.rows('SELECT count(*) AS n FROM apps')[0].n;
    const outcome = await run
      .cli(['app', 'create', '--name', 'x', '--origin', origin])
      .catch(thrown => thrown);
    assert.ok(outcome instanceof Error || outcome.code === 2, JSON.stringify(outcome));
    if (corrected)
      assert.ok(
        `${outcome.stderr ?? ''} ${outcome.message ?? ''}`.includes(corrected),
        String(outcome.message),
      );
    assert.is(run.rows('SELECT count(*) AS n FROM apps')[0].n, before);
  });
}

test.run();
