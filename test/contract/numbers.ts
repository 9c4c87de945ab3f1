/** Tier 1, numbers for charts: what was counted on which day, how close faces were, and searches for people. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine } from './engine.ts';
import {
  challenges,
  enrolled,
  FIRST,
  failedMatch,
  LIVE,
  NOW,
  OTHER,
  SECOND,
  signIn,
  TEST,
} from './fixtures.ts';

const DAY = 86_400_000;
const TODAY = NOW - (NOW % DAY);

export function numbers(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const days = { from: NOW - DAY, to: NOW + 2 * DAY };

  check('every event is counted on its day, also after its user was erased', async ({ store }) => {
    const person = await enrolled(store, { id: 'usr_1', at: NOW });
    const [challenge = ''] = await challenges(store, 1);
    await store.recordSignIn(signIn(person.number, challenge));
    await store.recordFailedMatch(failedMatch({ at: NOW + DAY }));
    await store.deleteUsers([{ id: 'usr_1', gallery: LIVE }], NOW + DAY, { events: 'deleted' });
    const row = { mode: 'live' as const, count: 1 };
    assert.equal(await store.eventsPerDay({ appId: FIRST, ...days }), [
      { ...row, day: TODAY, type: 'enroll' },
      { ...row, day: TODAY, type: 'match' },
      { ...row, day: TODAY + DAY, type: 'match_failed' },
      { ...row, day: TODAY + DAY, type: 'user_deleted' },
    ]);
    assert.equal(await store.eventsPerDay({ appId: FIRST, from: NOW - DAY, to: NOW - DAY }), []);
    assert.equal(await store.eventsPerDay({ appId: FIRST, mode: 'test', ...days }), []);
  });

  check('counts of days go with the oldest events', async ({ store }) => {
    await enrolled(store, { at: NOW });
    await enrolled(store, { at: NOW + DAY });
    await store.prune('events', NOW + DAY, 100);
    const left = await store.eventsPerDay({ appId: FIRST, ...days });
    assert.equal(
      left.map(({ day }) => day),
      [TODAY + DAY],
    );
  });

  check('distances are counted by day, outcome and range, and go with the app', async ({ store }) => {
    const person = await enrolled(store, { at: NOW });
    const [one = '', two = '', three = ''] = await challenges(store, 3);
    await store.recordSignIn(signIn(person.number, one, { distanceBin: 7 }));
    await store.recordSignIn(signIn(person.number, two, { distanceBin: 7 }));
    await store.recordSignIn(signIn(person.number, three, { distanceBin: 3 }));
    await store.recordFailedMatch(failedMatch({ distanceBin: 21 }));
    await store.recordFailedMatch(failedMatch({ distanceBin: null }));
    const counted = [
      { day: TODAY, outcome: 'match', bin: 3, count: 1 },
      { day: TODAY, outcome: 'match', bin: 7, count: 2 },
      { day: TODAY, outcome: 'no_match', bin: 21, count: 1 },
    ];
    assert.equal(await store.distancesPerDay(LIVE, NOW, NOW), counted);
    assert.equal(await store.distancesPerDay(TEST, NOW, NOW), []);
    assert.equal(await store.distancesPerDay(LIVE, NOW + DAY, NOW + DAY), []);
    await store.deleteApp(FIRST, NOW + DAY);
    assert.equal(await store.distancesPerDay(LIVE, NOW, NOW), []);
  });

  check('a refused sign-in counts no distance', async ({ store }) => {
    const person = await enrolled(store, { at: NOW });
    await store.recordSignIn(signIn(person.number, 'ch_unknown'));
    await store.recordFailedMatch(failedMatch({ challengeId: 'ch_unknown', distanceBin: 2 }));
    assert.equal(await store.distancesPerDay(LIVE, NOW, NOW), []);
  });

  check('people from the newest on, page after page', async ({ store }) => {
    for (const [id, at] of [
      ['usr_a', NOW],
      ['usr_b', NOW],
      ['usr_c', NOW + 1],
    ] as const)
      await enrolled(store, { id, at });
    const ids = async (after: Parameters<typeof store.listUsers>[1], limit: number) =>
      (await store.listUsers(LIVE, after, limit, { order: 'newest' })).map(({ user }) => user.id);
    assert.equal(await ids(null, 10), ['usr_c', 'usr_b', 'usr_a']);
    assert.equal(await ids({ id: 'usr_b', createdAt: NOW }, 10), ['usr_a']);
    assert.equal(await ids(null, 1), ['usr_c']);
  });

  check('people by a part of their address or name, whatever its case', async ({ store }) => {
    const enrol = (id: string, email: string, name: string, gallery = LIVE) =>
      enrolled(store, { id, gallery, user: { id, email, name } });
    await enrol('usr_1', 'Ada@mail.example', 'Ada Lovelace');
    await enrol('usr_2', 'grace_h@mail.example', 'Grace');
    await enrol('usr_3', 'zoe@post.example', 'ZOË Ångström');
    await enrol('usr_4', 'ada@mail.example', 'Ada', OTHER);
    const found = async (contains: string, order: 'oldest' | 'newest' = 'oldest', limit = 10) =>
      (await store.listUsers(LIVE, null, limit, { contains, order })).map(({ user }) => user.id);
    assert.equal(await found('aDa'), ['usr_1']);
    assert.equal(await found('MAIL.'), ['usr_1', 'usr_2']);
    assert.equal(await found('mail.', 'newest'), ['usr_2', 'usr_1']);
    assert.equal(await found('mail.', 'oldest', 1), ['usr_1']);
    assert.equal(await found('zoë åNG'), ['usr_3'], 'letters beyond ASCII too');
    assert.equal(await found('_h'), ['usr_2'], 'nothing is a wildcard');
    assert.equal(await found('%'), []);
    assert.equal(await found('\\'), []);
    const [first] = await store.listUsers(LIVE, null, 1, { contains: 'example' });
    const rest = await store.listUsers(LIVE, first?.user ?? null, 10, { contains: 'example' });
    assert.equal(
      rest.map(({ user }) => user.id),
      ['usr_2', 'usr_3'],
    );
  });

  check('the events after a position, and those of one app and mode in order of time', async ({ store }) => {
    for (let i = 0; i < 6; i++) await enrolled(store, { at: NOW + 2 * i });
    for (let i = 0; i < 6; i++) await store.recordFailedMatch(failedMatch({ at: NOW + 2 * i + 1 }));
    await enrolled(store, { gallery: TEST, at: NOW + 3 });
    const filter = { appId: FIRST, mode: 'live' as const };
    const all = await store.listEvents(filter, null, 100);
    assert.equal(
      all.map(({ at }) => at - NOW),
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    );
    const paged = [];
    for (let before = null; ; ) {
      const page = await store.listEvents(filter, before, 5);
      paged.push(...page);
      const last = page.at(-1);
      if (!last) break;
      before = last as never;
    }
    assert.equal(paged, all);
    const after = await store.listEvents(filter, all[6] as never, 3, 'oldest');
    assert.equal(after.reverse(), all.slice(3, 6), 'the oldest of those that are newer');
    assert.equal(await store.listEvents(filter, all[0] as never, 3, 'oldest'), []);
    assert.equal(await store.listEvents({ appId: SECOND, mode: 'live' }, all[6] as never, 3, 'oldest'), []);
  });
}
