/** Who is signed in: in memory only, for as long as the token lasts, whatever the clock of the device says. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Client, Session } from '../../src/sdk/browser/index.ts';
import { suite } from '../support/suite.ts';
import {
  CHALLENGE,
  challengeAnswer,
  face,
  json,
  MATCH,
  type Misbehaving,
  misbehavingFor,
  ownPerson,
  profileAnswer,
  refused,
  session,
  signedIn,
  tokenFor,
} from './browser-support.ts';

const test = suite('browser SDK: session');
const { service, clientOf } = misbehavingFor(test);

function clientWith(answer: object, more: Parameters<Misbehaving['behave']>[0] = {}) {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, answer)], ...more });
  return clientOf();
}

test('a token lasts as long as it was made for, from the moment it came: the clock of the device may be wrong', async () => {
  const client = clientWith(signedIn(3_600));
  const { expiresAt } = await client.signIn(face);
  assert.ok(Math.abs(expiresAt.getTime() - Date.now()) > 86_400_000, 'another year, as here');
  assert.is(client.token, tokenFor(3_600));
});

test('a token that has expired is no token: nothing is sent with it, and the page hears of it once', async () => {
  const client = clientWith(signedIn(0.05));
  const reported: (Session | null)[] = [];
  client.onSessionChange(next => reported.push(next));
  await client.signIn(face);
  assert.ok(client.session);
  await delay(120);
  assert.is(reported.at(-1), null, 'at that moment, not when somebody looks');
  assert.equal([client.session, client.token], [null, null]);
  service.seen.length = 0;
  await refused(client.profile(), 'not_signed_in');
  await client.signOut();
  assert.equal(service.seen, []);
  assert.equal(
    reported.map(next => next?.user.name),
    ['Ada', undefined],
  );
});

test('the time counts too where timers stand still, as on a device that sleeps', async () => {
  const client = clientWith(signedIn(3_600));
  await client.signIn(face);
  const { now } = Date;
  try {
    Date.now = () => now() + 3_600_001;
    assert.is(client.token, null);
  } finally {
    Date.now = now;
  }
  assert.is(client.token, null, 'for good');
});

test('a token of a kind that is not known lasts until the time that came with it', async () => {
  const later = new Date(Date.now() + 60_000).toISOString();
  for (const [expires_at, signedInNow] of [
    [later, true],
    ['2026-03-15T12:00:00.000Z', false],
  ] as const) {
    const client = clientWith({ ...signedIn(), token: 'opaque', expires_at });
    await client.signIn(face);
    await delay(5);
    assert.is(client.session !== null, signedInNow, expires_at);
  }
});

test('a refusal of a token that is still good asks for an email code, and the session stays; otherwise it is over', async () => {
  const refusal = json(401, { error: { code: 'unauthorized', message: 'Sign in with an email code.' } });
  const verbs: Record<string, (client: Client) => Promise<unknown>> = {
    'PATCH /v1/me': client => client.rename({ name: 'x' }),
    'POST /v1/me/email': client => client.requestEmailChange({ newEmail: 'a@example.com' }),
    'POST /v1/me/email/confirm': client => client.confirmEmailChange({ code: '000000' }),
    'POST /v1/me/templates': client => client.addTemplates(face),
    'POST /v1/me/face/confirm': client => client.confirmFace(),
    'DELETE /v1/me': client => client.deleteAccount(),
  };
  for (const [route, verb] of Object.entries(verbs))
    for (const isGood of [true, false]) {
      const profile = isGood ? json(200, profileAnswer) : refusal;
      const client = clientWith(signedIn(), { [route]: [refusal], 'GET /v1/me': [profile] });
      await client.signIn(face);
      const fault = await refused(verb(client), isGood ? 'email_code_needed' : 'unauthorized', route);
      assert.match(fault.detail ?? '', /Sign in with an email code/);
      assert.is(client.session !== null, isGood, route);
    }
});

test('a newer token takes the place of the older one, with a time of its own', async () => {
  const client = clientWith(signedIn(0.5), {
    'POST /v1/me/templates': [json(201, { ...session(3_600, { jti: 'new' }), template_count: 2 })],
  });
  await client.signIn(face);
  const { token } = await client.addTemplates(face);
  await delay(600);
  assert.is(client.token, token);
});

test('a late answer about an older token does not end the session of a newer one', async () => {
  let answerLate = () => {};
  const client = clientWith(signedIn(3_600), {
    'GET /v1/me': [
      (_, answer) => {
        answerLate = () =>
          answer
            .writeHead(401, { 'Content-Type': 'application/json' })
            .end('{"error":{"code":"token_revoked","message":"Signed out."}}');
      },
    ],
    'POST /v1/email-codes/verify': [
      json(200, {
        ...session(3_600, { jti: 'second' }),
        user: { ...ownPerson },
        method: 'email_code',
      }),
    ],
  });
  await client.signIn(face);
  const late = refused(client.profile(), 'token_revoked');
  const { token } = await client.signInWithEmailCode('ada@example.com', '000000');
  answerLate();
  await late;
  assert.is(client.token, token);
});

test('listeners hear of every sign-in, change and end, until they stop; one that throws spoils nothing', async () => {
  const client = clientWith(signedIn(), {
    'GET /v1/me': [json(200, { ...profileAnswer, user: { ...ownPerson, name: 'Ada L.' } })],
    'POST /v1/me/logout': [(_, answer) => void answer.writeHead(204).end()],
  });
  const thrown: unknown[] = [];
  const onError = (error: unknown) => void thrown.push(error);
  process.once('uncaughtException', onError);
  const reported: (string | undefined)[] = [];
  const listener = (next: Session | null) => void reported.push(next?.user.name);
  const [first, second] = [client.onSessionChange(listener), client.onSessionChange(listener)];
  const third = client.onSessionChange(() => {
    third();
    throw new Error('of the page');
  });
  const result = await client.signIn(face);
  assert.is(client.token, result.token);
  first();
  await client.profile();
  await client.signOut();
  second();
  await client.signIn(face);
  await delay(5);
  process.off('uncaughtException', onError);
  assert.equal(reported, ['Ada', 'Ada', 'Ada L.', undefined]);
  assert.is((thrown[0] as Error)?.message, 'of the page');
});

test.run();
