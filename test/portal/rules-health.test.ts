/** A database that goes away under a running service: said plainly, and over as soon as it is back. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { assertError, browser, call, challenge, enrolled, match } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: health');
const run = serviceFor(test);

const health = () => call(run, 'GET', '/health');

/** Takes the database file away until the answer is called. */
function takeAway(): () => void {
  const file = join(run.dataDir, 'face-sign-in.db');
  const parts = ['', '-wal', '-shm'].filter(end => existsSync(file + end));
  for (const end of parts) renameSync(file + end, `${file}.away${end}`);
  return () => {
    for (const end of parts) renameSync(`${file}.away${end}`, file + end);
  };
}

test('health is 503 and says down while the database does not answer, and ok again afterwards', async () => {
  const { version } = (await health()).json;
  const putBack = takeAway();
  try {
    const answer = await health();
    assert.is(answer.status, 503, answer.text);
    assert.equal(answer.json, { status: 'down', db: 'down', version });
    const head = await call(run, 'HEAD', '/health');
    assert.is(head.status, 503);
  } finally {
    putBack();
  }
  await delay(1_100);
  const answer = await health();
  assert.equal([answer.status, answer.json], [200, { status: 'ok', db: 'ok', version }]);
});

test('without its database the API is unavailable, in the envelope, with the time to wait', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const { challenge_id: challengeId } = await challenge(run, app);
  const putBack = takeAway();
  try {
    const answers = [
      await call(run, 'POST', '/v1/challenges', { headers: browser(app) }),
      await match(run, app, { challengeId }),
    ];
    for (const answer of answers) {
      assertError(answer, 'service_unavailable');
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
    }
  } finally {
    putBack();
  }
  assert.is((await match(run, app, { challengeId })).status, 200, 'nothing was used up');
});

test('after a failed write health stays down for a second, then probes again', async () => {
  const app = await run.createApp();
  assert.is((await health()).status, 200);
  await delay(1_100);
  const putBack = takeAway();
  try {
    assertError(await call(run, 'POST', '/v1/challenges', { headers: browser(app) }), 'service_unavailable');
    assert.is((await health()).status, 503, 'a probe that fails');
  } finally {
    putBack();
  }
  assert.is((await health()).status, 503, 'no probe within the second');
  await delay(1_100);
  for (let n = 0; n < 3; n++) assert.is((await health()).status, 200, `after a probe that succeeds: ${n}`);
});

test.run();
