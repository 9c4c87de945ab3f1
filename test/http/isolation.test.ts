/** Two apps, two modes: four tenants that know nothing of each other. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  call,
  challenge,
  decoded,
  enroll,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  server,
  usage,
  verify,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

interface Tenant {
  app: TestApp;
  mode: Mode;
  user: Json;
  token: string;
}
const test = suite('isolation');
const email = 'same@example.com';
let tenants: Tenant[] = [];
const run = serviceFor(test);
test.before(async () => {
  const apps = [await run.createApp({ name: 'One' }), await run.createApp({ name: 'Two' })];
  for (const app of apps) {
    for (const mode of ['live', 'test'] as const) {
      const name = `User of ${app.name} ${mode}`;
      const { user, token } = await enrolled(run, app, { mode, fields: { email, name } });
      tenants.push({ app, mode, user, token });
    }
  }
});
test.after(() => {
  tenants = [];
});

const others = (own: Tenant) => tenants.filter(one => one !== own);
/** What no answer in `own` may hold: ids and names of the other tenants, and their tokens. */
const foreign = (own: Tenant) => others(own).flatMap(one => [one.user.id, one.user.name, one.token]);
const each = async (check: (own: Tenant) => Promise<void>) => {
  for (const own of tenants) await check(own);
};

test('the same email and the same face make four users', () => {
  assert.is(new Set(tenants.map(one => one.user.id)).size, 4);
  for (const one of tenants) assert.is(one.user.email, email);
});

test('a face finds the user of its own tenant only', () =>
  each(async own => {
    const answer = await match(run, own.app, { mode: own.mode });
    assert.equal(answer.json.user, own.user);
    assert.is(decoded(answer.json.token).claims.app_id, own.app.id);
    assertLacks(answer, foreign(own));
  }));

test('email and face are taken in the own tenant only', () =>
  each(async own => {
    const mode = own.mode;
    const answers = [
      await enroll(run, own.app, { mode, descriptors: [faces.genuine(7)], fields: { email } }),
      await enroll(run, own.app, { mode }),
    ];
    assertError(answers[0] as Answer, 409, 'email_taken');
    assertError(answers[1] as Answer, 409, 'face_already_enrolled');
    for (const answer of answers) assertLacks(answer, [...foreign(own), own.user.id, own.user.name]);
  }));

for (const [index, where] of ['one live', 'one test', 'two live', 'two test'].entries()) {
  test(`someone enrolled in ${where} only is a stranger to the rest, who may enroll the face themselves`, async () => {
    const own = tenants[index] as Tenant;
    const face = { descriptors: [faces.genuine(20 + index)] };
    const { user } = await enrolled(run, own.app, { ...face, mode: own.mode });
    for (const other of others(own)) {
      const answer = await match(run, other.app, { ...face, mode: other.mode });
      assertError(answer, 401, 'no_match');
      assertLacks(answer, [user.id, user.email]);
    }
    for (const other of others(own))
      await enrolled(run, other.app, { ...face, mode: other.mode, fields: { email: user.email } });
  });
}

test('a token is valid in its own tenant only', () =>
  each(async own => {
    for (const by of tenants) {
      const answer = await verify(run, by.app, own.token, by.mode);
      const wanted = by === own ? undefined : by.app === own.app ? 'mode_mismatch' : 'invalid';
      assert.is(answer.json.reason, wanted);
      if (by !== own) assertLacks(answer, [own.user.id, own.user.email, own.app.id]);
    }
  }));

test('a challenge is good in its own tenant only', () =>
  each(async own => {
    const { challenge_id: challengeId } = await challenge(run, own.app, own.mode);
    for (const other of others(own)) {
      assertError(await match(run, other.app, { mode: other.mode, challengeId }), 400, 'challenge_invalid');
    }
    assert.is((await match(run, own.app, { mode: own.mode, challengeId })).status, 200);
  }));

test('a secret key reads its own app, whatever it asks for', () =>
  each(async own => {
    const other = others(own).find(one => one.app !== own.app) as Tenant;
    const path = `/v1/app?app_id=${other.app.id}&id=${other.app.id}`;
    const headers = { ...server(own.app, own.mode), 'x-app-id': other.app.id };
    const answer = await call(run, 'GET', path, { headers });
    assert.equal(answer.json, { id: own.app.id, name: own.app.name });
  }));

test('an app_id in a body moves nothing to another app', () =>
  each(async own => {
    const other = others(own).find(one => one.app !== own.app) as Tenant;
    const before = usage(run, other.app, own.mode);
    const answer = await match(run, own.app, { mode: own.mode, fields: { app_id: other.app.id } });
    assert.is(answer.json.user.id, own.user.id);
    assert.equal(usage(run, other.app, own.mode), before);
    const checked = { headers: server(own.app, own.mode), json: { token: own.token, app_id: other.app.id } };
    assert.is((await call(run, 'POST', '/v1/tokens/verify', checked)).json.valid, true);
  }));

test('a key pair of two tenants opens neither', async () => {
  const [one, , two] = tenants as [Tenant, Tenant, Tenant];
  const headers = {
    'x-svc-key': one.app.live.pk,
    origin: 'https://only-two.example',
    authorization: `Bearer ${two.app.live.sk}`,
  };
  assertError(await call(run, 'POST', '/v1/challenges', { headers }), 403, 'origin_not_allowed');
});

test('an app that is deleted takes nothing of the others with it', async () => {
  const doomed = await run.createApp();
  const { token } = await enrolled(run, doomed, { fields: { email } });
  await run.cli(['app', 'delete', doomed.id, '--yes']);
  await each(async own => {
    assert.is((await match(run, own.app, { mode: own.mode })).json.user?.id, own.user.id);
    assert.is((await verify(run, own.app, own.token, own.mode)).json.valid, true);
    assert.is((await verify(run, own.app, token, own.mode)).json.reason, 'invalid');
  });
});

test.run();
