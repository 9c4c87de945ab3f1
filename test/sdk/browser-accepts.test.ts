/** The browser SDK, when the page does not accept what the service answers: nobody is signed in, and nothing is left of it. */
import * as assert from 'uvu/assert';
import type { Session } from '../../src/sdk/browser/index.ts';
import { faces, someEmail, verify } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { clientOf, routes } from './browser-support.ts';

const test = suite('browser SDK: what the page accepts');
const consent = { policyVersion: '2026-01', accepted: true };
const run = serviceFor(test);

test('what the page does not accept signs in nobody: its token is revoked, and who was signed in stays', async () => {
  const own = await run.createApp();
  const { client, sent } = clientOf(run, own, { mode: 'test' });
  const email = someEmail();
  const before = await client.enroll({ email, consent, descriptors: [faces.genuine(0)] });
  const told: unknown[] = [];
  client.onSessionChange(session => told.push(session));
  const face = { descriptors: [faces.genuine(0, 1)] };
  await client.requestEmailCode(email);
  const verbs: Record<string, (accepts: () => boolean) => Promise<Session>> = {
    face: accepts => client.signIn({ ...face, accepts }),
    code: accepts => client.signInWithEmailCode(email, '000000', { accepts }),
  };
  for (const [verb, signIn] of Object.entries(verbs)) {
    // A page without types may forget to return.
    for (const answer of verb === 'face' ? [false, undefined as unknown as boolean] : [false]) {
      const asked: Session[] = [];
      const accepts = (found?: Session) => {
        asked.push(found as Session);
        return answer;
      };
      const refused = await signIn(accepts);
      assert.equal(asked, [refused], 'with all that it gets otherwise');
      assert.equal((await verify(run, own, refused.token, 'test')).json, { valid: false, reason: 'revoked' });
      assert.is(client.token, before.token);
    }
    await client.requestEmailCode(email);
  }
  assert.equal(told, []);
  assert.is(routes(sent).filter(route => route === 'POST /v1/me/logout').length, 3);
  const now = await client.signIn({ ...face, accepts: ({ confidence }) => confidence > 0 });
  assert.equal([client.token, told.length], [now.token, 1]);
});

test('a first-party page keeps no cookie of what it does not accept, and the request survives the page', async () => {
  const own = await run.createApp({ firstParty: true });
  const kept: string[] = [];
  const lasting: string[] = [];
  const watch: typeof fetch = async (url, init) => {
    if (init?.keepalive) lasting.push(String(url).replace(run.base, ''));
    const answer = await fetch(url, init);
    kept.push(...answer.headers.getSetCookie());
    return answer;
  };
  const { client } = clientOf(run, own, { firstParty: true, fetch: watch });
  await client.enroll({ email: someEmail(), consent, descriptors: [faces.genuine(0)] });
  const broken = () => {
    throw new TypeError('a fault of the page');
  };
  const face = { descriptors: [faces.genuine(0, 1)] };
  await client.signIn({ ...face, accepts: () => false });
  assert.match(kept.at(-1) ?? '', /^svc_session=; Max-Age=0;/);
  const thrown = await client.signIn({ ...face, accepts: broken }).catch(String);
  assert.match(`${thrown}`, /a fault of the page/);
  assert.match(kept.at(-1) ?? '', /^svc_session=; Max-Age=0;/);
  assert.equal(lasting, ['/v1/me/logout', '/v1/me/logout']);
});

test.run();
