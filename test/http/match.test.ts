import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  browser,
  call,
  challenge,
  decoded,
  enrolled,
  faces,
  iso,
  match,
  verify,
} from '../support/client.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('match');
const run = serviceFor(test);

const dot = (a: number[], b: number[]) => a.reduce((sum, x, index) => sum + x * (b[index] ?? Number.NaN), 0);

/** The reference distance: normalised in double, kept as float32, the dot product summed in double. */
function distance(a: number[], b: number[]): number {
  const stored = (raw: number[]) => {
    const norm = Math.sqrt(dot(raw, raw));
    return Float32Array.from(raw, x => x / norm);
  };
  const [left, right] = [stored(a), stored(b)];
  return 1 - left.reduce((sum, x, index) => sum + x * (right[index] ?? Number.NaN), 0);
}

for (const mode of ['live', 'test'] as const) {
  test(`match answers the user, a token, its end and a confidence (${mode})`, async () => {
    const app = await run.createApp();
    const { user } = await enrolled(run, app, { mode });
    run.clock.advance(90_000);
    const answer = await match(run, app, { mode });
    assert.is(answer.status, 200, answer.text);
    assert.equal(Object.keys(answer.json).sort(), ['confidence', 'expires_at', 'token', 'user']);
    assert.equal(answer.json.user, user);
    const { claims } = decoded(answer.json.token);
    assert.is(claims.iat, Math.floor(run.clock.now() / 1000));
    assert.is(answer.json.expires_at, iso(claims.exp * 1000));
    assert.match(String(answer.headers['cache-control']), /no-store/);
    assert.is((await verify(run, app, answer.json.token, mode)).json.valid, true);
  });
}

test('the owner of the nearest template is signed in, whoever enrolled first', async () => {
  const app = await run.createApp();
  const users = [];
  for (const person of [0, 1, 2])
    users.push(await enrolled(run, app, { descriptors: [faces.genuine(person)] }));
  for (const [person, { user }] of users.entries()) {
    const answer = await match(run, app, { descriptors: [faces.genuine(person, 2)] });
    assert.equal(answer.json.user, user);
    assert.is(decoded(answer.json.token).claims.sub, user.id);
  }
});

const decisions: { name: string; probe: () => number[][]; found: number | null }[] = [
  { name: 'a genuine capture', probe: () => [faces.genuine(0, 3)], found: 0 },
  { name: 'just inside the threshold', probe: () => [faces.atDistance(0, 0.345)], found: 0 },
  { name: 'just outside the threshold', probe: () => [faces.atDistance(0, 0.355)], found: null },
  { name: 'a stranger', probe: () => [faces.stranger(1)], found: null },
  { name: 'near two users, inside the margin', probe: () => [faces.lookAlike(0, 1)], found: null },
  { name: 'two users in one request', probe: () => [faces.genuine(0), faces.genuine(1)], found: null },
  {
    name: 'a stranger and a genuine capture',
    probe: () => [faces.stranger(2), faces.genuine(1, 1)],
    found: 1,
  },
  {
    name: 'three captures, the last one genuine',
    probe: () => [7, 8].map(n => faces.stranger(n)).concat([faces.genuine(1, 2)]),
    found: 1,
  },
  { name: 'the opposite of a face', probe: () => [faces.genuine(0).map(x => -x)], found: null },
  { name: 'a template far up the scale', probe: () => [scaledTo(faces.genuine(0), 1.7e308)], found: 0 },
  { name: 'a template far down the scale', probe: () => [scaledTo(faces.genuine(0), 1e-4)], found: 0 },
  {
    name: 'one axis only',
    probe: () => [Array.from({ length: 128 }, (_, n) => (n === 5 ? 1 : -0))],
    found: null,
  },
];
function scaledTo(raw: number[], largest: number): number[] {
  const max = Math.max(...raw.map(Math.abs));
  return raw.map(x => (x / max) * largest);
}
for (const { name, probe, found } of decisions) {
  test(`decision: ${name} ${found === null ? 'matches nobody' : `is person ${found}`}`, async () => {
    const app = await run.createApp();
    const ids = [];
    for (const person of [0, 1])
      ids.push((await enrolled(run, app, { descriptors: [faces.genuine(person)] })).user.id);
    const answer = await match(run, app, { descriptors: probe() });
    if (found === null) assertError(answer, 'no_match');
    else assert.is(answer.json.user?.id, ids[found], answer.text);
  });
}

/** A descriptor at these distances from two others. */
function between(a: number[], b: number[], toA: number, toB: number): number[] {
  const unit = (v: number[]) => v.map(x => x / Math.sqrt(dot(v, v)));
  const [u, v, away] = [unit(a), unit(b), unit(faces.stranger(99))];
  const overlap = dot(u, v);
  const det = 1 - overlap ** 2;
  const inPlane = (x: number, y: number) => {
    const [p, q] = [(x - overlap * y) / det, (y - overlap * x) / det];
    return u.map((value, index) => value * p + (v[index] ?? 0) * q);
  };
  const part = inPlane(1 - toA, 1 - toB);
  const shadow = inPlane(dot(away, u), dot(away, v));
  const across = unit(away.map((value, index) => value - (shadow[index] ?? 0)));
  const rest = Math.sqrt(1 - dot(part, part));
  return part.map((value, index) => value + rest * (across[index] ?? 0));
}

const margins: [number, number, boolean][] = [
  [0.3, 0.341, true],
  [0.3, 0.339, false],
  [0.3, 0.5, true],
  [0.3, 0.3, false],
  [0.33, 0.365, false],
  [0.345, 0.388, true],
  [0.355, 0.5, false],
];
for (const [near, far, found] of margins) {
  test(`a user at distance ${near} and another one at ${far}: ${found ? 'signed in' : 'nobody is'}`, async () => {
    const app = await run.createApp();
    const [one, other] = [faces.genuine(0), faces.genuine(2)];
    const { user } = await enrolled(run, app, { descriptors: [one] });
    await enrolled(run, app, { descriptors: [other] });
    const probe = between(one, other, near, far);
    assert.ok(Math.abs(distance(probe, one) - near) < 1e-6 && Math.abs(distance(probe, other) - far) < 1e-6);
    const answer = await match(run, app, { descriptors: [probe] });
    if (found) assert.is(answer.json.user?.id, user.id, answer.text);
    else assertError(answer, 'no_match');
  });
}

test('threshold and margin are settings of the server', async () => {
  await using strict = await startService({ env: { MATCH_THRESHOLD: '0.2', MATCH_MARGIN: '0.1' } });
  const app = await strict.createApp();
  await enrolled(strict, app, { descriptors: [faces.genuine(0)] });
  const at = async (away: number) => match(strict, app, { descriptors: [faces.atDistance(0, away)] });
  assertError(await at(0.21), 'no_match');
  const near = await at(0.1);
  assert.is(near.json.confidence, 0.5);
  await enrolled(strict, app, { descriptors: [faces.atDistance(0, 0.24, 1)] });
  const rival = between(faces.genuine(0), faces.atDistance(0, 0.24, 1), 0.1, 0.19);
  assertError(await match(strict, app, { descriptors: [rival] }), 'no_match', 'within the wider margin');
});

test('no field of a request moves the threshold', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const wishes = {
    threshold: 2,
    match_threshold: 2,
    MATCH_THRESHOLD: '2',
    margin: 0,
    settings: { matchThreshold: 2 },
  };
  const outside = { descriptors: [faces.atDistance(0, 0.4)], fields: wishes };
  assertError(await match(run, app, outside), 'no_match', 'in the body');
  const { challenge_id } = await challenge(run, app);
  const sent = {
    headers: { ...browser(app), 'x-match-threshold': '2', 'match-threshold': '2' },
    json: { challenge_id, descriptors: outside.descriptors },
  };
  const answer = await call(run, 'POST', '/v1/match?threshold=2&match_threshold=2&margin=0', sent);
  assertError(answer, 'no_match', 'in query and headers');
  const strict = { descriptors: [faces.atDistance(0, 0.3)], fields: { threshold: 0.1, margin: 1 } };
  assert.is((await match(run, app, strict)).status, 200, 'nor the other way');
});

test('two templates of one user are no rivals of each other', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(0), faces.genuine(0, 1)] });
  assert.is((await match(run, app, { descriptors: [faces.genuine(0)] })).json.user?.id, user.id);
});

for (const away of [0, 0.04, 0.05, 0.1, 0.14, 0.2, 0.22, 0.3, 0.34]) {
  test(`confidence is 1 - distance / threshold to the nearest quarter, 0.25 at least, at distance ${away}`, async () => {
    const app = await run.createApp();
    const enrolledFace = faces.genuine(0);
    await enrolled(run, app, { descriptors: [enrolledFace] });
    const probe = away === 0 ? enrolledFace : faces.atDistance(0, away);
    const answer = await match(run, app, { descriptors: [probe] });
    assert.is(answer.status, 200, answer.text);
    const exact = Math.min(1, Math.max(0, 1 - distance(enrolledFace, probe) / 0.35));
    assert.is(answer.json.confidence, Math.max(0.25, Math.round(exact * 4) / 4), `for ${exact}`);
  });
}

test('a failed match says the same whatever is enrolled, and carries no candidate', async () => {
  const [empty, near] = [await run.createApp(), await run.createApp()];
  const secrets: string[] = [];
  for (const person of [0, 1]) {
    const { user } = await enrolled(run, near, {
      descriptors: [faces.genuine(person)],
      fields: { name: `Somerville${person}` },
    });
    secrets.push(user.id, user.email, user.name);
  }
  const failures = [
    await match(run, empty, { descriptors: [faces.stranger(1)] }),
    await match(run, near, { descriptors: [faces.stranger(1)] }),
    await match(run, near, { descriptors: [faces.lookAlike(0, 1)] }),
    await match(run, near, { descriptors: [faces.atDistance(0, 0.355)] }),
  ];
  for (const answer of failures) {
    assertError(answer, 'no_match');
    assertLacks(answer, secrets);
    assert.is(answer.text, failures[0]?.text, 'one generic message');
    assert.equal(Object.keys(answer.headers).sort(), Object.keys(failures[0]?.headers ?? {}).sort());
    assert.is(answer.headers['set-cookie'], undefined);
  }
});

test.run();
