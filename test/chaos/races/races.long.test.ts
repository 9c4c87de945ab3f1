/** The trial of races sees what it is there to see: each kind of fault is planted, and has to be found. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { enrolled, planFile } from '../../support/client.ts';
import { lockWith } from '../../support/forked-service.ts';
import { type Running, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { openBurstSender, type Reply, type Way } from './burst.ts';
import { guessesAtUnknownEmail, oneCode, wrongGuesses } from './codes.ts';
import { orphansInFile } from './database.ts';
import { sameEmail, sameFace } from './enrolments.ts';
import type { Limit } from './limits.ts';
import { LIMITS, TINY_PLAN } from './limits.ts';
import { oneAddress, oneChallenge, oneChange, oneDeletion, oneLogout } from './once.ts';
import { createScores } from './run.ts';
import type { Race } from './setup.ts';

const PARALLEL = 12;
const unset = undefined as unknown as string;
const test = suite('chaos: races');
const quiet = serviceFor(test, { env: { MAIL_ANSWER_MS: '0' } });
const limits = ['LIMIT_IP_PER_MINUTE', 'LIMIT_ME_PER_MINUTE', 'LIMIT_CODE_PER_IP', 'LIMIT_VERIFY_PER_IP'];
const whole = serviceFor(test, {
  env: { PLANS_FILE: planFile(TINY_PLAN), ...Object.fromEntries(limits.map(name => [name, unset])) },
});

/** Of the first burst, one answer with a status becomes another. */
interface Lie {
  readonly status: number;
  readonly kind: string;
}

/** @returns the faults that a trial finds */
async function faultsOf(run: Running, what: Race | Limit, lie?: Lie, how: Way = 'held'): Promise<string[]> {
  const locker = new Database(join(run.dataDir, 'face-sign-in.db'));
  const sender = openBurstSender([run.base], PARALLEL, () => lockWith(locker));
  let isTold = lie === undefined;
  const send = async (requests: Parameters<typeof sender.send>[0]): Promise<Reply[]> => {
    const { replies } = await sender.send(requests, how);
    if (isTold || !lie) return replies;
    isTold = true;
    const at = replies.findIndex(({ status }) => status === lie.status);
    assert.ok(at >= 0, `${what.name}: the fault was planted`);
    const fresh = { kind: lie.kind, status: Number.parseInt(lie.kind, 10), json: {} };
    return replies.with(at, replies.find(({ kind }) => kind === lie.kind) ?? fresh);
  };
  const setup = { run, mode: 'test', parallel: PARALLEL, round: 0, send } as const;
  try {
    const scores = createScores();
    return await ('run' in what ? scores.race(what, setup) : scores.limit(what, setup));
  } finally {
    sender.close();
    locker.close();
  }
}

const planted: readonly [race: Race, refusal: number, grant: string][] = [
  [oneChallenge, 400, '200'],
  [oneCode, 400, '200'],
  [sameEmail, 409, '201'],
  [sameFace, 409, '201'],
  [oneLogout, 401, '204'],
  [oneDeletion, 404, '204'],
  [oneChange, 400, '200'],
  [oneAddress, 409, '201'],
];
for (const [race, status, kind] of planted)
  test(`${race.name}: held by the service; one more that proceeds is found`, async () => {
    for (const how of ['plain', 'locked'] as const)
      assert.equal(await faultsOf(quiet, race, undefined, how), []);
    assert.match((await faultsOf(quiet, race, { status, kind })).join(), /^answered |confirmed and enrolled/);
  });

test('all requests are looked at before one is written, so that a check before the mark is found', async () => {
  let unlocked = Promise.resolve();
  let isMarked = false;
  const server = createServer(async (asked, response) => {
    await asked.resume().toArray();
    const status = isMarked ? 401 : 204;
    if (asked.url !== '/none') {
      await unlocked;
      isMarked = true;
    }
    response.writeHead(status).end();
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = openBurstSender([base], PARALLEL, () => {
    const lock = Promise.withResolvers<void>();
    unlocked = lock.promise;
    return lock.resolve;
  });
  const all = Array(PARALLEL).fill({ method: 'POST', path: '/', headers: {} });
  const { replies, together } = await sender.send(all, 'locked');
  sender.close();
  server.close();
  assert.equal([together, replies.filter(({ status }) => status === 204).length], [PARALLEL, PARALLEL]);
});

for (const race of [wrongGuesses, guessesAtUnknownEmail])
  test(`${race.name}: a sixth guess that is evaluated is found`, async () => {
    assert.equal(await faultsOf(quiet, race), []);
    assert.is.not((await faultsOf(quiet, race, { status: 429, kind: '400 invalid_code' })).length, 0);
  });

test('an answer 5xx, and one outside the envelope, are found in a race', async () => {
  for (const kind of ['500 internal_error', '401 outside the envelope'])
    assert.is.not((await faultsOf(quiet, oneLogout, { status: 401, kind })).length, 0);
});

const quick = /one address in a minute|one email in one app|one user in an hour|lockout|one address in 15/;
for (const limit of LIMITS.filter(({ name, wide }) => quick.test(name) && !wide))
  test(`${limit.name}: exact; one more and one less that get through are found`, async () => {
    const [kind = ''] = limit.fine;
    const limited = '429 rate_limited';
    assert.equal(await faultsOf(whole, limit), []);
    assert.is.not((await faultsOf(whole, limit, { status: 429, kind })).length, 0, 'one more');
    const early = { status: Number.parseInt(kind, 10), kind: limited };
    assert.is.not((await faultsOf(whole, limit, early)).length, 0, 'one less');
  });

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
