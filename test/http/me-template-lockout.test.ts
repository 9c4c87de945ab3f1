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
import { addTemplates } from '../support/me.ts';
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

test.run();
