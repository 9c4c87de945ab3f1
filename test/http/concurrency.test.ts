/** Many at once: what may happen once happens once. */
import * as assert from 'uvu/assert';
import {
  assertError,
  challenge,
  challenges,
  enroll,
  enrolled,
  faces,
  match,
  someEmail,
  tally,
  usage,
  verify,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('concurrency');
const run = serviceFor(test);

const count = (table: string): number => run.rows(`SELECT count(*) AS n FROM ${table}`)[0].n;

for (let round = 1; round <= 5; round++) {
  test(`one challenge used 200 times at once, by enroll and match: exactly one proceeds (round ${round})`, async () => {
    const app = await run.createApp();
    const { challenge_id: challengeId } = await challenge(run, app);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const descriptors = [faces.genuine(n % 20)];
        return n % 2
          ? match(run, app, { challengeId, descriptors })
          : enroll(run, app, { challengeId, descriptors });
      }),
    );
    assert.is(tally(answers)['400 challenge_invalid'], 199, JSON.stringify(tally(answers)));
    assert.is(usage(run, app).auths, 1);
  });
}

test('challenges of strangers, each used by three calls at once: one is judged, the others are refused', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const ids = await challenges(run, app, 5);
  const descriptors = [faces.stranger(1)];
  const uses = [...ids, ...ids, ...ids].map(challengeId => match(run, app, { challengeId, descriptors }));
  assert.equal(tally(await Promise.all(uses)), { '401 no_match': 5, '400 challenge_invalid': 10 });
  assert.is(usage(run, app).auths, 6, 'the enrolment, and five that were judged');
});

interface Race {
  name: string;
  of: (n: number) => { descriptors: number[][]; fields: Record<string, unknown> };
  refused: RegExp;
}
const email = 'race@example.com';
const races: Race[] = [
  {
    name: 'the same email',
    of: n => ({ descriptors: [faces.genuine(n)], fields: { email: n % 2 ? email : email.toUpperCase() } }),
    refused: /^409 email_taken$/,
  },
  {
    name: 'the same face',
    of: n => ({ descriptors: [faces.genuine(0, n % 5)], fields: { email: someEmail() } }),
    refused: /^409 face_already_enrolled$/,
  },
  {
    name: 'the same email and face',
    of: () => ({ descriptors: [faces.genuine(0)], fields: { email } }),
    refused: /^409 (email_taken|face_already_enrolled)$/,
  },
];
for (const { name, of, refused } of races) {
  test(`${name} enrolled 50 times at once: one 201, the rest 409, no row left behind`, async () => {
    const app = await run.createApp();
    const before = { users: count('users'), templates: count('templates') };
    const ids = await challenges(run, app, 50);
    const answers = await Promise.all(
      ids.map((challengeId, n) => enroll(run, app, { ...of(n), challengeId })),
    );
    const { 201: made, ...rest } = tally(answers);
    assert.is(made, 1, JSON.stringify(tally(answers)));
    for (const kind of Object.keys(rest)) assert.match(kind, refused);
    assert.equal(
      { users: count('users'), templates: count('templates') },
      { users: before.users + 1, templates: before.templates + 1 },
    );
    assert.is(usage(run, app).enrolls, 1);
    const winner = answers.find(answer => answer.status === 201)?.json;
    assert.is((await verify(run, app, winner.token)).json.claims?.sub, winner.user.id);
    const found = await Promise.all(
      Array.from({ length: 5 }, (_, n) => match(run, app, { descriptors: of(n).descriptors })),
    );
    for (const answer of found) assert.ok(answer.status === 401 || answer.json.user.id === winner.user.id);
  });
}

test('a pair of look-alikes enrolled at once: the second finds the first', async () => {
  for (let round = 0; round < 10; round++) {
    const app = await run.createApp();
    const ids = await challenges(run, app, 2);
    const probes = [faces.genuine(0), faces.atDistance(0, 0.3)];
    const answers = await Promise.all(
      ids.map((challengeId, n) => enroll(run, app, { challengeId, descriptors: [probes[n] ?? []] })),
    );
    assert.equal(tally(answers), { 201: 1, '409 face_already_enrolled': 1 });
  }
});

test('a user is found as soon as the enroll is answered', async () => {
  const app = await run.createApp();
  for (let person = 0; person < 20; person++) {
    const face = { descriptors: [faces.genuine(person)] };
    const { user } = await enrolled(run, app, face);
    assert.is((await match(run, app, face)).json.user?.id, user.id);
    assertError(await enroll(run, app, face), 'face_already_enrolled');
  }
});

test.run();
