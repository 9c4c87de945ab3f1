/**
 * What holds behind each proxy of src/packaging: a whole sign-in, one budget for each caller, and the service's own
 * answer to large bodies. nginx.test.ts and caddy.test.ts run it, and add what only their proxy does.
 */
import * as assert from 'uvu/assert';
import { consent, faces } from '../support/client.ts';
import { later } from '../support/closing.ts';
import { appFor, type Running, serviceFor, type TestApp } from '../support/service.ts';
import type { Suite } from '../support/suite.ts';
import { type Ask, callerOf } from './caller.ts';

const ISSUER = 'https://face.example';
const LIMIT = 5;

export interface ProxyServer {
  readonly plain: number;
  readonly secure: number;
  /** What it has logged about requests. */
  log(): string;
  stop(): Promise<void>;
}

export interface Proxied<Proxy extends ProxyServer> {
  readonly app: TestApp;
  readonly proxy: Proxy;
  from(address: string, allowH2?: boolean): Ask;
}

/** @param large sizes of bodies that the proxy passes on to the service, which refuses them */
export function proxied<Proxy extends ProxyServer>(
  test: Suite,
  start: (service: string, portal: string) => Promise<Proxy>,
  large: readonly number[],
): Proxied<Proxy> {
  const run: Running = serviceFor(test, {
    env: { BASE_URL: ISSUER, TRUST_PROXY: '1', LIMIT_IP_PER_MINUTE: String(LIMIT) },
  });
  const app = appFor(test, run);
  let proxy: Proxy;
  test.before(async () => {
    proxy = await start(new URL(run.base).host, new URL(run.portal).host);
  });
  test.after(() => proxy?.stop());
  const from = (address: string, allowH2 = true) => callerOf(proxy.secure, app, address, allowH2);

  test('a person enrolls and signs in through TLS, over HTTP/2 and HTTP/1.1, with a token of the public address', async () => {
    for (const [i, allowH2] of [true, false].entries()) {
      const ask = from(`127.0.1.${i + 1}`, allowH2);
      const challenge = async () => (await ask('POST', '/v1/challenges')).json.challenge_id;
      const person = { email: `p${i}@example.com`, descriptors: [faces.genuine(i)], consent };
      const enrolled = await ask('POST', '/v1/enroll', { challenge_id: await challenge(), ...person });
      assert.is(enrolled.status, 201, JSON.stringify(enrolled.json));
      const descriptors = [faces.genuine(i, 1)];
      const challenge_id = await challenge();
      const { status, json, headers } = await ask('POST', '/v1/match', { challenge_id, descriptors });
      assert.is(status, 200);
      assert.is(json.user.id, enrolled.json.user.id);
      assert.is(JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString()).iss, ISSUER);
      assert.is(headers['access-control-allow-origin'], app.origin);
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/);
    }
  });

  test('each caller has a budget of its own, and no claim about an address gets another', async () => {
    const [one, other] = [from('127.0.2.1'), from('127.0.2.2')];
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 2; i++) {
      const claims = { 'x-forwarded-for': `198.51.100.${i}`, 'x-real-ip': `198.51.100.${i}` };
      statuses.push((await one('POST', '/v1/challenges', undefined, claims)).status);
    }
    assert.equal(statuses, [...Array(LIMIT).fill(200), 429, 429]);
    assert.is((await other('POST', '/v1/challenges')).status, 200);
  });

  test('a body that is too large is refused by the service itself, which names the limit', async () => {
    const ask = from('127.0.3.1');
    for (const size of large) {
      const refused = await ask('POST', '/v1/enroll', { filler: 'x'.repeat(size) });
      assert.is(refused.status, 413, String(size));
      assert.match(refused.json.error.message, /262,?144|256 KB/);
    }
  });

  test('64 KB of headers are served, and larger ones refused by the service itself, which names the limit', async () => {
    const sent = (size: number, allowH2: boolean) =>
      from('127.0.3.2', allowH2)('GET', '/health', undefined, { cookie: 'a'.repeat(size) });
    assert.is((await sent(65_000, false)).status, 200);
    // Node.js as a client sends no larger ones over HTTP/2.
    assert.is((await sent(60_000, true)).status, 200);
    const refused = await sent(90_000, false);
    assert.equal([refused.status, refused.json.error.code], [431, 'headers_too_large']);
    assert.match(refused.json.error.message, /larger than 64 KB/);
    assert.is(refused.headers['access-control-allow-origin'], app.origin);
  });

  test("the operators' address is not to be seen", async () => {
    const ask = from('127.0.4.1');
    for (const path of ['/metrics', '/try', '/internal/apps'])
      assert.is((await ask('GET', path)).status, 404, path);
  });

  return { app, proxy: later(() => proxy), from };
}
