/** Lockout: five failures of a user in 15 minutes, over codes and matches, close email-code verify until the window ends. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, enrolled, faces, type Mode, match, someEmail } from '../support/client.ts';
import { failCodes, freshCode, member, signedIn, verifyCode, wrongCode } from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const test = suite('email-codes: lockout');
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

for (const mode of ['live', 'test'] as const) {
  test(`after five wrong codes verify is 429 until the window's end, for a right code too (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    await failCodes(run, app, email, 1, { mode });
    run.clock.advance(6 * MINUTE);
    const code = await freshCode(run, app, email, { mode });
    await failCodes(run, app, email, 4, { mode, right: code });
    locked(await verifyCode(run, app, email, code, { mode }), 9 * 60, 'right');
    locked(await verifyCode(run, app, email, wrongCode(code), { mode }), 9 * 60, 'wrong');
    run.clock.advance(9 * MINUTE - 1);
    locked(await verifyCode(run, app, email, code, { mode }), 1, 'a millisecond before the end');
    run.clock.advance(1);
    await signedIn(run, app, email, code, { mode });
  });

  test(`an address that nobody has is locked out alike (${mode})`, async () => {
    const app = await run.createApp();
    const email = someEmail();
    await failCodes(run, app, email, 3, { mode });
    run.clock.advance(6 * MINUTE);
    await failCodes(run, app, email.toUpperCase(), 2, { mode });
    locked(await verifyCode(run, app, ` ${email} `, '111111', { mode }), 9 * 60);
    run.clock.advance(9 * MINUTE - 1);
    locked(await verifyCode(run, app, email, '111111', { mode }), 1);
    run.clock.advance(1);
    await failCodes(run, app, email, 5, { mode });
    locked(await verifyCode(run, app, email, '111111', { mode }), 15 * 60, 'a new window');
  });
}

test('the answer to somebody locked out is the same whether or not the address is known', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const unknownEmail = someEmail();
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 5, { right: code });
  await failCodes(run, app, unknownEmail, 5);
  const [known, unknown] = [
    await verifyCode(run, app, email, code),
    await verifyCode(run, app, unknownEmail, code),
  ];
  locked(known, 900);
  locked(unknown, 900);
  assert.is(known.text, unknown.text);
  assert.equal(Object.keys(known.headers).sort(), Object.keys(unknown.headers).sort());
});

test('attempts while locked out are not evaluated: they count for nothing and prolong nothing', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  await failCodes(run, app, email, 5);
  run.clock.advance(10 * MINUTE);
  const code = await freshCode(run, app, email);
  for (let n = 0; n < 8; n++) locked(await verifyCode(run, app, email, wrongCode(code, n)), 300);
  run.clock.advance(5 * MINUTE);
  await failCodes(run, app, email, 4, { right: code });
  await signedIn(run, app, email, code);
});

test('a wrong code counts as a failure also when no code is pending', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  await failCodes(run, app, email, 5);
  locked(await verifyCode(run, app, email, await freshCode(run, app, email)), 900);
});

test('a new code does not reset the failures', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  for (const count of [2, 2, 1]) {
    const code = await freshCode(run, app, email);
    await failCodes(run, app, email, count, { right: code });
  }
  locked(await verifyCode(run, app, email, await freshCode(run, app, email)), 900);
});

test('a sign-in by code does not reset the failures', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 4, { right: code });
  await signedIn(run, app, email, code);
  await failCodes(run, app, email, 1);
  locked(await verifyCode(run, app, email, await freshCode(run, app, email)), 900);
});

test('a code may be asked for while locked out, and is good afterwards', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  await failCodes(run, app, email, 5);
  run.clock.advance(14 * MINUTE);
  const code = await freshCode(run, app, email);
  locked(await verifyCode(run, app, email, code), 60);
  run.clock.advance(MINUTE);
  await signedIn(run, app, email, code);
});

test('after the window five failures are allowed again', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  await failCodes(run, app, email, 4);
  run.clock.advance(15 * MINUTE);
  await failCodes(run, app, email, 5);
  locked(await verifyCode(run, app, email, '111111'), 900);
});

test('who enrolls with an address takes over the failures it has, with their window', async () => {
  const app = await run.createApp();
  const email = `New.${someEmail()}`;
  await failCodes(run, app, email.toLowerCase(), 3);
  run.clock.advance(5 * MINUTE);
  await enrolled(run, app, { fields: { email } });
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 2, { right: code });
  locked(await verifyCode(run, app, email, code), 600);
});

test('the lockout of one user, app or mode is not that of another', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  const { email } = await member(run, app);
  const neighbour = await member(run, app, { face: 1 });
  await member(run, app, { mode: 'test', email });
  await member(run, other, { email });
  await failCodes(run, app, email, 5);
  locked(await verifyCode(run, app, email, '111111'), 900);
  await signedIn(run, app, neighbour.email, await freshCode(run, app, neighbour.email));
  await signedIn(run, app, email, await freshCode(run, app, email, { mode: 'test' }), { mode: 'test' });
  // Two messages have gone to the one address by now: the newest is the other app's.
  await signedIn(run, other, email, await freshCode(run, other, email));
});

test('lockout survives a restart, of users and of addresses that nobody has', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const unknownEmail = someEmail();
  const code = await freshCode(run, app, email);
  await failMatches(app, 2);
  await failCodes(run, app, email, 3, { right: code });
  await failCodes(run, app, unknownEmail, 4);
  run.clock.advance(MINUTE);
  await run.restart();
  locked(await verifyCode(run, app, email, code), 14 * 60);
  await failCodes(run, app, unknownEmail, 1);
  locked(await verifyCode(run, app, unknownEmail, code), 14 * 60);
});

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
