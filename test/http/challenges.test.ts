import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  browser,
  call,
  challenge,
  challenges,
  enroll,
  enrolled,
  faces,
  iso,
  match,
  usage,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('challenges');
const run = serviceFor(test);

for (const mode of ['live', 'test'] as const) {
  test(`a ${mode} challenge has an id, 32 random bytes and its end after 60 seconds`, async () => {
    const app = await run.createApp();
    const issued = await challenge(run, app, mode);
    assert.equal(Object.keys(issued).sort(), ['challenge_id', 'expires_at', 'nonce']);
    assert.match(issued.challenge_id, /^ch_[0-9A-Za-z]{24}$/);
    assert.match(issued.nonce, /^[\w-]{43}$/);
    assert.is(Buffer.from(issued.nonce, 'base64url').length, 32);
    assert.is(issued.expires_at, iso(run.clock.now() + 60_000));
  });
}

test('no two challenges share an id or a nonce', async () => {
  const app = await run.createApp();
  const issued = await atOnce(100, () => challenge(run, app));
  assert.is(new Set(issued.map(one => one.challenge_id)).size, 100);
  assert.is(new Set(issued.map(one => one.nonce)).size, 100);
});

const ages: [number, string][] = [
  [0, '401 no_match'],
  [59_999, '401 no_match'],
  [60_001, '400 challenge_invalid'],
  [3_600_000, '400 challenge_invalid'],
];
for (const [age, wanted] of ages) {
  test(`a challenge ${age} ms old: ${wanted}`, async () => {
    const app = await run.createApp();
    const [challengeId = ''] = await challenges(run, app, 1);
    run.clock.advance(age);
    const answer = await match(run, app, { challengeId });
    assert.is(`${answer.status} ${answer.json.error.code}`, wanted);
  });
}

interface Use {
  name: string;
  first: (app: TestApp, challengeId: string) => Promise<Answer>;
  wanted: string;
}
const uses: Use[] = [
  { name: 'an enroll', wanted: '201', first: (app, challengeId) => enroll(run, app, { challengeId }) },
  {
    name: 'a match that fails',
    wanted: '401 no_match',
    first: (app, challengeId) => match(run, app, { challengeId, descriptors: [faces.stranger(3)] }),
  },
  {
    name: 'a match that succeeds',
    wanted: '200',
    first: async (app, challengeId) => {
      await enrolled(run, app);
      return match(run, app, { challengeId });
    },
  },
  {
    name: 'an enroll with a taken email',
    wanted: '409 email_taken',
    first: async (app, challengeId) => {
      const { user } = await enrolled(run, app, { descriptors: [faces.genuine(4)] });
      return enroll(run, app, { challengeId, fields: { email: user.email } });
    },
  },
  {
    name: 'an enroll with a face enrolled before',
    wanted: '409 face_already_enrolled',
    first: async (app, challengeId) => {
      await enrolled(run, app);
      return enroll(run, app, { challengeId });
    },
  },
];
for (const use of uses) {
  test(`a challenge is used up by ${use.name}, for enroll and match alike`, async () => {
    const app = await run.createApp();
    const [challengeId = ''] = await challenges(run, app, 1);
    const first = await use.first(app, challengeId);
    assert.is([first.status, first.json.error?.code].filter(Boolean).join(' '), use.wanted);
    const before = usage(run, app);
    assertError(await match(run, app, { challengeId }), 'challenge_invalid', 'match');
    assertError(
      await enroll(run, app, { challengeId, descriptors: [faces.genuine(9)] }),
      'challenge_invalid',
      'enroll',
    );
    assert.equal(usage(run, app), before, 'a refused challenge counts as no auth');
  });
}

test('a request refused before the challenge leaves it usable', async () => {
  const app = await run.createApp();
  const [challengeId = ''] = await challenges(run, app, 1);
  const json = { challenge_id: challengeId, descriptors: [faces.genuine(0)] };
  const match_ = (sent: object) => call(run, 'POST', '/v1/match', { headers: browser(app), json, ...sent });
  assertError(await match_({ headers: { origin: app.origin } }), 'unauthorized');
  assertError(await match_({ headers: browser(app, 'live', 'https://other.example') }), 'origin_not_allowed');
  assertError(await match_({ type: 'text/plain' }), 'unsupported_media_type');
  assertError(await match_({ json: { ...json, padding: 'x'.repeat(65_536) } }), 'payload_too_large');
  assertError(await match_({ raw: `${JSON.stringify(json)}}` }), 'invalid_request');
  assertError(await match_({ json: { ...json, liveness: 1 } }), 'invalid_request');
  assertError(await enroll(run, app, { challengeId, fields: { email: 'nobody' } }), 'invalid_request');
  assertError(await enroll(run, app, { challengeId, fields: { consent: {} } }), 'consent_required');
  assert.is((await enroll(run, app, { challengeId })).status, 201);
});

const unknown = ['', 'ch_', `ch_${'A'.repeat(24)}`, 'x', "' OR 1=1 --", 'ch_\u0000', '%', 'ü'.repeat(5_000)];
for (const id of unknown) {
  test(`an unknown challenge id is challenge_invalid: ${JSON.stringify(id.slice(0, 30))}`, async () => {
    const app = await run.createApp();
    await challenge(run, app);
    assertError(await match(run, app, { challengeId: id }), 'challenge_invalid');
    assertError(await enroll(run, app, { challengeId: id }), 'challenge_invalid');
  });
}

test('near misses of an issued id are unknown', async () => {
  const app = await run.createApp();
  const { challenge_id: id, nonce } = await challenge(run, app);
  const swapped = [...id].map(c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  for (const near of [
    `${id} `,
    ` ${id}`,
    `${id}A`,
    id.slice(0, -1),
    id.slice(3),
    swapped,
    nonce,
    `${id}\u0000`,
  ]) {
    assertError(await match(run, app, { challengeId: near }), 'challenge_invalid', JSON.stringify(near));
  }
  assertError(await match(run, app, { challengeId: id }), 'no_match', 'the id itself');
});

test('the nonce is never sent back, and one that is sent is ignored', async () => {
  const app = await run.createApp();
  const answer = await enroll(run, app, { fields: { nonce: 'wrong' } });
  assert.is(answer.status, 201, answer.text);
});

test.run();
