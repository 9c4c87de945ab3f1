/** Tier 3: windows that count several events at once, with a sign-in or a failed match too. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { burst } from './concurrency.ts';
import { contractOn, type Engine } from './engine.ts';
import {
  authsOf,
  challenges,
  enrolled,
  enrolment,
  FIRST,
  failedMatch,
  LIVE,
  MONTH,
  NOW,
  signIn,
  takeWindow,
} from './fixtures.ts';

export function windowEvents(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check(
    'several events are taken together or not at all, also with a sign-in and a failed match',
    async given => {
      const window = { key: 'w', limit: 20, length: 1_000 };
      const three = await burst(given, 60, handle =>
        takeWindow(handle, FIRST, { ...window, events: 3 }, NOW),
      );
      assert.is(three.filter(({ taken }) => taken).length, 6);
      const wide = { ...window, events: 1, room: 3 };
      assert.is(
        (await takeWindow(given.store, FIRST, wide, NOW)).taken,
        false,
        'room for three, where two fit',
      );
      const never = { ...window, key: 'new', events: 21 };
      assert.equal(await takeWindow(given.store, FIRST, never, NOW), { taken: false, endsAt: NOW + 1_000 });
      const asked = await given.store.takeWindows([{ ...window, events: 0, room: 2, appId: FIRST }], NOW);
      assert.equal(asked, { taken: true }, 'nothing is counted, and two would fit');
      assert.is((await given.store.peekWindow('w', NOW))?.count, 18);

      const { number } = await enrolled(given.store);
      const ids = await challenges(given.store, 60);
      const failures = [{ ...window, key: 'faces', events: 2, room: 3 }];
      const outcomes = await burst(given, 60, (handle, i): Promise<{ outcome: string }> => {
        const challengeId = ids[i] ?? '';
        return i % 2
          ? handle.recordSignIn(signIn(number, challengeId, { failures }))
          : handle.recordFailedMatch(failedMatch({ challengeId, failures }));
      });
      const counted = outcomes.filter(({ outcome }) => outcome === 'signed_in' || outcome === 'recorded');
      assert.is(counted.length, 9, 'of 20, as long as 3 fit');
      assert.is((await given.store.peekWindow('faces', NOW))?.count, 18);
      const asks = [{ ...window, key: 'faces', events: 0, room: 2 }];
      const more = await challenges(given.store, 2, LIVE, 'more');
      assert.is(
        (await given.store.recordSignIn(signIn(number, more[0] ?? '', { failures: asks }))).outcome,
        'signed_in',
      );
      const full = [{ ...window, key: 'faces', events: 0, room: 3 }];
      assert.is(
        (await given.store.recordSignIn(signIn(number, more[1] ?? '', { failures: full }))).outcome,
        'failures_full',
      );
    },
  );

  check('an enrolment beyond a window counts its auth only', async ({ store }) => {
    const limited = [{ key: 'share', limit: 1, length: 1_000 }];
    await enrolled(store, { limited });
    const { sequence } = await store.galleryState(LIVE);
    const beyond = await store.enrol(enrolment({ limited, sequence, id: 'usr_beyond' }));
    assert.equal(beyond, { outcome: 'window_full', endsAt: NOW + 1_000 });
    assert.is((await store.enrol(enrolment({ limited }))).outcome, 'stale', 'counts nothing');
    assert.is(await authsOf(store), 2);
    assert.is((await store.usageOf(LIVE, MONTH)).enrolls, 1);
    assert.is(await store.findUser(LIVE, { id: 'usr_beyond' }), null);
    assert.is((await store.peekWindow('share', NOW))?.count, 1);
  });
}
