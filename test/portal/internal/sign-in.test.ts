/** Signing in and out of the portal over HTTP. */
import * as assert from 'uvu/assert';
import { createAuthenticator } from '../../support/authenticator.ts';
import { assertError } from '../../support/client.ts';
import { ask, begunBy, cookiesOf, operatorsFor } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: sign-in');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

test('a link signs in once', async () => {
  const { token } = await operators.link({ makesAdmin: true });
  const json = { token, name: 'Ada Lovelace', email: 'ada@mail.example' };
  const answer = await ask(run, 'POST', '/links/redeem', { json });
  const session = begunBy(answer);
  assert.equal(answer.json.operator, {
    id: session.id,
    name: 'Ada Lovelace',
    email: 'ada@mail.example',
    is_admin: true,
    teams: [],
  });
  const own = await ask(run, 'GET', '/session', { as: session });
  assert.is(own.status, 200, own.text);
  assertError(await ask(run, 'POST', '/links/redeem', { json }), 410, 'link_used');
});

test.run();
