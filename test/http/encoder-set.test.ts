/** Who decides which encoder an app remembers: the operator, and no enrolment once there are templates. */
import * as assert from 'uvu/assert';
import { assertError, enroll, enrolled, faces, match } from '../support/client.ts';
import { addTemplates } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder: who sets it');
const run = serviceFor(test);

const A = 'mobilefacenet-1';
const B = 'another-1';
const named = (encoder: string) => ({ fields: { encoder } });
const remembered = async (app: TestApp) =>
  (await run.cli(['app', 'encoder', 'show', '--app', app.id, '--mode', 'live'])).json.encoder;

test('a page of users enrolled without a name is not locked out by somebody who names one', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const attack = { descriptors: [faces.genuine(7)], ...named('nonsense') };
  assert.is((await enroll(run, app, attack)).status, 201);
  assert.is(await remembered(app), null);
  assert.is((await match(run, app, named(A))).status, 200);
  const set = ['app', 'encoder', 'set', '--app', app.id, '--mode', 'live', '--encoder', A];
  assert.is((await run.cli(set)).json.encoder, A);
  assertError(await match(run, app, named(B)), 'encoder_mismatch');
  assert.is((await match(run, app, named(A))).status, 200);
  assert.is((await addTemplates(run, app, token, [faces.genuine(0, 2)], named(A))).status, 201);
});

test('an encoder that the operator has set is not decided by the first enrolment', async () => {
  const app = await run.createApp();
  await run.cli(['app', 'encoder', 'set', '--app', app.id, '--mode', 'live', '--encoder', A]);
  assertError(await enroll(run, app, named(B)), 'encoder_mismatch');
  assert.is((await enroll(run, app, named(A))).status, 201);
});

test.run();
