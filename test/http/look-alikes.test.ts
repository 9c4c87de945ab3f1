/** A face made to lie beside another one: it locks nobody out, and operators see both users. */
import * as assert from 'uvu/assert';
import { assertError, enrolled, faces, match, soon } from '../support/client.ts';
import { freshCode, signedIn } from '../support/codes.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('look-alikes');
const run = serviceFor(test);

async function problem() {
  const { problems } = await (await fetch(`${run.portal}/health`)).json();
  return problems.find(({ name }: { name: string }) => name === 'look-alikes');
}

test('a face between two users counts for nobody’s lockout, and health names both', async () => {
  const app = await run.createApp();
  const one = await enrolled(run, app);
  run.clock.advance(1_000);
  await enrolled(run, app, { descriptors: [faces.genuine(5)] });
  const two = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const times = () => run.rows('SELECT count FROM look_alikes WHERE app_id = ?', app.id)[0]?.count ?? 0;
  for (let n = 1; n <= 6; n++) {
    assert.is(await problem(), undefined, `${n - 1} times`);
    const answer = await match(run, app, { descriptors: [faces.lookAlike(0, 1)] });
    assertError(answer, 'no_match');
    await soon(async () => times() === n, 'the pair to be counted');
    if (n >= 3) break;
  }
  const { message, fix } = await problem();
  const both = `${one.user.id} and ${two.user.id} (enrolled later) in ${app.id} (live), 3 times`;
  assert.is(message, `Users are hard to tell apart, and may not be recognised: ${both}.`);
  assert.match(fix, /^Check both people before you act\./);
  assert.not.match(fix, /delete/i);
  for (let n = 0; n < 3; n++) await match(run, app, { descriptors: [faces.lookAlike(0, 1)] });
  for (const { user } of [one, two])
    await signedIn(run, app, user.email, await freshCode(run, app, user.email));
  assert.equal(run.rows('SELECT younger_id FROM look_alikes WHERE app_id = ?', app.id), [
    { younger_id: two.user.id },
  ]);
});

test.run();
