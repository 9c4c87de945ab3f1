/** The cookies of the portal: names, attributes, behind https, and beside cookies that others have set. */
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE, PORTAL_HEADER_NAME } from '../../../src/brand.ts';
import { cookieName } from '../../../src/portal/server/cookies.ts';
import { freePort } from '../../support/free-port.ts';
import { ask, operatorsFor } from '../../support/portal.ts';
import { serviceFor, startService } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: cookies');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

test('the session cookie reaches no script and no other site', async () => {
  const { token } = await operators.link({});
  const json = { token, name: 'Ada', email: 'ada@mail.example' };
  const answer = await ask(run, 'POST', '/links/redeem', { json });
  const line = String(answer.headers['set-cookie']);
  assert.match(
    line,
    new RegExp(`^${PORTAL_COOKIE}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`),
  );
});

test('behind https no other host can set it', async () => {
  const url = 'https://portal.example';
  assert.is(cookieName(url, 'session'), `__Host-${PORTAL_COOKIE}`);
  assert.is(cookieName('http://localhost:8081', 'session'), PORTAL_COOKIE);
  const port = await freePort();
  await using _secure = await startService({ env: { PORTAL_URL: url, PORTAL_PORT: String(port) } });
  const answer = await ask({ portal: url, port }, 'POST', '/session/options');
  const line = String(answer.headers['set-cookie']);
  assert.match(
    line,
    /^__Host-svc_portal_challenge=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('a cookie of the same name that another port has set does no harm', async () => {
  const session = await operators.create();
  const cookie = `${PORTAL_COOKIE}=planted; ${PORTAL_COOKIE}=${'x'.repeat(43)}; ${PORTAL_COOKIE}=${session.cookie}`;
  const headers = { cookie, [PORTAL_HEADER_NAME]: session.secret };
  assert.is((await ask(run, 'GET', '/session', { headers })).status, 200);
});

test.run();
