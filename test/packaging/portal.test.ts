/**
 * The portal behind a proxy with TLS, as operators.md describes it: sign-in by a link, the session's cookie for this
 * host and TLS only, and the browser's own address in the audit log, whatever it claims.
 */
import { request } from 'node:https';
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE, PORTAL_HEADER_NAME } from '../../src/brand.ts';
import { loadConfig } from '../../src/config.ts';
import { makeLink } from '../../src/domain/access/links.ts';
import { openAdmin } from '../../src/service/data.ts';
import type { Json } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import { freePort } from '../support/free-port.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { startSite } from './caddy.ts';
import type { ProxyServer } from './proxied.ts';

const test = suite('packaging: portal');
const [secure, own] = [await freePort(), await freePort()];
const PORTAL_URL = `https://portal.example:${secure}`;
const run = serviceFor(test, { env: { PORTAL_URL, PORTAL_TRUST_PROXY: '1', PORTAL_PORT: String(own) } });
/** What operators write for the portal, and nothing more. */
const SITE = `{
}
portal.example {
  reverse_proxy {$SERVICE}
}
`;
let proxy: ProxyServer;
test.before(async () => {
  proxy = await startSite(SITE, { SERVICE: `127.0.0.1:${own}` }, secure);
});
test.after(() => proxy?.stop());

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly json: Json;
}

/** @param from the address of the browser */
function ask(
  from: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  json?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const sending = request(
      {
        ...{
          host: '127.0.0.1',
          port: secure,
          localAddress: from,
          servername: 'portal.example',
          method,
          path,
        },
        rejectUnauthorized: false,
        headers: {
          host: `portal.example:${secure}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      incoming => {
        let text = '';
        incoming.setEncoding('utf8').on('data', part => {
          text += part;
        });
        incoming.on('end', () => {
          const [cookie = ''] = incoming.headers['set-cookie'] ?? [];
          const isJson = String(incoming.headers['content-type']).startsWith('application/json');
          resolve({ status: incoming.statusCode ?? 0, cookie, json: isJson ? JSON.parse(text) : text });
        });
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

async function linkTo(url: string): Promise<string> {
  await using admin = closing(await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock }));
  const deps = { ...admin.deps, portal: { url } };
  const link = { makesAdmin: true, madeBy: 'command line', lifetime: 1_800_000 };
  return (await makeLink(deps, link)).token;
}

test('a link signs in, with a cookie for this host and TLS only; the log has the browser’s address', async () => {
  assert.is(run.portal, PORTAL_URL, 'the service announces the address of the proxy');
  const page = await ask('127.0.7.1', 'GET', '/sign-in');
  assert.is(page.status, 200);
  const body = { token: await linkTo(PORTAL_URL), name: 'Ada', email: 'ada@mail.example' };
  const claims = { 'x-forwarded-for': '198.51.100.9', origin: PORTAL_URL, 'sec-fetch-site': 'same-origin' };
  const signedIn = await ask('127.0.7.1', 'POST', '/internal/links/redeem', claims, body);
  assert.is(signedIn.status, 200, JSON.stringify(signedIn.json));
  assert.match(
    signedIn.cookie,
    new RegExp(`^__Host-${PORTAL_COOKIE}=.*; Path=/; HttpOnly; SameSite=Strict; Secure$`),
  );

  const cookie = signedIn.cookie.split(';')[0] ?? '';
  const session = { cookie, [PORTAL_HEADER_NAME]: signedIn.json.session.secret };
  const audit = await ask('127.0.7.2', 'GET', '/internal/audit', session);
  assert.is(audit.status, 200, JSON.stringify(audit.json));
  const [entry] = audit.json.entries;
  assert.equal([entry.action, entry.ip], ['sign-in.link', '127.0.7.1']);
});

test('another host name, and the page of another origin, are refused', async () => {
  assert.is((await fetch(`http://127.0.0.1:${own}/internal/session`)).status, 403);
  const foreign = { origin: 'https://elsewhere.example' };
  assert.is((await ask('127.0.7.3', 'GET', '/internal/session', foreign)).status, 403);
});

test.run();
