/** The limit of failed matches: 10 per address and app in 15 minutes; a face that is enrolled already counts too. */
import * as assert from 'uvu/assert';
import { assertError, enroll, enrolled, faces, type Mode, match } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const test = suite('failed-matches');
const run = serviceFor(test, { env: { LIMIT_FAILED_MATCHES: builtIn } });

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const stranger = [faces.stranger(1)];
async function fail(app: TestApp, ip: string, count: number, mode: Mode = 'live'): Promise<void> {
  for (let n = 0; n < count; n++)
    assertError(await match(run, app, { ip, mode, descriptors: stranger }), 'no_match');
}

test('successes do not count, and do not reset the count', async () => {
  const [app, ip] = [await run.createApp(), address()];
  await enrolled(run, app, { ip });
  for (let n = 0; n < 12; n++) assert.is((await match(run, app, { ip })).status, 200);
  await fail(app, ip, 9);
  assert.is((await match(run, app, { ip })).status, 200);
  await fail(app, ip, 1);
  assertError(await match(run, app, { ip, descriptors: stranger }), 'rate_limited');
});

test('a face that is enrolled already counts, and is answered 429 when the count is full', async () => {
  const [app, ip] = [await run.createApp(), address()];
  await enrolled(run, app, { ip });
  for (let n = 0; n < 5; n++) assertError(await enroll(run, app, { ip }), 'face_already_enrolled');
  await fail(app, ip, 5);
  assertError(await enroll(run, app, { ip }), 'rate_limited', 'enroll');
  const newFace = { ip, descriptors: [faces.genuine(1)] };
  assertError(await enroll(run, app, newFace), 'rate_limited', 'enroll of a new face');
  assertError(await match(run, app, { ip, descriptors: stranger }), 'rate_limited', 'match');
  assertError(await enroll(run, app, { ip: address() }), 'face_already_enrolled', 'from another address');
});

test('other failures do not count', async () => {
  const [app, ip] = [await run.createApp(), address()];
  const { user } = await enrolled(run, app, { ip });
  for (let n = 0; n < 12; n++) {
    assertError(await match(run, app, { ip, challengeId: 'ch_x' }), 'challenge_invalid');
    assertError(await match(run, app, { ip, descriptors: [] }), 'invalid_request');
    const taken = { ip, descriptors: [faces.genuine(5)], fields: { email: user.email } };
    assertError(await enroll(run, app, taken), 'email_taken');
  }
  await fail(app, ip, 10);
});

test.run();
