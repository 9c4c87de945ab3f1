/**
 * Face sign-in end to end, with films of sample photos in front of the camera, under strict policies with threads and without: the
 * owner gets in with a changed picture, a stranger does not, nor another encoder, and of all that the page asks the network for
 * nothing is a picture. The films are made anew in a temporary folder.
 */
import * as assert from 'uvu/assert';
import { consent } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { type Asked, assertOnlyDescriptorsLeave } from './encoder-network.ts';
import { type Outcome, openSite, type Site } from './encoder-visits.ts';

const test = suite('browser: face sign-in');

const site = openedFor(test, openSite);

const assertSent = (asked: readonly Asked[], path: string) =>
  assertOnlyDescriptorsLeave(asked, site.pages.origin, site.run.base, [path]);
const bodyOf = (asked: readonly Asked[], path: string) => {
  const sent = asked.find(({ url, method }) => method === 'POST' && url.endsWith(path));
  return JSON.parse(sent?.body?.toString() ?? '{}');
};
/** A busy machine sees few pictures a second. */
const PATIENT = { capture: { timeoutMs: 90_000 } };
const person = {
  email: 'owner@mail.example',
  name: 'Owner',
  consent: { policyVersion: consent.policy_version, accepted: true },
};

for (const threads of [true, false]) {
  const page = threads ? 'threads' : 'no threads';
  let owner = '';
  let enrolled: unknown[] = [];
  const visit: Site['visit'] = (camera, verb, input, options) =>
    site.visit(camera, verb, input, { ...options, threads });
  const assertQuiet = (outcome: Outcome) => {
    assert.is(outcome.threads, threads);
    // The status of a refusal is an error to the console.
    assert.equal(
      outcome.complaints.filter(text => !/status of 40[19]/.test(text)),
      [],
    );
  };

  test(`${page}: person A enrolls with one template, and only descriptors leave the page`, async () => {
    const outcome = await visit({ file: site.films.moved }, 'enroll', { ...person, ...PATIENT });
    const { end, detail, user, asked } = outcome;
    assert.is(end, 'signed in', detail);
    assert.is(user?.email, person.email);
    owner = user?.id ?? '';
    assertSent(asked, '/v1/enroll');
    const { descriptors, encoder } = bodyOf(asked, '/v1/enroll');
    assert.is(descriptors.length, 1);
    enrolled = descriptors.map(String);
    assert.is(encoder, 'mobilefacenet:192-svd127:five:0.863');
    assertQuiet(outcome);
  });

  test(`${page}: A signs in with a changed picture`, async () => {
    const outcome = await visit({ file: site.films.changed }, 'signIn', PATIENT);
    const { end, detail, user, confidence, asked } = outcome;
    assert.is(end, 'signed in', detail);
    assert.is(user?.id, owner);
    // A confidence of 1 is a distance of nearly 0, since it is told in quarters.
    assert.ok((confidence ?? 0) > 0 && (confidence ?? 0) <= 1, `confidence ${confidence}`);
    assertSent(asked, '/v1/match');
    assert.not.ok(enrolled.includes(String(bodyOf(asked, '/v1/match').descriptor)), 'a new picture');
    assert.equal(bodyOf(asked, '/v1/match').liveness, { score: 0, checks: [] }, 'a still photo');
    assertQuiet(outcome);
  });

  test(`${page}: person B is refused, although A is the only user`, async () => {
    const outcome = await visit({ file: site.films.b }, 'signIn', PATIENT);
    assert.is(outcome.end, 'no_match', outcome.detail);
    assertSent(outcome.asked, '/v1/match');
    assertQuiet(outcome);
  });
}

test('another encoder is refused before anything is compared, and told both', async () => {
  const { end, detail } = await site.visit({ file: site.films.a }, 'signIn', PATIENT, {
    encoder: 'face-api',
  });
  assert.is(end, 'encoder_mismatch', detail);
});

test('a photo that is moved about does not live: its score is low, and nobody is refused for it', async () => {
  const capture = { livenessCheck: 'blink', timeoutMs: 6_000 };
  const { end, detail, asked } = await site.visit({ file: site.films.moved }, 'signIn', { capture });
  assert.is(end, 'signed in', detail);
  const { score, checks } = bodyOf(asked, '/v1/match').liveness;
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
