/**
 * Limits count faces, not requests: those of an address in 15 minutes and on a day, and those of an app on a day. Fails
 * when a request of several faces counts as one, or is compared although it could exceed a limit.
 */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  challenges,
  enroll,
  enrolled,
  faces,
  type Mode,
  match,
  tally,
} from '../support/client.ts';
import { addTemplates } from '../support/me.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('failed faces');
const OF_ADDRESS = 24;
const OF_APP = 60;
const run = serviceFor(test, {
  env: {
    LIMIT_FAILED_MATCHES: '10',
    LIMIT_FAILED_FACES_PER_IP_DAY: String(OF_ADDRESS),
    LIMIT_FAILED_FACES_PER_APP_DAY: String(OF_APP),
  },
});
let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const OWN = faces.genuine(0);
const unlike = (n: number) => Array.from({ length: n }, (_, i) => faces.stranger(i));
const chain = (a: number[], b: number[]) => [a, b, a.map((value, i) => value + (b[i] as number))];

interface Shot {
  readonly app: TestApp;
  readonly token: string;
  readonly mode: Mode;
  readonly ip: string;
  readonly challengeId: string;
}
interface Kind {
  readonly shoot: (shot: Shot) => Promise<Answer>;
  readonly answer: string;
  /** How many failed faces each request counts, and for how many there must be room. */
  readonly counts: number;
  readonly room: number;
}
const matching = (descriptors: number[][]) => (shot: Shot) => match(run, shot.app, { ...shot, descriptors });
const KINDS: Record<string, Kind> = {
  'matches of one stranger': { shoot: matching(unlike(1)), answer: '401 no_match', counts: 1, room: 1 },
  'matches of three strangers': { shoot: matching(unlike(3)), answer: '401 no_match', counts: 3, room: 3 },
  'matches of a chain': {
    shoot: matching(chain(faces.stranger(1), faces.stranger(2))),
    answer: '401 no_match',
    counts: 1,
    room: 1,
  },
  'matches of two strangers beside one’s own face': {
    shoot: matching([OWN, ...unlike(2)]),
    answer: '200',
    counts: 2,
    room: 3,
  },
  'enrolls of a known face and four strangers': {
    shoot: shot => enroll(run, shot.app, { ...shot, descriptors: [...unlike(4), OWN] }),
    answer: '409 face_already_enrolled',
    counts: 5,
    room: 5,
  },
  'added templates of one’s own face and a stranger': {
    shoot: ({ app, token, ...of }) => addTemplates(run, app, token, [OWN, ...unlike(1)], of),
    answer: '401 no_match',
    counts: 2,
    room: 2,
  },
};

async function somebody(mode: Mode) {
  const app = await run.createApp();
  const { token } = await enrolled(run, app, { mode, descriptors: [OWN] });
  return { app, token, mode };
}

/** A burst from one address. @returns the answers, and how many failed faces were counted */
async function burst(kind: Kind, shot: Omit<Shot, 'challengeId'>, size = 20) {
  const ids = await challenges(run, shot.app, size, shot.mode);
  const answers = await Promise.all(ids.map(challengeId => kind.shoot({ ...shot, challengeId })));
  return { ids, answers: tally(answers) };
}

const counted = (app: TestApp, kind: string) =>
  run.rows('SELECT count FROM windows WHERE app_id = ? AND key LIKE ?', app.id, `${kind}:%`)[0]?.count ?? 0;

for (const [what, kind] of Object.entries(KINDS))
  for (const mode of ['live', 'test'] as const)
    test(`${what}: a burst counts ${kind.counts} each, and no more than fit (${mode})`, async () => {
      const [one, ip] = [await somebody(mode), address()];
      const passed = Math.floor((10 - kind.room) / kind.counts) + 1;
      const { answers } = await burst(kind, { ...one, ip });
      assert.equal(answers, { [kind.answer]: passed, '429 rate_limited': 20 - passed });
      for (const window of ['failed-match', 'failed-faces', 'failed-faces-app'])
        assert.is(counted(one.app, window), passed * kind.counts, window);
      const plain = await burst(KINDS['matches of one stranger'] as Kind, { ...one, ip }, 10);
      const left = 10 - passed * kind.counts;
      assert.equal(plain.answers, { ...(left && { '401 no_match': left }), '429 rate_limited': 10 - left });
    });

test('a request that would exceed a limit is refused before it is compared, and keeps its challenge', async () => {
  const [one, ip] = [await somebody('live'), address()];
  const [eight, three] = await challenges(run, one.app, 2);
  await burst(KINDS['matches of one stranger'] as Kind, { ...one, ip }, 8);
  const known = { ip, challengeId: three as string, descriptors: [OWN, ...unlike(2)] };
  assertError(await match(run, one.app, known), 'rate_limited', 'its own face would match');
  assert.is((await match(run, one.app, { ...known, ip: address() })).status, 200, 'the challenge is open');
  const own = { ip, challengeId: eight as string, descriptors: [OWN, OWN] };
  assert.is((await match(run, one.app, own)).status, 200, 'one face fits');
});

test('enrolls count by their faces, and have a limit of the day', async () => {
  await using own = await startService({ env: { LIMIT_ENROLL_PER_IP: '12' } });
  const [app, ip] = [await own.createApp(), address()];
  const ask = (descriptors: number[][]) => enroll(own, app, { ip, challengeId: 'ch_none', descriptors });
  for (let window = 0; window < 6; window++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(unlike(5))));
    assert.equal(tally(answers), { '400 challenge_invalid': 2, '429 rate_limited': 18 }, `window ${window}`);
    assertError(await ask([OWN, faces.genuine(0, 1)]), 'challenge_invalid', 'one face');
    assertError(await ask([OWN]), 'challenge_invalid', 'the last one');
    assertError(await ask([OWN]), 'rate_limited');
    own.clock.advance(15 * 60_000);
  }
  assertError(await ask([OWN]), 'rate_limited', 'the day is used up');
  own.clock.advance(12 * 3_600_000);
  assertError(await ask([OWN]), 'challenge_invalid', 'the next day');
});

/** Uses up a limit of the day, in bursts of a quarter of an hour each. */
async function fill(one: Omit<Shot, 'challengeId' | 'ip'>, ip: () => string, faces: number): Promise<void> {
  const kind = KINDS['matches of one stranger'] as Kind;
  for (let left = faces; left > 0; left -= 10) {
    const { answers } = await burst(kind, { ...one, ip: ip() }, Math.min(10, left));
    assert.equal(answers, { '401 no_match': Math.min(10, left) });
    run.clock.advance(15 * 60_000);
  }
}

const SECONDS_A_DAY = 86_400;
const restOfDay = () => String(SECONDS_A_DAY - (Math.floor(run.clock.now() / 1_000) % SECONDS_A_DAY));

for (const mode of ['live', 'test'] as const) {
  test(`an address has a limit of the day, and its /48 ten times that (${mode})`, async () => {
    const [one, ip] = [await somebody(mode), '2001:db8:7:1::1'];
    await fill(one, () => ip, OF_ADDRESS);
    const refused = await match(run, one.app, { mode, ip, descriptors: unlike(1) });
    assertError(refused, 'rate_limited');
    assert.is(refused.headers['retry-after'], restOfDay());
    assertError(await match(run, one.app, { mode, ip, descriptors: [OWN] }), 'rate_limited', 'own face');
    const known = await enroll(run, one.app, { mode, ip, descriptors: [OWN] });
    assertError(known, 'rate_limited', 'enroll');
    assert.is((await match(run, one.app, { mode, ip: '2001:db8:7:2::1', descriptors: [OWN] })).status, 200);
    run.change(
      'UPDATE windows SET count = ? WHERE key LIKE ? AND count = ?',
      OF_ADDRESS * 10,
      'failed-faces:%',
      OF_ADDRESS,
    );
    assertError(await match(run, one.app, { mode, ip: '2001:db8:7:2::1' }), 'rate_limited', 'of the /48');
    run.clock.advance(Number(restOfDay()) * 1_000);
    assert.is((await match(run, one.app, { mode, ip, descriptors: [OWN] })).status, 200, 'the next day');
  });

  test(`an app has a limit of the day over all addresses (${mode})`, async () => {
    const one = await somebody(mode);
    await fill(one, address, OF_APP / 2 - 1);
    const problem = async () => {
      const { problems } = await (await fetch(`${run.portal}/health`)).json();
      return problems.filter(({ name }: { name: string }) => name === 'failed-faces');
    };
    assert.equal(await problem(), [], 'less than half');
    await fill(one, address, 1);
    const [{ message }] = await problem();
    assert.match(message, new RegExp(`are used: ${one.app.id} \\(${mode}\\) 50 % of ${OF_APP}\\.`));
    await fill(one, address, OF_APP / 2);
    const refused = await match(run, one.app, { mode, ip: address(), descriptors: [OWN] });
    assertError(refused, 'rate_limited');
    assert.is(refused.headers['retry-after'], restOfDay());
    const other = await somebody(mode);
    assert.is((await match(run, other.app, { mode, descriptors: [OWN] })).status, 200, 'another app');
    run.clock.advance(Number(restOfDay()) * 1_000);
    assert.is((await match(run, one.app, { mode, descriptors: [OWN] })).status, 200, 'the next day');
  });
}

test.run();
