/** Behind trusted proxies the portal sees the client, and still only its own Host. */
import * as assert from 'uvu/assert';
import { assertError, type Json } from '../../support/client.ts';
import { ask, operatorsFor } from '../../support/portal.ts';
import { type Running, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: client address');
const direct = serviceFor(test);
const behindOne = serviceFor(test, { env: { PORTAL_TRUST_PROXY: '1' } });
const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };

const ROWS: readonly [string, Running, string][] = [
  ['without a proxy the header is nonsense', direct, '127.0.0.1'],
  ['behind one proxy its report counts, and none before it', behindOne, '203.0.113.9'],
];
for (const [what, run, ip] of ROWS) {
  const operators = operatorsFor(test, run);
  test(what, async () => {
    const { token } = await operators.link({ email: 'ada@mail.example', makesAdmin: true });
    const json = { token, name: 'Ada' };
    assert.is((await ask(run, 'POST', '/links/redeem', { json, headers })).status, 200);
    assert.equal(
      run.rows('SELECT ip FROM operator_sessions').map((row: Json) => row.ip),
      [ip],
    );
    assert.ok(run.rows('SELECT ip FROM audit_log').every((row: Json) => row.ip === ip));
  });
}

test('X-Forwarded-Host is not the Host', async () => {
  const { host } = new URL(behindOne.portal);
  const forged = { host: 'evil.example', 'x-forwarded-host': host };
  assertError(await ask(behindOne, 'POST', '/session/options', { headers: forged }), 'origin_not_allowed');
  const foreign = { 'x-forwarded-host': 'evil.example' };
  assert.is((await ask(behindOne, 'POST', '/session/options', { headers: foreign })).status, 200);
});

test.run();
