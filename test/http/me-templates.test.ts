/** Adding templates to one's own user: the challenge, the fields, the answer, and what it does not count. */
import * as assert from 'uvu/assert';
import {
  assertError,
  browser,
  call,
  challenges,
  decoded,
  enroll,
  enrolled,
  faces,
  iso,
  type Mode,
  match,
  planFile,
  server,
  usage,
  verify,
} from '../support/client.ts';
import { byCode } from '../support/codes.ts';
import { addTemplates, profile } from '../support/me.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-templates');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1 }) } });

const more = [faces.genuine(0, 1)];
async function somebody(mode: Mode = 'live', plan = 'unlimited') {
  const app = await run.createApp({ plan });
  return { app, ...(await enrolled(run, app, { mode })) };
}
const countOf = async (token: string): Promise<number> => (await profile(run, token)).template_count;

for (const mode of ['live', 'test'] as const)
  test(`it answers the user, a fresh token, its end and the number of templates (${mode})`, async () => {
    const { app, user, token } = await somebody(mode);
    run.clock.advance(90_500);
    const answer = await addTemplates(run, app, token, more, { mode });
    assert.is(answer.status, 201, answer.text);
    assert.equal(Object.keys(answer.json).sort(), ['expires_at', 'template_count', 'token', 'user']);
    assert.equal(answer.json.user, user);
    assert.is(answer.json.template_count, 2);
    const { jti, ...claims } = decoded(answer.json.token).claims;
    const iat = Math.floor(run.clock.now() / 1_000);
    assert.is.not(jti, decoded(token).claims.jti);
    assert.equal(claims, {
      iss: run.base,
      aud: [mode === 'live' ? 'svc' : 'svc_test', app.id],
      sub: user.id,
      app_id: app.id,
      email: user.email,
      iat,
      exp: iat + 3_600,
      amr: ['face'],
      email_verified: false,
      livemode: mode === 'live',
    });
    assert.is(answer.json.expires_at, iso(claims.exp * 1_000));
    assert.match(String(answer.headers['cache-control']), /no-store/);
    for (const one of [token, answer.json.token])
      assert.is((await verify(run, app, one, mode)).json.valid, true, 'both sessions are good');
    assert.is(await countOf(answer.json.token), 2);
  });

test('one to three descriptors are added, each as a template of its own', async () => {
  const { app, token } = await somebody();
  for (const [count, total] of [
    [1, 2],
    [2, 4],
    [3, 7],
  ] as const) {
    const descriptors = Array.from({ length: count }, (_, n) => faces.genuine(0, total + n));
    const answer = await addTemplates(run, app, token, descriptors);
    assert.is(answer.json?.template_count, total, answer.text);
    assert.is(await countOf(token), total);
  }
});

test('the token of a template add after an email code says that the address is proven', async () => {
  const { app, user } = await somebody();
  const first = await byCode(run, app, user.email);
  const second = await byCode(run, app, user.email);
  for (const one of [first.token, second.token]) {
    const answer = await addTemplates(run, app, one, more);
    const { amr, email_verified } = decoded(answer.json.token).claims;
    assert.equal([amr, email_verified], [['face'], true]);
  }
});

test('it counts as no auth, no enroll, no match, and is no sign-in', async () => {
  const { app, user, token } = await somebody();
  const before = usage(run, app);
  run.clock.advance(9_000);
  assert.is((await addTemplates(run, app, token, more)).status, 201);
  assertError(await addTemplates(run, app, token, [faces.stranger(1)]), 'no_match');
  assert.equal(usage(run, app), before);
  assert.is((await profile(run, token)).user.last_sign_in_at, null);
  const seen = await call(run, 'GET', `/v1/users/${user.id}`, { headers: server(app) });
  assert.is(seen.json.last_sign_in_at, null);
});

test('it works when the plan is used up, with a challenge from before', async () => {
  const app = await run.createApp({ plan: 'one' });
  const [first = '', second = ''] = await challenges(run, app, 2);
  const { token } = await enrolled(run, app, { challengeId: first });
  const refused = await call(run, 'POST', '/v1/challenges', { headers: browser(app) });
  assertError(refused, 'plan_limit_reached');
  const answer = await addTemplates(run, app, token, more, { challengeId: second });
  assert.is(answer.status, 201, answer.text);
});

test('it is no part of the budget of the app, nor of its address', async () => {
  await using own = await startService({ env: { LIMIT_APP_PER_MINUTE: '1' } });
  const app = await own.createApp();
  const { token } = await enrolled(own, app);
  for (let n = 0; n < 3; n++) assert.is((await addTemplates(own, app, token, more)).status, 201);
  assert.is((await match(own, app)).status, 200, 'the one that the budget has');
  assert.is((await addTemplates(own, app, token, more)).status, 201);
});

test('a challenge is used once, over match, enroll and template add', async () => {
  const { app, token } = await somebody();
  const uses = {
    match: (challengeId: string) => match(run, app, { challengeId }),
    enroll: (challengeId: string) => enroll(run, app, { challengeId }),
    add: (challengeId: string) => addTemplates(run, app, token, more, { challengeId }),
    'refused add': (challengeId: string) =>
      addTemplates(run, app, token, [faces.stranger(1)], { challengeId }),
  };
  for (const [first, use] of Object.entries(uses)) {
    const [challengeId = ''] = await challenges(run, app, 1);
    const answer = await use(challengeId);
    assert.is.not(answer.json?.error?.code, 'challenge_invalid', first);
    for (const [second, again] of Object.entries(uses))
      assertError(await again(challengeId), 'challenge_invalid', `${first}, then ${second}`);
  }
});

test.run();
