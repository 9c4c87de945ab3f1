/** The app of a demo is gone at its end, however it ends, and no other app is. */
import * as assert from 'uvu/assert';
import { createApp, findApp, listApps } from '../../src/domain/operating/apps.ts';
import { withDemoApp } from '../../src/domain/operating/demo.ts';
import { listKeys } from '../../src/domain/operating/keys.ts';
import { suite } from '../support/suite.ts';
import { operate } from './operating.ts';

const test = suite('operating: demo');
const { deps, clock, close } = await operate();
test.after(close);
const HOUR = 3_600_000;

test('it has two test keys while it is played, and is gone after the end and after a fault', async () => {
  const answer = await withDemoApp(deps, async ({ appId, publishableKey, secretKey }) => {
    const keys = await listKeys(deps, appId);
    assert.equal(keys.map(({ type, mode, last4 }) => [type, mode, last4]).sort(), [
      ['publishable', 'test', publishableKey.slice(-4)],
      ['secret', 'test', secretKey.slice(-4)],
    ]);
    return 'played';
  });
  assert.is(answer, 'played');
  assert.equal(await listApps(deps), []);
  const fault = new Error('step 3 failed');
  const ended = await withDemoApp(deps, () => Promise.reject(fault)).catch(error => error);
  assert.is(ended, fault);
  assert.equal(await listApps(deps), []);
});

test('one that was left behind goes after an hour; what only looks alike stays', async () => {
  const origin = 'https://sign-in-demo.invalid';
  const name = 'Sign-in demo';
  const kept = [
    await createApp(deps, { name, allowedOrigins: [origin, 'https://a.example'] }),
    await createApp(deps, { name: 'Mine', allowedOrigins: [origin] }),
    await createApp(deps, { name }),
  ];
  const left = await createApp(deps, { name, allowedOrigins: [origin] });
  clock.time += HOUR;
  await withDemoApp(deps, async () => assert.equal(await findApp(deps, left.id), left));
  clock.time += 1;
  await withDemoApp(deps, async () => undefined);
  assert.equal((await listApps(deps)).map(({ id }) => id).sort(), kept.map(({ id }) => id).sort());
});

test.run();
