/** Verbs on signing keys and jobs: what each shows, and what it refuses by field and code. */
import * as assert from 'uvu/assert';
import { listSigningKeys, rotate } from '../../src/domain/operating/signing-keys.ts';
import { ensureSigningKey } from '../../src/domain/tokens/rotation.ts';
import { findJob, listJobs, runJob } from '../../src/jobs/jobs.ts';
import { suite } from '../support/suite.ts';
import { operate, refused } from './operating.ts';

const test = suite('operating: signing keys');
const { deps, clock, close } = await operate();
test.after(close);

test('a second rotation waits until the older key has left, and says when that is', async () => {
  await ensureSigningKey(deps);
  const began = clock.time;
  const wish = { now: false, revokeOld: false };
  const { kid, signsAt } = await rotate(deps, wish);
  assert.is(signsAt, began + 600_000);
  const message = await refused('signing_key', 'too_soon', () => rotate(deps, wish));
  assert.match(message, /rotate again after 2026-03-16 12:10:00 UTC, when the older one has left$/);
  assert.equal(
    (await listSigningKeys(deps)).map(({ status }) => status),
    ['current', 'next'],
  );
  clock.time = signsAt + 24 * 3_600_000;
  assert.equal(
    (await listSigningKeys(deps)).map(key => [key.kid, key.status]),
    [[kid, 'current']],
  );
  await rotate(deps, wish);
  const forced = await rotate(deps, { now: false, revokeOld: true });
  assert.equal(forced, { kid: forced.kid, signsAt: clock.time });
  assert.equal(
    (await listSigningKeys(deps)).map(key => key.kid),
    [forced.kid],
  );
});

test('jobs: found by name, and listed with the time of their last run', async () => {
  const message = await refused('job', 'not_found', async () => findJob('nonsense'));
  assert.match(message, /^there is no job "nonsense": use one of challenges, .*, audit$/);
  await runJob(deps, findJob('tokens'));
  const ran = (await listJobs(deps)).filter(({ lastRun }) => lastRun !== null);
  assert.equal(
    ran.map(({ name, lastRun }) => [name, lastRun]),
    [['tokens', clock.time]],
  );
});

test.run();
