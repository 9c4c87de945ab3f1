/**
 * An attack on what template add is for: small steps, each near the last one, from the attacker's own face to another
 * person's. Measured against the attacker's learned templates every step keeps the margin, so only the rule that nobody
 * else may be within the threshold ends the walk. Fails when the walk gets there: then the victim is refused, or signed
 * in as the attacker.
 */
import * as assert from 'uvu/assert';
import { assertError, enrolled, faces, match } from '../support/client.ts';
import { addTemplates, distanceOf, profile, towards } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-template-walk');
const run = serviceFor(test);

const ATTACKER = faces.genuine(0);
const VICTIM = faces.atDistance(0, 0.8);
/** Six steps towards the victim, as far as the attacker's enrolled template reaches. */
const STEPS = [1, 2, 3, 4, 5, 6].map(n => towards(ATTACKER, VICTIM, (n * 0.345) / 6));

for (const [name, calls] of [
  ['in six adds', STEPS.map(step => [step])],
  ['three at a time', [STEPS.slice(0, 3), STEPS.slice(3)]],
] as const)
  test(`learned templates do not walk to where another user's template is within the threshold: ${name}`, async () => {
    const app = await run.createApp();
    const attacker = await enrolled(run, app, { descriptors: [ATTACKER] });
    const victim = await enrolled(run, app, { descriptors: [VICTIM] });
    let learned = 1;
    for (const descriptors of calls) {
      const answer = await addTemplates(run, app, attacker.token, descriptors);
      if (descriptors.every(step => distanceOf(step, VICTIM) >= 0.35)) {
        assert.is(answer.status, 201, answer.text);
        learned += descriptors.length;
      } else assertError(answer, 'no_match');
    }
    assert.ok(learned < 4, 'most of the way is within the threshold of the victim');
    assert.is((await profile(run, attacker.token)).template_count, learned);
    // The victim's own captures, among them those that happen to lie in the direction of the attacker.
    for (const capture of [VICTIM, towards(VICTIM, ATTACKER, 0.03), towards(VICTIM, ATTACKER, 0.06)]) {
      const answer = await match(run, app, { descriptors: [capture] });
      assert.is(answer.json.user?.id, victim.user.id, answer.text);
    }
    assert.is((await match(run, app, { descriptors: [ATTACKER] })).json.user?.id, attacker.user.id);
  });

test('a walk onto learned templates of the victim is refused as well', async () => {
  const app = await run.createApp();
  const attacker = await enrolled(run, app, { descriptors: [ATTACKER] });
  const victim = await enrolled(run, app, { descriptors: [faces.atDistance(0, 0.95)] });
  const learned = towards(faces.atDistance(0, 0.95), ATTACKER, 0.2);
  assert.is((await addTemplates(run, app, victim.token, [learned])).status, 201);
  const step = towards(ATTACKER, learned, 0.12);
  assert.ok(distanceOf(step, learned) < 0.34 && distanceOf(step, faces.atDistance(0, 0.95)) > 0.4);
  assertError(await addTemplates(run, app, attacker.token, [step]), 'no_match');
});

test.run();
