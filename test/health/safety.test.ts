/** Watched apps in the operators' health: which come first, what is said of each, and that it stays small. */
import * as assert from 'uvu/assert';
import { unsafeApps, watchedApps } from '../../src/health/safety.ts';
import { suite } from '../support/suite.ts';
import { finding } from './findings.ts';

const test = suite('health: safety');
type Listed = { watched: { app_id: string }[]; left_out: number };
const ids = (list: object) => (list as Listed).watched.map(({ app_id }) => app_id);

test('what is told of an app, and nothing of those that nobody has counted', () => {
  const encoders = [
    { gallery: { appId: 'app_a', mode: 'live' }, encoder: 'network-1' },
    { gallery: { appId: 'app_c', mode: 'test' }, encoder: 'network-2' },
  ] as const;
  assert.equal(watchedApps([finding('app_a', 'safe', 20), finding('app_b', 'unknown', null)], encoders), {
    watched: [
      {
        app_id: 'app_a',
        mode: 'live',
        encoder: 'network-1',
        users: 20,
        fmr_estimate: 2.5e-5,
        safe_users: 40,
        safe_users_interval: [10, 90],
        state: 'safe',
      },
    ],
    left_out: 0,
  });
  const [unknown] = (watchedApps([finding('app_c', 'unknown', 12)], encoders) as Listed).watched;
  assert.equal(unknown, {
    app_id: 'app_c',
    mode: 'live',
    encoder: null,
    users: 12,
    fmr_estimate: null,
    safe_users: null,
    safe_users_interval: null,
    state: 'unknown',
  });
});

test('unsafe ones first, then unclear, safe and unknown ones, the largest first among them', () => {
  const list = watchedApps(
    [
      finding('unknown', 'unknown', 900),
      finding('safe-small', 'safe', 20),
      finding('safe-large', 'safe', 30),
      finding('unclear', 'unclear', 50),
      finding('unsafe-small', 'unsafe', 91),
      finding('unsafe-large', 'unsafe', 300),
    ],
    [],
  );
  assert.equal(ids(list), ['unsafe-large', 'unsafe-small', 'unclear', 'safe-large', 'safe-small', 'unknown']);
});

test('a hundred are listed at most, and it is said how many are not', () => {
  const many = Array.from({ length: 230 }, (_, n) => finding(`app_${n}`, n === 229 ? 'unsafe' : 'safe', n));
  const list = watchedApps(many, []) as Listed;
  assert.equal([list.watched.length, list.left_out], [100, 130]);
  assert.equal(ids(list).slice(0, 2), ['app_229', 'app_228']);
});

test('problems: three by name, the others by number', () => {
  const problems = (count: number) =>
    unsafeApps({
      scores: Array.from({ length: count }, (_, n) => finding(`app_${n}`, 'unsafe', 100 + n)),
      threshold: 0.35,
    }).map(({ message }) => message);
  assert.is(problems(3).length, 3);
  assert.match(problems(4)[0] ?? '', /^App app_3 \(live\) has 103 users/);
  assert.equal(problems(4).slice(3), ['1 more app is unsafe: see "apps" in this response.']);
  assert.equal(problems(90).slice(3), ['87 more apps are unsafe: see "apps" in this response.']);
});

test.run();
