/** Which faces may be added to a user: every one by itself, near an enrolled template, and nobody else's. */
import * as assert from 'uvu/assert';
import {
  assertError,
  challenge,
  challenges,
  enrolled,
  faces,
  type Mode,
  match,
  tally,
  usage,
} from '../support/client.ts';
import { byCode, freshCode, verifyCode } from '../support/codes.ts';
import { addTemplates, between, confirmChange, distanceOf, profile, towards } from '../support/me.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-template-rules');
const run = serviceFor(test);

const ENROLLED = faces.genuine(0);
/** The nth face to learn: 0.3 from the enrolled one, more than 0.35 from all the others. */
const learnable = (n: number) => faces.atDistance(0, 0.3, n);
/** A face that only the template `of` can recognise: too far from the enrolled one, near to this one. */
const beyond = (of: number[], from = ENROLLED) => towards(from, of, 0.45);

async function somebody(mode: Mode = 'live', descriptors = [ENROLLED]) {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode, descriptors })) };
}
async function learn(app: TestApp, token: string, ...descriptors: number[][]): Promise<number> {
  run.clock.advance(1_000);
  const answer = await addTemplates(run, app, token, descriptors);
  assert.is(answer.status, 201, answer.text);
  return answer.json.template_count;
}
const recognised = async (app: TestApp, probe: number[]): Promise<boolean> =>
  (await match(run, app, { descriptors: [probe] })).status === 200;
async function refused(app: TestApp, token: string, descriptors: number[][], note = ''): Promise<void> {
  const before = await profile(run, token);
  assertError(await addTemplates(run, app, token, descriptors), 'no_match', note);
  assert.equal(await profile(run, token), before, note);
}

test('a learned template is found by matches from then on, after a restart too', async () => {
  let own = await startService({ env: { BASE_URL: 'https://id.example.com' } });
  try {
    const app = await own.createApp();
    const { token, user } = await enrolled(own, app, { descriptors: [ENROLLED] });
    const probe = { descriptors: [beyond(learnable(0))] };
    assertError(await match(own, app, probe), 'no_match', 'before');
    assert.is((await addTemplates(own, app, token, [learnable(0)])).status, 201);
    assert.is((await match(own, app, probe)).json.user?.id, user.id, 'after');
    own = await own.restart();
    assert.is((await match(own, app, probe)).json.user?.id, user.id, 'after a restart');
    assertError(await addTemplates(own, app, token, probe.descriptors), 'no_match', 'still learned');
  } finally {
    await own.close();
  }
});

test('learned templates do not chain: a face near a learned one only signs in, but is not learned', async () => {
  const { app, token } = await somebody();
  await learn(app, token, learnable(0));
  const next = beyond(learnable(0));
  assert.ok(distanceOf(next, learnable(0)) < 0.1 && distanceOf(next, ENROLLED) > 0.35);
  assert.ok(await recognised(app, next));
  await refused(app, token, [next]);
});

test('a template that was enrolled second is as good as the first', async () => {
  const { app, token } = await somebody('live', [ENROLLED, learnable(0)]);
  assert.is(await learn(app, token, beyond(learnable(0))), 3);
});

for (const [away, good] of [
  [0, true],
  [0.345, true],
  [0.355, false],
  [1, false],
] as const)
  test(`a face at distance ${away} from the enrolled one is ${good ? 'learned' : 'refused'}`, async () => {
    const { app, token } = await somebody();
    const probe = away === 0 ? ENROLLED : faces.atDistance(0, away);
    if (good) assert.is(await learn(app, token, probe), 2);
    else await refused(app, token, [probe]);
  });

for (const place of [0, 1, 2])
  test(`every descriptor must pass by itself: one stranger in place ${place + 1} of three refuses all`, async () => {
    const { app, token } = await somebody();
    const three = [learnable(0), learnable(1), learnable(2)];
    await refused(
      app,
      token,
      three.map((face, n) => (n === place ? faces.stranger(1) : face)),
    );
    for (const face of three) assert.not.ok(await recognised(app, beyond(face)), 'nothing was learned');
    assert.is(await learn(app, token, ...three), 4, 'without the stranger all three are');
  });

test('two descriptors of one request do not vouch for each other', async () => {
  const { app, token } = await somebody();
  await refused(app, token, [learnable(0), beyond(learnable(0))]);
  await refused(app, token, [beyond(learnable(0)), learnable(0)]);
});

test('the nearest user must be the one of the token', async () => {
  const { app, token } = await somebody();
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await refused(app, token, [faces.genuine(1, 1)], 'the face of another user');
  await refused(app, other.token, [faces.genuine(0, 1)], 'the other way round');
  await refused(app, token, [faces.genuine(0, 1), faces.genuine(1, 1)], 'one of each');
  await refused(app, token, [faces.lookAlike(0, 1)], 'midway');
});

for (const [near, far, good] of [
  [0.3, 0.341, false],
  [0.3, 0.355, true],
  [0.32, 0.355, false],
  [0.345, 0.388, true],
  [0.341, 0.3, false],
  [0.2, 0.1, false],
] as const)
  test(`a face at ${near} from the user and ${far} from another one is ${good ? 'learned' : 'refused'}`, async () => {
    const { app, token } = await somebody();
    const rival = near + far < 0.4 ? faces.atDistance(0, 0.36) : faces.genuine(2);
    await enrolled(run, app, { descriptors: [rival] });
    const probe = between(ENROLLED, rival, near, far);
    assert.ok(
      Math.abs(distanceOf(probe, ENROLLED) - near) < 1e-6 && Math.abs(distanceOf(probe, rival) - far) < 1e-6,
    );
    if (good) assert.is(await learn(app, token, probe), 2);
    else await refused(app, token, [probe]);
  });

test('the learned templates of another user count for the margin', async () => {
  const { app, token } = await somebody();
  const rival = faces.atDistance(0, 1.1);
  const other = await enrolled(run, app, { descriptors: [rival] });
  const step = towards(ENROLLED, rival, 0.36);
  const probe = between(ENROLLED, step, 0.33, 0.355);
  assert.ok(distanceOf(step, rival) < 0.35 && distanceOf(probe, rival) > 0.4);
  assert.ok(await recognised(app, probe), 'only the rival as enrolled, far away');
  await learn(app, other.token, step);
  assert.not.ok(await recognised(app, probe));
  await refused(app, token, [probe]);
});

test('at most ten templates: the oldest learned one goes first', async () => {
  const { app, token } = await somebody();
  for (let n = 0; n < 9; n++) assert.is(await learn(app, token, learnable(n)), n + 2);
  for (let n = 0; n < 9; n++) assert.ok(await recognised(app, beyond(learnable(n))), `learned ${n}`);
  assert.is(await learn(app, token, learnable(9)), 10);
  assert.not.ok(await recognised(app, beyond(learnable(0))), 'the oldest is gone');
  assert.ok(await recognised(app, beyond(learnable(1))), 'the second oldest is not');
  assert.is(await learn(app, token, learnable(10), learnable(11), learnable(12)), 10);
  const left = [];
  for (let n = 0; n < 13; n++) if (await recognised(app, beyond(learnable(n)))) left.push(n);
  assert.equal(left, [4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.ok(await recognised(app, ENROLLED));
  assert.is((await profile(run, token)).template_count, 10);
});

test('enrolled templates are never dropped, however many are learned', async () => {
  const five = [0, 1, 2, 3, 4].map(n => faces.atDistance(0, 0.32, 50 + n));
  const { app, token } = await somebody('live', five);
  const near = (n: number) => five[n % 5] as number[];
  for (let n = 0; n < 15; n += 3)
    await learn(app, token, ...[n, n + 1, n + 2].map(m => towards(near(m), faces.stranger(m), 0.2)));
  assert.is((await profile(run, token)).template_count, 10);
  const centre = faces.genuine(0);
  for (const [n, face] of five.entries())
    assert.ok(await recognised(app, towards(centre, face, 0.5)), `enrolled ${n}`);
});

test('a refused add counts in the limit of failed matches, but not as one; beyond it every add is 429', async () => {
  await using own = await startService({ env: { LIMIT_FAILED_MATCHES: '3' } });
  const app = await own.createApp();
  const { token } = await enrolled(own, app);
  const before = usage(own, app);
  const stranger = [faces.stranger(1)];
  for (let n = 0; n < 2; n++) assertError(await addTemplates(own, app, token, stranger), 'no_match');
  assert.equal(usage(own, app), before);
  assertError(await match(own, app, { descriptors: stranger }), 'no_match', 'one limit for both');
  own.clock.advance(60_000);
  const { challenge_id: challengeId } = await challenge(own, app);
  for (const faces of [stranger, [ENROLLED]]) {
    const answer = await addTemplates(own, app, token, faces, { challengeId });
    assertError(answer, 'rate_limited', 'whatever the face');
    assert.is(answer.headers['retry-after'], '840');
  }
  assertError(await match(own, app, { descriptors: stranger }), 'rate_limited');
  assertError(await match(own, app, { descriptors: stranger, mode: 'test' }), 'no_match', 'test mode');
  own.clock.advance(14 * 60_000);
  assert.is((await addTemplates(own, app, token, [ENROLLED])).status, 201, "after the window's end");
});

test('a burst of 100 refused adds gets exactly 10 answers', async () => {
  await using own = await startService({ env: { LIMIT_FAILED_MATCHES: '10' } });
  const app = await own.createApp();
  const { token } = await enrolled(own, app);
  const ids = await challenges(own, app, 100);
  const answers = await Promise.all(
    ids.map(challengeId => addTemplates(own, app, token, [faces.stranger(1)], { challengeId })),
  );
  assert.equal(tally(answers), { '401 no_match': 10, '429 rate_limited': 90 });
});

for (const [failures, locked] of [
  [4, false],
  [5, true],
] as const)
  test(`${failures} refused adds ${locked ? 'lock the user out of' : 'still allow'} sign-in by email code`, async () => {
    const { app, user } = await somebody();
    const { token } = await byCode(run, app, user.email);
    const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
    // Strangers and the face of the other one: each counts against the user of the token.
    const faults = [faces.stranger(1), faces.genuine(1, 1)];
    for (let n = 0; n < failures; n++) await refused(app, token, [faults[n % 2] ?? []]);
    const answer = await verifyCode(run, app, user.email, await freshCode(run, app, user.email));
    if (locked) assertError(answer, 'rate_limited');
    else assert.is(answer.status, 200, answer.text);
    const second = await freshCode(run, app, other.user.email);
    assert.is((await verifyCode(run, app, other.user.email, second)).status, 200, 'nobody else');
    assert.is((await addTemplates(run, app, token, [faces.genuine(0, 1)])).status, 201, 'adding goes on');
    assertError(await confirmChange(run, token, '123456'), 'invalid_code');
  });

test.run();
