/** An encoder whose descriptors have a constant as their 128th number: another number there is refused by its field. */
import * as assert from 'uvu/assert';
import { assertError, challenge, enroll, faces, match } from '../support/client.ts';
import { addTemplates } from '../support/me.ts';
import { NO_LIMITS } from '../support/no-limits.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder constant');
const run = serviceFor(test, { env: NO_LIMITS });

/** A descriptor as the SDK's MobileFaceNet makes it at this α, of any norm, and with this in place of its constant. */
function withConstant(alpha: number, last = Math.sqrt(1 - alpha), norm = 1): number[] {
  const own = faces.genuine(0).slice(0, 127);
  const length = Math.hypot(...own);
  return [...own.map(x => (x / length) * Math.sqrt(alpha) * norm), last * norm];
}

test('the constant of a known encoder is checked in every descriptor, and named by its field', async () => {
  const id = (alpha: number) => `mobilefacenet:192-svd127:five:${alpha}`;
  const [good, other] = [withConstant(0.863), withConstant(0.746)];
  for (const [encoder, descriptors, field] of [
    [id(0.863), [good], null],
    [id(0.863), [withConstant(0.863, undefined, 1e100)], null],
    [id(0.746), [other], null],
    [id(0.863), [other], 'descriptors[0][127]'],
    [id(0.863), [good, withConstant(0.863, 0)], 'descriptors[1][127]'],
    [id(0.863), [withConstant(0.863, -Math.sqrt(1 - 0.863))], 'descriptors[0][127]'],
    [id(0.863), [faces.genuine(0)], 'descriptors[0][127]'],
    [id(0.863), [[...Array(127).fill(0), 1]], 'descriptors[0][127]'],
    ['another', [faces.genuine(0)], null],
    [undefined, [faces.genuine(0)], null],
  ] as const) {
    const app = await run.createApp();
    const fields = { descriptors, ...(encoder && { encoder }) };
    const { challenge_id: challengeId } = await challenge(run, app);
    const of = { challengeId, descriptors: descriptors as never, fields };
    const answer = await enroll(run, app, of);
    const note = `${encoder} ${field}: ${answer.text}`;
    if (field === null) assert.is(answer.status, 201, note);
    else {
      assertError(answer, 'invalid_request', note);
      assert.ok(answer.json.error.message.startsWith(`${field}: must be the constant of this encoder`), note);
      const again = await enroll(run, app, { ...of, descriptors: [faces.genuine(0)] as never, fields: {} });
      assert.is(again.status, 201, `nothing was consumed: ${again.text}`);
    }
    if (field === null && encoder !== undefined && encoder !== 'another') {
      const wrong = { descriptors: [faces.genuine(0)], fields: { encoder } };
      assertError(await match(run, app, wrong), 'invalid_request', note);
      const { token } = answer.json;
      const added = await addTemplates(run, app, token, [faces.genuine(0)], { fields: { encoder } });
      assertError(added, 'invalid_request', note);
    }
  }
});

test.run();
