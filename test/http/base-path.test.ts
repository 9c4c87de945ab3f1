/**
 * BASE_URL with a path, behind a proxy that takes the path off: whatever names an address of the API names the whole
 * one, and the SDKs and the session cookie arrive there.
 */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { createVerifier } from '../../src/sdk/server/index.ts';
import { clientOf } from '../sdk/browser-support.ts';
import { call, decoded, enroll, faces, someEmail } from '../support/client.ts';
import { deleteMe, sessionCookie } from '../support/me.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('base path');
let proxy: Server;
let run: Running;
let base: string;

test.before(async () => {
  proxy = createServer((from, to) => {
    const { hostname: host, port } = new URL(run.base);
    const path = from.url?.startsWith('/face/') ? from.url.slice('/face'.length) : '/not-here';
    const { method = 'GET', headers } = from;
    const sending = request({ host, port, path, method, headers }, answer => {
      to.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(to);
    });
    from.pipe(sending);
  });
  await new Promise<void>(done => void proxy.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/face`;
  run = await startService({ env: { BASE_URL: `${base}/` } });
});
test.after(async () => {
  await run?.close();
  proxy?.closeAllConnections();
  proxy?.close();
});

test('the session cookie is sent to the path, and cleared there', async () => {
  const app = await run.createApp({ firstParty: true });
  const enrolled = await enroll(run, app);
  assert.is(sessionCookie(enrolled).attributes.path, '/face/v1');
  const { value, attributes } = sessionCookie(
    await call(run, 'POST', '/v1/me/logout', {
      headers: { origin: app.origin, cookie: `svc_session=${sessionCookie(enrolled).value}` },
    }),
  );
  assert.equal([value, attributes.path, attributes['max-age']], ['', '/face/v1', '0']);
  const { token } = (await enroll(run, app, { descriptors: [faces.genuine(1)] })).json;
  assert.is(sessionCookie(await deleteMe(run, token)).attributes.path, '/face/v1');
});

test('issuer, description, reference, portal and script tag name the whole address', async () => {
  const app = await run.createApp();
  const { token } = (await enroll(run, app)).json;
  assert.is(decoded(token).claims.iss, base);
  const described = await call(run, 'GET', '/openapi.json');
  assert.equal(described.json.servers, [{ url: base }]);
  const page = async (path: string) => (await fetch(new URL(path, run.portal))).text();
  assert.equal(JSON.parse(await page('/docs/openapi.json')).servers, [{ url: base }]);
  const shell = await page('/apps');
  assert.ok(shell.includes(`<meta name="issuer" content="${base}">`), shell.slice(0, 900));
  const [script] = /\S+\/sdk\/browser\/[^"&\s]+/.exec(shell) ?? [];
  if (script) assert.match(script, new RegExp(`${base}/sdk/browser/`));
});

test('the SDKs join their paths to it', async () => {
  const app = await run.createApp();
  for (const slash of ['', '/']) {
    const { client } = clientOf({ base: base + slash }, app, { mode: 'test' });
    const face = { descriptors: [faces.genuine(slash === '' ? 2 : 3)] };
    await client.enroll({
      email: someEmail(),
      consent: { policyVersion: '2026-01', accepted: true },
      ...face,
    });
    const { token } = await client.signIn(face);
    for (const secretKey of [undefined, app.test.sk]) {
      const options = {
        issuer: base + slash,
        appId: app.id,
        mode: 'test',
        now: () => run.clock.now(),
      } as const;
      const verifier = createVerifier({ ...options, ...(secretKey && { secretKey }) });
      assert.ok((await verifier.verify(token)).sub);
    }
    await client.signOut();
  }
});

test.run();
