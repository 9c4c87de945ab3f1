/** Answers that nobody expects: none reaches the page as `undefined` where a value was promised. */
import * as assert from 'uvu/assert';
import type { Client, FaceSignInErrorCode } from '../../src/sdk/browser/index.ts';
import { faces } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import {
  type Behaviour,
  challengeAnswer,
  failure,
  json,
  type Misbehaving,
  ownPerson,
  person,
  profileAnswer,
  raw,
  refused,
  SOME_KEY,
  session,
  signedIn,
  startMisbehaving,
  watched,
} from './browser-support.ts';

const test = suite('browser SDK: answers');
const service = openedFor(test, startMisbehaving);

const face = { descriptors: [faces.genuine(0)] };
const CHALLENGE = 'POST /v1/challenges';
const MATCH = 'POST /v1/match';
const clientOf = () => watched({ publishableKey: SOME_KEY, baseUrl: service.base }).client;

/** A client that is signed in, and a service that does this next. */
async function signedInWith(by: Parameters<Misbehaving['behave']>[0]): Promise<Client> {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  const client = clientOf();
  await client.signIn(face);
  service.behave({ [CHALLENGE]: [challengeAnswer], ...by });
  return client;
}

const strange: [name: string, behaviour: Behaviour, code: FaceSignInErrorCode, detail: RegExp][] = [
  ['the page of a captive portal', raw(200, '<html>'), 'unexpected_answer', /is not JSON/],
  ['nothing', raw(200, ''), 'unexpected_answer', /is empty/],
  ['null', raw(200, 'null'), 'unexpected_answer', /the response is missing/],
  ['a list', json(200, []), 'unexpected_answer', /user is missing/],
  ['no token', json(200, { ...signedIn(), token: undefined }), 'unexpected_answer', /token is missing/],
  ['no user', json(200, { ...signedIn(), user: null }), 'unexpected_answer', /user is missing/],
  [
    'a number for an id',
    json(200, { ...signedIn(), user: { ...person, id: 7 } }),
    'unexpected_answer',
    /id is/,
  ],
  ['no time', json(200, { ...signedIn(), expires_at: 'soon' }), 'unexpected_answer', /expires_at is/],
  [
    'a text for a number',
    json(200, { ...signedIn(), confidence: '1' }),
    'unexpected_answer',
    /confidence is/,
  ],
  ['no envelope', raw(418, 'teapot'), 'unexpected_answer', /418: no error message/],
  ['a code of tomorrow', failure(422, 'face_on_holiday'), 'unexpected_answer', /422 face_on_holiday: told/],
  ['a code of tomorrow, busy', failure(503, 'face_on_holiday'), 'service_unavailable', /503 face_on_holiday/],
  ['a code that only devices have', failure(400, 'camera_denied'), 'unexpected_answer', /400 camera_denied/],
  ['a code of every object', failure(400, 'toString'), 'unexpected_answer', /400 toString/],
  ['a proxy that finds it too large', raw(413, ''), 'payload_too_large', /413/],
  ['a proxy with a limit', raw(429, '', { 'Retry-After': '9' }), 'rate_limited', /429/],
];
for (const [name, behaviour, code, detail] of strange)
  test(`answered with ${name}`, async () => {
    service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [behaviour] });
    const client = clientOf();
    const error = await refused(client.signIn(face), code);
    assert.match(error.detail ?? '', detail);
    assert.is(client.session, null);
  });

test('answers of every verb are looked at', async () => {
  const cases: [string, (client: Client) => Promise<unknown>, object[]][] = [
    [
      'GET /v1/me',
      c => c.profile(),
      [{}, { ...profileAnswer, consent: null }, { ...profileAnswer, livemode: 1 }],
    ],
    [
      'PATCH /v1/me',
      c => c.rename({ name: 'x' }),
      [{ user: person }, { user: { ...ownPerson, last_sign_in_at: 0 } }],
    ],
    ['POST /v1/email-codes', c => c.requestEmailCode('a@example.com'), [{ expires_at: null }]],
    [
      'POST /v1/email-codes/verify',
      c => c.signInWithEmailCode('a@example.com', '1'),
      [session(), { ...session(), user: ownPerson, method: 'face' }, { ...session(), method: 'email_code' }],
    ],
    ['POST /v1/me/templates', c => c.addTemplates(face), [session()]],
  ];
  for (const [route, verb, answers] of cases)
    for (const answer of answers) {
      const client = await signedInWith({ [route]: [json(200, answer)] });
      await refused(verb(client), 'unexpected_answer', `${route} ${JSON.stringify(answer)}`);
    }
  const client = await signedInWith({ [CHALLENGE]: [json(200, { challenge_id: 7 })] });
  await refused(client.signIn(face), 'unexpected_answer');
});

test('a plan limit without its numbers is one all the same', async () => {
  service.behave({ [CHALLENGE]: [failure(429, 'plan_limit_reached')] });
  assert.is((await refused(clientOf().signIn(face), 'plan_limit_reached')).plan, undefined);
  assert.equal(service.seen, [CHALLENGE]);
});

test.run();
