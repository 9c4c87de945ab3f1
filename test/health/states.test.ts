/** What is remembered of mail, galleries and erasures between two looks. */
import * as assert from 'uvu/assert';
import type { GalleryNotice } from '../../src/domain/galleries/notices.ts';
import { createGalleryFaults, createMailState, createStreak } from '../../src/health/states.ts';
import { suite } from '../support/suite.ts';

const test = suite('health: states');

function mailAt() {
  let now = 0;
  const mail = createMailState('smtp', () => now);
  const end = (isSent: boolean, isOfMessage = false) => {
    now++;
    mail.ended({ isSent, isOfMessage, seconds: 0.1 });
    return mail.state();
  };
  return end;
}

test('mail: one message that finds no way out is enough, and the next that does ends it', () => {
  const end = mailAt();
  assert.equal(end(false), { transport: 'smtp', failures: 1, failingSince: 1, failedAt: 1, isBroken: true });
  assert.equal(end(false), { transport: 'smtp', failures: 2, failingSince: 1, failedAt: 2, isBroken: true });
  assert.ok(end(false, true).isBroken, 'a refused one proves nothing');
  assert.equal(end(true), {
    transport: 'smtp',
    failures: 0,
    failingSince: null,
    failedAt: 3,
    isBroken: false,
  });
  assert.is(end(false).failingSince, 5);
});

test('mail: recipients who are refused count from the third in a row', () => {
  const end = mailAt();
  assert.equal(
    [end(false, true), end(false, true)].map(({ isBroken }) => isBroken),
    [false, false],
  );
  assert.not.ok(end(true).isBroken);
  assert.equal(
    [1, 2, 3].map(() => end(false, true).isBroken),
    [false, false, true],
  );
  assert.is(end(false, true).failingSince, 4);
});

test('galleries: remembered once each, until they are loaded or their app is gone', () => {
  let now = 10;
  const loaded = new Set<string>();
  const faults = createGalleryFaults(
    () => now,
    ({ appId }) => (loaded.has(appId) ? 1 : 0),
  );
  const gallery = (appId: string) => ({ appId, mode: 'live' }) as const;
  const tell = (appId: string, notice: object) =>
    faults.record({ gallery: gallery(appId), ...notice } as GalleryNotice);
  const listed = () => faults.list().map(({ gallery: { appId }, what, since }) => [appId, what, since]);
  tell('a', { what: 'loading', loaded: 0, total: 9 });
  tell('b', { what: 'too_large', templates: 9, isRefused: false });
  assert.equal(listed(), []);
  tell('a', { what: 'failed', cause: new Error('x') });
  now = 20;
  tell('a', { what: 'failed', cause: new Error('x') });
  tell('b', { what: 'too_large', templates: 9, isRefused: true });
  tell('c', { what: 'failed', cause: new Error('x') });
  assert.equal(listed(), [
    ['a', 'failed', 10],
    ['b', 'too_large', 20],
    ['c', 'failed', 20],
  ]);
  tell('a', { what: 'loaded', templates: 9, ms: 1 });
  loaded.add('b');
  faults.forget(({ appId }) => appId === 'c');
  assert.equal(listed(), []);
  for (let n = 0; n < 500; n++) tell(`app ${n}`, { what: 'failed', cause: null });
  assert.is(listed().length, 100, 'no more than so many');
});

test('a streak begins with its first failure and ends with a success', () => {
  let now = 1;
  const streak = createStreak(() => now++);
  assert.is(streak.failingSince(), null);
  streak.ended(false);
  streak.ended(false);
  assert.is(streak.failingSince(), 1);
  streak.ended(true);
  assert.is(streak.failingSince(), null);
});

test.run();
