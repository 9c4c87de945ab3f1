/**
 * A failed template add is a question about other people, so it is bounded by the failures of the token's user as well as
 * by those of the client's address: from however many addresses, and however many at once.
 */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  challenge,
  enrolled,
  faces,
  match,
  tally,
} from '../support/client.ts';
import { failCodes, freshCode, verifyCode } from '../support/codes.ts';
import { addTemplates, distanceOf, profile, towards } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('template adds of a user who failed too often');
const MOST = 20;
const limited = { env: { LIMIT_USER_FAILURES_DAY: String(MOST) } };
const run = serviceFor(test, limited);
/** Each node may compare one face more, whose answer is 429 as well. */
const alone = serviceFor(test, { ...limited, isAlone: true });

let addresses = 0;
const address = () => `203.0.113.${++addresses % 250}`;
const DAY_SECONDS = 86_400;
const own = faces.genuine(0, 2);
const foreign = faces.stranger(3);

function locked(answer: Answer, seconds = DAY_SECONDS): void {
  assertError(answer, 'rate_limited');
  assert.is(answer.headers['retry-after'], String(seconds));
}

async function failAdds(app: TestApp, token: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    assertError(await addTemplates(run, app, token, [foreign], { ip: address() }), 'no_match');
}

test('twenty a day from twenty addresses, and the next one is not judged, whatever it shows', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  await failAdds(app, token, MOST);
  const { challenge_id: challengeId } = await challenge(run, app, 'live', address());
  for (const face of [foreign, own])
    locked(await addTemplates(run, app, token, [face], { challengeId, ip: address() }));
  const code = await freshCode(run, app, user.email);
  assertError(await verifyCode(run, app, user.email, code), 'rate_limited');
  const found = await match(run, app, { challengeId, ip: address() });
  assert.is(found.status, 200, 'the challenge is not used, and the face signs in');
  run.clock.advance(DAY_SECONDS * 1_000);
  const again = (await match(run, app, { ip: address() })).json.token;
  assert.is((await addTemplates(run, app, again, [own], { ip: address() })).status, 201);
});

test('wrong codes do not count among failed adds: only the user can use these up', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  await failCodes(run, app, user.email, 2);
  await failAdds(app, token, MOST - 1);
  assert.is((await addTemplates(run, app, token, [own], { ip: address() })).status, 201);
  await failAdds(app, token, 1);
  locked(await addTemplates(run, app, token, [own], { ip: address() }));
});

test('another user of the app adds templates as ever', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await failAdds(app, token, MOST);
  locked(await addTemplates(run, app, token, [own], { ip: address() }));
  const answer = await addTemplates(run, app, other.token, [faces.genuine(1, 2)], { ip: address() });
  assert.is(answer.status, 201, answer.text);
});

for (const round of [1, 2])
  test(`fifty at once from fifty addresses: twenty are judged, the rest is 429 (round ${round})`, async () => {
    const app = await alone.createApp();
    const { token } = await enrolled(alone, app);
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) ids.push((await challenge(alone, app, 'live', address())).challenge_id);
    const answers = await atOnce(50, n =>
      addTemplates(alone, app, token, [foreign], { challengeId: ids[n] ?? '', ip: address() }),
    );
    assert.equal(tally(answers), { '401 no_match': MOST, '429 rate_limited': 50 - MOST });
    const judged = alone.rows(
      `SELECT 1 FROM auth_events WHERE app_id = ? AND type = 'templates_refused'`,
      app.id,
    );
    assert.is(judged.length, MOST, 'the rest was not compared with anybody');
  });

const unlimited = serviceFor(test);

const ATTACKER = faces.genuine(0);
const VICTIM = faces.atDistance(0, 0.8);
/** Six steps towards the victim, as far as the attacker's enrolled template reaches. */
const STEPS = [1, 2, 3, 4, 5, 6].map(n => towards(ATTACKER, VICTIM, (n * 0.345) / 6));

for (const [name, calls] of [
  ['in six adds', STEPS.map(step => [step])],
  ['three at a time', [STEPS.slice(0, 3), STEPS.slice(3)]],
] as const)
  test(`learned templates do not walk to where another user's template is within the threshold: ${name}`, async () => {
    const app = await unlimited.createApp();
    const attacker = await enrolled(unlimited, app, { descriptors: [ATTACKER] });
    const victim = await enrolled(unlimited, app, { descriptors: [VICTIM] });
    let learned = 1;
    for (const descriptors of calls) {
      const answer = await addTemplates(unlimited, app, attacker.token, descriptors);
      if (descriptors.every(step => distanceOf(step, VICTIM) >= 0.35)) {
        assert.is(answer.status, 201, answer.text);
        learned += descriptors.length;
      } else assertError(answer, 'no_match');
    }
    assert.ok(learned < 4, 'most of the way is within the threshold of the victim');
    assert.is((await profile(unlimited, attacker.token)).template_count, learned);
    // The victim's own captures, among them those that happen to lie in the direction of the attacker.
    for (const capture of [VICTIM, towards(VICTIM, ATTACKER, 0.03), towards(VICTIM, ATTACKER, 0.06)]) {
      const answer = await match(unlimited, app, { descriptors: [capture] });
      assert.is(answer.json.user?.id, victim.user.id, answer.text);
    }
    assert.is((await match(unlimited, app, { descriptors: [ATTACKER] })).json.user?.id, attacker.user.id);
  });

test('a walk onto learned templates of the victim is refused as well', async () => {
  const app = await unlimited.createApp();
  const attacker = await enrolled(unlimited, app, { descriptors: [ATTACKER] });
  const victim = await enrolled(unlimited, app, { descriptors: [faces.atDistance(0, 0.95)] });
  const learned = towards(faces.atDistance(0, 0.95), ATTACKER, 0.2);
  assert.is((await addTemplates(unlimited, app, victim.token, [learned])).status, 201);
  const step = towards(ATTACKER, learned, 0.12);
  assert.ok(distanceOf(step, learned) < 0.34 && distanceOf(step, faces.atDistance(0, 0.95)) > 0.4);
  assertError(await addTemplates(unlimited, app, attacker.token, [step]), 'no_match');
});

test.run();
