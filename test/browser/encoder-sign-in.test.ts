/**
 * Face sign-in end to end, with films of sample photos in front of the camera: the owner gets in with a changed picture, a stranger
 * does not, and of all that the page asks the network for nothing is a picture. The films are made anew in a
 * temporary folder.
 */
import * as assert from 'uvu/assert';
import { consent } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import { type Asked, assertOnlyDescriptorsLeave } from './encoder-network.ts';
import { openSite, type Site } from './encoder-visits.ts';

const test = suite('browser: face sign-in');
let site: Site;

test.before(async () => {
  site = await openSite();
});
test.after(() => site?.close());

const assertSent = (asked: readonly Asked[], path: string) =>
  assertOnlyDescriptorsLeave(asked, site.pages.origin, site.run.base, [path]);
const livenessIn = (asked: readonly Asked[]) => {
  const sent = asked.find(({ url, method }) => method === 'POST' && url.endsWith('/v1/match'));
  return JSON.parse(sent?.body?.toString() ?? '{}').liveness;
};
const person = {
  email: 'owner@mail.example',
  name: 'Owner',
  consent: { policyVersion: consent.policy_version, accepted: true },
};
let owner = '';

test('person A enrolls, and only descriptors leave the page', async () => {
  const { end, detail, user, asked } = await site.visit({ file: site.films.a }, 'enroll', person);
  assert.is(end, 'signed in', detail);
  assert.is(user?.email, person.email);
  owner = user?.id ?? '';
  assertSent(asked, '/v1/enroll');
});

test('A signs in with a changed picture', async () => {
  const { end, detail, user, confidence, asked } = await site.visit(
    { file: site.films.changed },
    'signIn',
    {},
  );
  assert.is(end, 'signed in', detail);
  assert.is(user?.id, owner);
  assert.ok((confidence ?? 0) > 0 && (confidence ?? 0) < 1, `confidence ${confidence}`);
  assertSent(asked, '/v1/match');
  assert.equal(livenessIn(asked), { score: 0, checks: [] }, 'a still photo');
});

test('person B is refused, although A is the only user', async () => {
  const { end, detail, asked } = await site.visit({ file: site.films.b }, 'signIn', {});
  assert.is(end, 'no_match', detail);
  assertSent(asked, '/v1/match');
});

test('a photo that is moved about does not live: its score is low, and nobody is refused for it', async () => {
  const capture = { livenessCheck: 'blink', timeoutMs: 6_000 };
  const { end, detail, asked } = await site.visit({ file: site.films.moved }, 'signIn', { capture });
  assert.is(end, 'signed in', detail);
  const { score, checks } = livenessIn(asked);
  assert.ok(score <= 0.2, `score ${score}`);
  assert.equal(checks, []);
});

test('the server of the page was asked for files only', () => {
  assert.ok(site.pages.asked.length > 20);
  assert.equal(
    site.pages.asked.filter(line => !line.startsWith('GET ')),
    [],
  );
});

test.run();
