/** Who reads /, /health, /metrics and /docs: everybody on loopback; elsewhere a session, or METRICS_TOKEN. */
import { request } from 'node:http';
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE } from '../../src/brand.ts';
import { loadConfig } from '../../src/config.ts';
import { isOnlyLocal } from '../../src/settings/values.ts';
import type { Headers } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { ask, cookiesOf, credentials, operatorsFor } from '../support/portal.ts';
import { within } from '../support/process.ts';
import { type Running, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: readers');
const TOKEN = 'scrape-5f0c1d2e3b4a';
const port = await freePort();
const local = serviceFor(test, { env: { METRICS_TOKEN: TOKEN } });
const secure = { PORTAL_URL: 'https://portal.example', METRICS_TOKEN: TOKEN, PORTAL_PORT: String(port) };
const behind = serviceFor(test, { env: secure });
const forwarded = serviceFor(test, { env: { PORTAL_TRUST_PROXY: '1' } });
const [operators, others] = [operatorsFor(test, behind), operatorsFor(test, forwarded)];

function get(
  run: Running,
  path: string,
  headers: Headers = {},
): Promise<{ status: number; headers: Headers }> {
  const at = new URL(run.portal);
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: at.port || port,
      path,
      headers: { host: at.host, ...headers },
    };
    request(options, incoming => {
      incoming.resume().on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers as Headers });
      });
    })
      .on('error', reject)
      .end();
  });
}

async function expect(run: Running, status: number, what: string, headers?: Headers): Promise<void> {
  for (const path of ['/health', '/metrics', '/docs', '/docs/openapi.json']) {
    const answer = await get(run, path, headers);
    assert.is(answer.status, status, `${path} with ${what}`);
    assert.is(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
  }
  const front = await get(run, '/?status', headers);
  assert.is(front.status, status === 401 ? 302 : 200, what);
  assert.is(front.headers.location, status === 401 ? '/sign-in' : undefined);
}

/** The cookie of a new session behind TLS, and what ends the session. */
async function signedIn() {
  const { token } = await operators.link({ email: `${Math.random()}@mail.example` });
  const answer = await ask({ portal: behind.portal, port }, 'POST', '/links/redeem', {
    json: { token, name: 'Ada' },
  });
  const { id } = answer.json.operator;
  return { cookie: `__Host-${PORTAL_COOKIE}=${cookiesOf(answer)[`__Host-${PORTAL_COOKIE}`]}`, id };
}

test('on loopback everybody, whatever they send', async () => {
  await expect(local, 200, 'nothing');
  await expect(local, 200, 'a wrong token', { authorization: 'Bearer wrong' });
});

test('behind TLS the token, and nothing like it', async () => {
  await expect(behind, 401, 'nothing');
  // A proxy may replace the name.
  await expect(behind, 401, 'the name of this machine', { host: `localhost:${port}` });
  await expect(behind, 200, 'the token', { authorization: `Bearer ${TOKEN}` });
  for (const authorization of [
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    'Bearer ',
    'Bearer null',
  ])
    await expect(behind, 401, authorization, { authorization });
  await expect(forwarded, 401, 'a token that is not set', { authorization: 'Bearer null' });
});

test('behind TLS a session, by its cookie, as long as it lasts', async () => {
  const { cookie, id } = await signedIn();
  await expect(behind, 200, 'a session', { cookie });
  await expect(behind, 401, 'a cookie of another name', { cookie: cookie.replace('__Host-', '') });
  await expect(behind, 401, 'a planted cookie', { cookie: `__Host-${PORTAL_COOKIE}=${'x'.repeat(43)}` });
  await operators.admin.deps.store.endSessions(id, null);
  await expect(behind, 401, 'an ended session', { cookie });
});

test('without TLS its cookie goes to every port, so the header is needed too', async () => {
  const session = await others.create();
  const { cookie = '' } = credentials(session);
  await expect(forwarded, 401, 'the cookie alone', { cookie });
  await expect(forwarded, 200, 'a session', credentials(session));
});

const PLACES: readonly [Record<string, string>, boolean][] = [
  [{}, true],
  [{ PORTAL_HOST: '::1' }, true],
  [{ PORTAL_URL: 'http://localhost:9999' }, true],
  [{ PORTAL_URL: 'https://portal.example' }, false],
  [{ PORTAL_TRUST_PROXY: '1' }, false],
  [{ PORTAL_HOST: '0.0.0.0', PORTAL_URL: 'https://portal.example' }, false],
];
test('what counts as only on loopback', () => {
  for (const [env, expected] of PLACES)
    assert.is(isOnlyLocal(loadConfig(env)), expected, JSON.stringify(env));
});

test('the command "health" sends the token; without it, it shows the public health', async () => {
  const env = { ...secure, DATA_DIR: behind.dataDir, PORT: new URL(behind.base).port };
  const { PORTAL_URL: _, ...address } = env;
  const whole = await within(['health', '--json'], address);
  assert.equal([whole.code, whole.stderr], [0, '']);
  assert.ok(JSON.parse(whole.stdout).database);
  const { METRICS_TOKEN: __, ...rest } = address;
  const open = await within(['health', '--json'], rest);
  assert.is(open.code, 0);
  assert.match(open.stderr, /only the public health is shown: set METRICS_TOKEN/);
  assert.equal([JSON.parse(open.stdout).status, JSON.parse(open.stdout).problems], ['ok', []]);
});

test.run();
