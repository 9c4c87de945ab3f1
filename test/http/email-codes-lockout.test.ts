/** Lockout: five failures of a user in 15 minutes, over codes and matches, close email-code verify until the window ends. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, enrolled, faces, type Mode, match, someEmail } from '../support/client.ts';
import { failCodes, freshCode, member, signedIn, verifyCode, wrongCode } from '../support/codes.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
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

test.run();
