/** The trial of races sees what it is there to see: each kind of fault is planted, and has to be found. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { enrolled, planFile } from '../../support/client.ts';
import { lockWith } from '../../support/forked-service.ts';
import { type Running, serviceFor, startService } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { openBurstSender, type Way } from './burst.ts';
import { guessesAtUnknownEmail, oneCode, wrongGuesses } from './codes.ts';
import { orphansInFile } from './database.ts';
import { distort, oneMore, type Passed, type Spoil } from './distort.ts';
import { sameEmail, sameFace } from './enrolments.ts';
import type { Limit } from './limit-bursts.ts';
import { LIMITS, TINY_PLAN } from './limits.ts';
import { oneAddress, oneChallenge, oneChange, oneDeletion, oneLogout } from './once.ts';
import { createScores } from './run.ts';
import type { Race, Setup } from './setup.ts';

const PARALLEL = 12;
const unset = undefined as unknown as string;
const test = suite('chaos: races');
const quiet = serviceFor(test, { env: { MAIL_ANSWER_MS: '0' } });
const whole = serviceFor(test, {
  env: {
    PLANS_FILE: planFile(TINY_PLAN),
    LIMIT_IP_PER_MINUTE: unset,
    LIMIT_ME_PER_MINUTE: unset,
    LIMIT_CODE_PER_IP: unset,
    LIMIT_VERIFY_PER_IP: unset,
  },
});

/** The faults that a trial finds in this service behind spoilt answers. */
async function faultsOf(
  run: Running,
  what: Race | Limit,
  spoil: Spoil | null,
  how: Way = 'held',
): Promise<string[]> {
  const between = spoil && (await distort(run.base, spoil));
  const base = between?.base ?? run.base;
  const locker = new Database(join(run.dataDir, 'face-sign-in.db'));
  const sender = openBurstSender([base], PARALLEL, () => lockWith(locker));
  const setup: Setup = {
    run: { ...run, base },
    mode: 'test',
    parallel: PARALLEL,
    round: 0,
    send: async requests => (await sender.send(requests, how)).replies,
  };
  try {
    const scores = createScores();
    const faults = await ('run' in what ? scores.race(what, setup) : scores.limit(what, setup));
    if (between) assert.ok(between.spoilt() > 0, `${what.name}: the fault was planted`);
    return faults;
  } finally {
    sender.close();
    locker.close();
    between?.close();
  }
}

const at =
  (...paths: string[]) =>
  ({ path }: Passed) =>
    paths.includes(path);
const verify = at('/v1/email-codes/verify');

const planted: readonly [race: Race, refusal: number, grant: number, counts: (asked: Passed) => boolean][] = [
  [oneChallenge, 400, 200, at('/v1/enroll', '/v1/match', '/v1/me/templates')],
  [oneCode, 400, 200, verify],
  [sameEmail, 409, 201, at('/v1/enroll')],
  [sameFace, 409, 201, at('/v1/enroll')],
  [oneLogout, 401, 204, at('/v1/me/logout')],
  [oneDeletion, 404, 204, ({ method }) => method === 'DELETE'],
  [oneChange, 400, 200, at('/v1/me/email/confirm')],
  [oneAddress, 409, 201, at('/v1/enroll', '/v1/me/email/confirm')],
];
for (const [race, refusal, grant, counts] of planted) {
  test(`${race.name}: held by the service; one more that proceeds is found`, async () => {
    for (const how of ['plain', 'locked'] as const) assert.equal(await faultsOf(quiet, race, null, how), []);
    const faults = await faultsOf(quiet, race, oneMore(refusal, grant, counts));
    assert.match(faults.join(), /^answered |confirmed and enrolled/);
  });
}

/** The first answer with this status becomes another. */
function instead(status: number, answered: number, body: object): Spoil {
  let done = false;
  return () => truth => {
    if (done || truth.status !== status) return null;
    done = true;
    return { status: answered, body: JSON.stringify(body) };
  };
}
/** Whoever came before any token was denied is told 204: checked first, marked later. */
const checkThenMark =
  (run: Running): Spoil =>
  ({ path }) => {
    const denied = run.rows('SELECT 1 FROM revoked_tokens').length > 0;
    return truth =>
      path === '/v1/me/logout' && !denied && truth.status === 401 ? { status: 204, body: '' } : null;
  };

test('a check before the mark is found, because all requests are looked at before one is written', async () => {
  const fresh = await startService();
  try {
    const faults = await faultsOf(fresh, oneLogout, checkThenMark(fresh), 'locked');
    assert.match(faults.join(), new RegExp(`answered {"204":${PARALLEL}}`));
  } finally {
    await fresh.close();
  }
});

const invalid = { error: { code: 'invalid_code', message: 'Wrong.' } };
const broken = { error: { code: 'internal_error', message: 'Broken.' } };

for (const race of [wrongGuesses, guessesAtUnknownEmail])
  test(`${race.name}: a sixth guess that is evaluated is found`, async () => {
    assert.equal(await faultsOf(quiet, race, null), []);
    assert.is.not((await faultsOf(quiet, race, instead(429, 400, invalid))).length, 0);
  });

test('an answer 5xx, and one outside the envelope, are found in a race', async () => {
  for (const body of [broken, {}])
    assert.is.not((await faultsOf(quiet, oneLogout, instead(401, 500, body))).length, 0);
});

const quick = /one address in a minute|one email in one app|one user in an hour|lockout|one address in 15/;
for (const limit of LIMITS.filter(({ name, wide }) => quick.test(name) && !wide)) {
  test(`${limit.name}: exact; one more and one less that get through are found`, async () => {
    assert.equal(await faultsOf(whole, limit, null), []);
    const granted = limit.fine[0] ?? '';
    const [status = '', code] = granted.split(' ');
    const body = code ? { error: { code, message: 'Granted.' } } : {};
    assert.is.not((await faultsOf(whole, limit, instead(429, Number(status), body))).length, 0, 'one more');
    const limited = { error: { code: 'rate_limited', message: 'Later.' } };
    const fewer = limit.burst;
    const less: Limit = {
      ...limit,
      burst: async (setup, most) => ({ ...(await fewer(setup, most)), spent: -1 }),
    };
    assert.is.not((await faultsOf(whole, less, null)).length, 0, 'one less');
    const mute = instead(Number(status), 429, limited);
    if (Number(status) >= 400) assert.is.not((await faultsOf(whole, limit, mute)).length, 0, 'refused early');
  });
}

test('rows of nobody are found in the database file', async () => {
  const app = await quiet.createApp();
  const { user } = await enrolled(quiet, app);
  assert.equal(orphansInFile(quiet), []);
  const file = new Database(join(quiet.dataDir, 'face-sign-in.db'));
  file.pragma('foreign_keys = OFF');
  const [consent] = quiet.rows('SELECT * FROM consents WHERE user_id = ?', user.id);
  file.prepare('DELETE FROM consents WHERE user_id = ?').run(user.id);
  assert.match(orphansInFile(quiet).join(), /users without a consent/);
  file.prepare('INSERT INTO consents VALUES (@user_id, @policy_version, @accepted_at, @sealed)').run(consent);
  file.prepare(`UPDATE templates SET user_id = 'usr_nobody' WHERE user_id = ?`).run(user.id);
  assert.match(orphansInFile(quiet).join(), /templates of no user.*foreign_key_check/);
  file.prepare(`UPDATE templates SET user_id = ? WHERE user_id = 'usr_nobody'`).run(user.id);
  file.close();
  assert.equal(orphansInFile(quiet), []);
});

test.run();
