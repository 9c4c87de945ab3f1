/** Everything at once: one code makes one token, five guesses are evaluated, one of many codes stays pending. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  call,
  challenges,
  faces,
  match,
  server,
  someEmail,
  tally,
  usage,
  verify,
} from '../support/client.ts';
import { codeIn, freshCode, mailsTo, member, requestCode, verifyCode, wrongCode } from '../support/codes.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: races');
const run = serviceFor(test);

const count = (answers: Answer[], kind: string) => tally(answers)[kind] ?? 0;
/** Only these answers, and no more than five evaluated as wrong. */
function assertBounded(answers: Answer[], note = ''): void {
  const { 200: _, '400 invalid_code': wrong = 0, '429 rate_limited': __, ...rest } = tally(answers);
  assert.equal(rest, {}, note);
  assert.ok(wrong <= 5, `${wrong} evaluated as wrong`);
}

for (const mode of ['live', 'test'] as const) {
  test(`one code verified 50 times at once makes one token (${mode})`, async () => {
    for (let round = 0; round < 5; round++) {
      const app = await run.createApp();
      const { email } = await member(run, app, { mode });
      const code = await freshCode(run, app, email, { mode });
      const answers = await atOnce(50, () => verifyCode(run, app, email, code, { mode }));
      assert.is(count(answers, '200'), 1, JSON.stringify(tally(answers)));
      assertBounded(answers);
      assert.is(usage(run, app, mode).auths, 2, 'the enroll and one sign-in');
    }
  });
}

for (const [whose, known] of [
  ['somebody has', true],
  ['nobody has', false],
] as const) {
  test(`of 100 wrong guesses at once for an address that ${whose} five are evaluated`, async () => {
    const app = await run.createApp();
    const email = known ? (await member(run, app)).email : someEmail();
    const code = known ? await freshCode(run, app, email) : '500000';
    const answers = await atOnce(100, n => verifyCode(run, app, email, wrongCode(code, n)));
    assert.equal(tally(answers), { '400 invalid_code': 5, '429 rate_limited': 95 });
    for (const one of answers.filter(({ status }) => status === 429))
      assert.is(one.headers['retry-after'], '900');
    assertError(await verifyCode(run, app, email, code), 429, 'rate_limited', 'the right one');
  });
}

test('wrong codes and failed matches at once: five failures together, then lockout', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const ids = await challenges(run, app, 4);
  const code = await freshCode(run, app, email);
  const [guesses, matches] = await Promise.all([
    atOnce(20, n => verifyCode(run, app, email, wrongCode(code, n))),
    atOnce(4, n => match(run, app, { challengeId: ids[n] ?? '', descriptors: [faces.atDistance(0, 0.37)] })),
  ]);
  assert.equal(tally(matches), { '401 no_match': 4 });
  assertBounded(guesses);
  assertError(await verifyCode(run, app, email, code), 429, 'rate_limited');
});

test('a right code among four wrong ones at once always signs in', async () => {
  for (let round = 0; round < 5; round++) {
    const app = await run.createApp();
    const { email } = await member(run, app);
    const code = await freshCode(run, app, email);
    const codes = [...Array.from({ length: 4 }, (_, n) => wrongCode(code, n))];
    codes.splice(round, 0, code);
    const answers = await Promise.all(codes.map(one => verifyCode(run, app, email, one)));
    assert.equal(tally(answers), { 200: 1, '400 invalid_code': 4 });
    assert.is(answers[round]?.status, 200);
  }
});

test('of the codes of five requests at once exactly one is pending', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const answers = await atOnce(5, () => requestCode(run, app, email));
  assert.equal(tally(answers), { 202: 5 });
  const codes = new Set((await mailsTo(run, email, 5)).map(codeIn));
  const tried: Answer[] = [];
  for (const code of codes) tried.push(await verifyCode(run, app, email, code));
  assert.is(count(tried, '200'), 1, JSON.stringify(tally(tried)));
});

test('a verify beside the deletion of its user leaves no session behind', async () => {
  for (let round = 0; round < 6; round++) {
    const app = await run.createApp();
    const { id, email } = await member(run, app);
    const code = await freshCode(run, app, email);
    const remove = () => call(run, 'DELETE', `/v1/users/${id}`, { headers: server(app) });
    const both = [() => verifyCode(run, app, email, code), remove];
    if (round % 2) both.reverse();
    const answers = await Promise.all(both.map(one => one()));
    const signIn = answers[round % 2] as Answer;
    assert.is(answers[1 - (round % 2)]?.status, 204);
    if (signIn.status === 200)
      assert.equal((await verify(run, app, signIn.json.token)).json, {
        valid: false,
        reason: 'user_not_found',
      });
    else assertError(signIn, 400, 'invalid_code');
    assertError(await verifyCode(run, app, email, code), 400, 'invalid_code');
  }
});

test.run();
