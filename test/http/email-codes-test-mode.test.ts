/** Email codes with a test key: the fixed code, no message, a cap of its own; and four tenants that share nothing. */
import * as assert from 'uvu/assert';
import { assertError, type Json, type Mode, planFile, someEmail, usage } from '../support/client.ts';
import { freshCode, member, requestCode, signedIn, TEST_CODE, verifyCode } from '../support/codes.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const mode = 'test';
const test = suite('email-codes: test mode');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1 }) } });

test('the code of test mode is 000000, and no message is sent', async () => {
  const app = await run.createApp();
  const { id, email } = await member(run, app, { mode });
  const before = run.mails().length;
  assert.is((await requestCode(run, app, email, { mode })).status, 202);
  assert.is((await signedIn(run, app, email, '000000', { mode })).user.id, id);
  assert.is(run.mails().length, before);
});

test('every other code is wrong in test mode', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app, { mode });
  await requestCode(run, app, email, { mode });
  for (const code of ['000001', '100000', '111111', '999999'])
    assertError(await verifyCode(run, app, email, code, { mode }), 'invalid_code', code);
  await signedIn(run, app, email, TEST_CODE, { mode });
});

test('000000 opens nothing in live mode', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  let code = TEST_CODE;
  while (code === TEST_CODE) code = await freshCode(run, app, email);
  assertError(await verifyCode(run, app, email, TEST_CODE), 'invalid_code');
  await signedIn(run, app, email, code);
});

test('test sign-ins are free of the plan, and counted apart', async () => {
  const app = await run.createApp({ plan: 'one' });
  await member(run, app);
  const { email } = await member(run, app, { mode });
  for (let n = 0; n < 3; n++) {
    await requestCode(run, app, email, { mode });
    await signedIn(run, app, email, TEST_CODE, { mode });
  }
  assert.equal(usage(run, app, mode), { auths: 4, enrolls: 1, matches_ok: 0, matches_failed: 0 });
  assert.is(usage(run, app).auths, 1);
});

interface Tenant {
  app: TestApp;
  mode: Mode;
  user: Json;
}

/** One address in two apps and two modes. */
async function fourTenants(): Promise<{ tenants: Tenant[]; email: string }> {
  const email = `same.${someEmail()}`;
  const tenants: Tenant[] = [];
  for (const app of [await run.createApp({ name: 'One' }), await run.createApp({ name: 'Two' })])
    for (const one of ['live', 'test'] as const)
      tenants.push({ app, mode: one, user: await member(run, app, { mode: one, email }) });
  return { tenants, email };
}

test('a message names its own app only', async () => {
  const { tenants, email } = await fourTenants();
  for (const { app, mode: own } of tenants) await freshCode(run, app, email, { mode: own });
  const subjects = run.mails(email).map(mail => mail.subject);
  assert.is(subjects.length, 2, 'live apps only');
  for (const name of ['One', 'Two']) assert.is(subjects.filter(text => text.includes(name)).length, 1, name);
});

test.run();
