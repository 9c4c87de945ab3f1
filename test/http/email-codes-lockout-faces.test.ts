/** Lockout and faces: failed matches near a user count as that user's failures, and matching goes on regardless. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, faces, type Mode, match } from '../support/client.ts';
import { failCodes, freshCode, member, signedIn, verifyCode } from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: lockout and faces');
const run = serviceFor(test);

function locked(answer: Answer, seconds: number, note = ''): void {
  assertError(answer, 'rate_limited', note);
  assert.is(answer.headers['retry-after'], String(seconds), note);
}
const near = [faces.atDistance(0, 0.37)];
async function failMatches(app: TestApp, count: number, descriptors = near, mode: Mode = 'live') {
  for (let n = 0; n < count; n++)
    assertError(await match(run, app, { mode, descriptors }), 'no_match', `match ${n + 1} of ${count}`);
}

test('a sign-in by face does not reset the failures', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  await failCodes(run, app, email, 4);
  assert.is((await match(run, app)).status, 200);
  await failCodes(run, app, email, 1);
  assert.is((await match(run, app)).status, 200, 'locked out of codes, not of faces');
  locked(await verifyCode(run, app, email, await freshCode(run, app, email)), 900);
});

const counts: [string, number[], boolean][] = [
  ['just outside the threshold', faces.atDistance(0, 0.355), true],
  ['just inside threshold and margin together', faces.atDistance(0, 0.385), true],
  ['just outside threshold and margin together', faces.atDistance(0, 0.395), false],
  ['a stranger', faces.stranger(1), false],
];
for (const [name, probe, counted] of counts) {
  test(`a failed match ${counted ? 'counts' : 'does not count'} toward lockout: ${name}`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app);
    const code = await freshCode(run, app, email);
    await failMatches(app, 5, [probe]);
    if (counted) locked(await verifyCode(run, app, email, code), 900);
    else await signedIn(run, app, email, code);
  });
}

test('failed matches and wrong codes count together, whichever comes first', async () => {
  for (const first of ['matches', 'codes']) {
    const app = await run.createApp();
    const { email } = await member(run, app);
    if (first === 'matches') await failMatches(app, 2);
    await failCodes(run, app, email, 3);
    if (first === 'codes') await failMatches(app, 2);
    locked(await verifyCode(run, app, email, await freshCode(run, app, email)), 900, first);
  }
});

test('a failed match between two users counts for the nearest one only', async () => {
  const app = await run.createApp();
  const [one, two] = [await member(run, app), await member(run, app, { face: 2 })];
  await failMatches(app, 5, [faces.atDistance(2, 0.37)]);
  await signedIn(run, app, one.email, await freshCode(run, app, one.email));
  locked(await verifyCode(run, app, two.email, await freshCode(run, app, two.email)), 900);
});

test('a match that fails for the margin alone counts for nobody', async () => {
  const app = await run.createApp();
  const people = [await member(run, app), await member(run, app, { face: 1 })];
  await failMatches(app, 5, [faces.lookAlike(0, 1)]);
  const statuses = [];
  for (const { email } of people)
    statuses.push((await verifyCode(run, app, email, await freshCode(run, app, email))).status);
  assert.equal(statuses, [200, 200]);
});

test('a failed match that was refused for its address does not count toward lockout', async () => {
  await using on = await startService({ env: { LIMIT_FAILED_MATCHES: '4' } });
  const app = await on.createApp();
  const { email } = await member(on, app);
  const ip = '203.0.113.1';
  for (let n = 0; n < 4; n++) assertError(await match(on, app, { ip, descriptors: near }), 'no_match');
  for (let n = 0; n < 3; n++) assertError(await match(on, app, { ip, descriptors: near }), 'rate_limited');
  await signedIn(on, app, email, await freshCode(on, app, email));
});

test.run();
