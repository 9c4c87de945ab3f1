/**
 * Somebody who can write the database puts an address of theirs into a user's row. The keyed hash beside it does not fit
 * then, and no message goes there: neither a code nor the notice of a change.
 */
import * as assert from 'uvu/assert';
import { assertError, enrolled, match, someEmail, soon } from '../support/client.ts';
import { byCode, requestCode, verifyCode } from '../support/codes.ts';
import { changeEmail } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('altered address');
const run = serviceFor(test);

const ATTACKER = 'attacker@evil.example';

const alter = (id: string, email: string) => run.change('UPDATE users SET email = ? WHERE id = ?', email, id);

test('no code goes to an address that was put in the row, whichever address is asked for', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const before = run.mails().length;
  alter(user.id, ATTACKER);
  for (const email of [user.email, ATTACKER]) {
    assert.is((await requestCode(run, app, email)).status, 202, 'as for an address that nobody has');
    assertError(await verifyCode(run, app, email, '123456'), 400, 'invalid_code');
  }
  assert.equal(run.rows('SELECT * FROM email_codes WHERE user_id = ?', user.id), []);
  assert.is(run.mails().length, before);
  alter(user.id, user.email);
  await byCode(run, app, user.email);
  assert.is(run.mails(ATTACKER).length, 0);
});

test('a change of address tells nobody at an address that was put in the row', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  alter(user.id, ATTACKER);
  const email = someEmail();
  await changeEmail(run, token, email);
  await byCode(run, app, email);
  assert.is((await match(run, app)).json.user.email, email, 'the row is good again');
  const again = someEmail();
  await changeEmail(run, token, again);
  await soon(
    async () => run.mails(email).some(({ subject }) => / was changed$/.test(subject)),
    'a true one is told',
  );
  assert.is(run.mails(ATTACKER).length, 0);
});

test.run();
