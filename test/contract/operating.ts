/** Tier 1, what operators ask: people wherever they are kept, all that is kept of one, the audit trail, numbers. */
import * as assert from 'uvu/assert';
import type { EventFilter } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, everything } from './engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  FIRST,
  failedMatch,
  LIVE,
  MONTH,
  NOW,
  OTHER,
  SECOND,
  signIn,
  signingKey,
  TEST,
  TOKEN,
  UNLIMITED,
} from './fixtures.ts';

const DAY = 86_400_000;
const LOCKOUT = { key: 'lockout', limit: 5, length: 1_000 };

export function operating(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a store at rest has nothing waiting, and probing it changes nothing', async ({ db, store }) => {
    await enrolled(store);
    await store.addSigningKey(signingKey('one'), null);
    const before = await everything(db);
    await Promise.all([store.ping(), store.ping('writing'), store.ping('writing')]);
    assert.equal(await everything(db), before);
    const { file, ...figures } = await store.figures();
    assert.equal(figures, { writesWaiting: 0, unjournaled: 0, unreadableSigningKeys: 0, plantedRows: 0 });
    assert.equal([file !== null, store.file !== null], Array(2).fill(engine.offers.files));
  });

  check('a user is placed by the id alone, with the number of templates', async ({ store }) => {
    await enrolled(store, { id: 'usr_live', at: NOW });
    await enrolled(store, { id: 'usr_test', gallery: TEST, at: NOW });
    for (const [id, gallery] of [
      ['usr_live', LIVE],
      ['usr_test', TEST],
    ] as const) {
      const user = await store.findUser(gallery, { id });
      assert.equal(await store.placeUser(id), { gallery, user, templateCount: 2 });
    }
    assert.is(await store.placeUser('usr_unknown'), null);
  });

  check('the file of a user holds what is stored of that user, and of nobody else', async ({ db, store }) => {
    const person = await enrolled(store, { id: 'usr_1', policyVersion: '2026-02' });
    await enrolled(store, { id: 'usr_2' });
    const [challenge = ''] = await challenges(store, 1);
    await store.recordSignIn(signIn(person.number, challenge));
    await store.recordFailedMatch(failedMatch({ nearUser: person.number }));
    const code = { gallery: LIVE, userId: 'usr_1', hash: 'h', expiresAt: NOW + 5 };
    await store.putCode({ ...code, id: 'code_1' });
    await store.putCode({ ...code, id: 'code_2', email: 'new@mail.example', lockoutKey: 'x' });
    await store.useCode({
      ...{ gallery: LIVE, userId: 'usr_1', hash: 'wrong', at: NOW + 3, lockout: LOCKOUT, auth: UNLIMITED },
      origin: { ip: '192.0.2.4', userAgent: 'Browser/4', liveness: undefined },
      token: TOKEN,
    });
    const before = await everything(db);
    const file = await store.userFile('usr_1', true);
    assert.equal(await everything(db), before, 'reading changes nothing');
    assert.ok(file);
    const { templates, events, consent, codes, told, ...placed } = file;
    assert.equal(
      told.map(({ type }) => type),
      ['user.enrolled', 'user.signed_in'],
    );
    assert.equal(placed, await store.placeUser('usr_1'));
    const { ip, userAgent } = person.origin;
    assert.equal(consent, { policyVersion: '2026-02', acceptedAt: NOW, ip, userAgent });
    assert.equal(
      templates.map(({ id, origin, createdAt, vector }) => ({ id, origin, createdAt, vector })),
      person.templates.map(({ id, vector }) => ({ id, origin: 'enrolled', createdAt: NOW, vector })),
    );
    assert.equal(
      events.map(({ type, at, userId }) => [type, at, userId]),
      [
        ['enroll', NOW, 'usr_1'],
        ['match', NOW + 1, 'usr_1'],
        ['match_failed', NOW + 2, 'usr_1'],
        ['email_code_failed', NOW + 3, 'usr_1'],
      ],
    );
    assert.equal(events[0]?.liveness, { score: 0.5 });
    assert.equal(
      [events[2]?.ip, events[2]?.userAgent, events[2]?.liveness],
      ['192.0.2.3', 'Browser/3', null],
    );
    assert.equal(codes, [
      { kind: 'change', expiresAt: NOW + 5, wrong: 0, newEmail: 'new@mail.example' },
      { kind: 'sign-in', expiresAt: NOW + 5, wrong: 1, newEmail: null },
    ]);
    const sealed = await store.userFile('usr_1', false);
    assert.ok(
      sealed?.templates.every(({ vector }) => vector === null),
      'opened only when it is asked for',
    );
    assert.is(await store.userFile('usr_unknown', true), null);
  });

  check('events by every filter, the newest first, page after page', async ({ store }) => {
    await enrolled(store, { id: 'usr_1', at: NOW });
    await enrolled(store, { id: 'usr_2', gallery: TEST, at: NOW + 10 });
    await enrolled(store, { id: 'usr_3', gallery: OTHER, at: NOW + 20 });
    await store.recordFailedMatch(failedMatch({ at: NOW + 30 }));
    await deleteUser(store, OTHER, 'usr_3', NOW + 40);
    const found = async (filter: EventFilter) =>
      (await store.listEvents(filter, null, 100)).map(({ type, at }) => `${type} ${at - NOW}`);
    const all = ['user_deleted 40', 'match_failed 30', 'enroll 20', 'enroll 10', 'enroll 0'];
    assert.equal(await found({}), all);
    assert.equal(await found({ appId: FIRST }), ['match_failed 30', 'enroll 10', 'enroll 0']);
    assert.equal(await found({ appId: FIRST, mode: 'test' }), ['enroll 10']);
    assert.equal(await found({ userId: 'usr_2' }), ['enroll 10']);
    assert.equal(await found({ userId: 'usr_3' }), [], 'the events of an erased user are of nobody');
    assert.equal(await found({ type: 'enroll', appId: SECOND }), ['enroll 20']);
    assert.equal(await found({ since: NOW + 10, until: NOW + 30 }), ['enroll 20', 'enroll 10']);
    const paged: string[] = [];
    for (let before = null; ; ) {
      const page = await store.listEvents({}, before, 2);
      paged.push(...page.map(({ type, at }) => `${type} ${at - NOW}`));
      const last = page.at(-1);
      if (!last) break;
      before = last as never;
    }
    assert.equal(paged, all);
  });

  check('events of one moment are neither lost nor told twice between pages', async ({ store }) => {
    for (let i = 0; i < 5; i++) await enrolled(store, { at: NOW });
    const first = await store.listEvents({}, null, 3);
    const second = await store.listEvents({}, first.at(-1) ?? null, 3);
    assert.is(new Set([...first, ...second].map(({ id }) => id)).size, 5);
  });

  check('users, templates and counts of a month by gallery; events by day', async ({ store }) => {
    await enrolled(store, { id: 'usr_1', at: NOW });
    await enrolled(store, { gallery: TEST, at: NOW + DAY });
    await enrolled(store, { gallery: OTHER, at: NOW + DAY, auth: { month: '2026-04', limit: null } });
    await store.recordFailedMatch(failedMatch({ at: NOW + DAY }));
    const one = { users: 1, templates: 2 };
    assert.equal(await store.census(FIRST), [
      { gallery: LIVE, ...one },
      { gallery: TEST, ...one },
    ]);
    assert.is((await store.census(null)).length, 3);
    const counts = { auths: 1, enrolls: 1, matchesOk: 0, matchesFailed: 0 };
    assert.equal(await store.usageIn(MONTH, null), [
      { gallery: LIVE, ...counts, auths: 2, matchesFailed: 1 },
      { gallery: TEST, ...counts },
    ]);
    assert.equal(await store.usageIn('2026-04', FIRST), []);
    assert.equal(await store.usageIn('2026-04', SECOND), [{ gallery: OTHER, ...counts }]);
    const midnight = Date.parse('2026-03-16T00:00:00Z');
    const enroll = { day: midnight, type: 'enroll', count: 1 };
    assert.equal(await store.eventsPerDay({ appId: null, from: midnight, to: midnight }), [
      { ...enroll, mode: 'live' },
      { ...enroll, mode: 'live', type: 'match_failed' },
      { ...enroll, mode: 'test' },
    ]);
    const days = { from: NOW, to: NOW + DAY };
    assert.equal(await store.eventsPerDay({ appId: SECOND, ...days }), [{ ...enroll, mode: 'live' }]);
    assert.is((await store.eventsPerDay({ appId: FIRST, ...days })).length, 3);
    assert.is((await store.eventsPerDay({ appId: FIRST, mode: 'live', ...days })).length, 2);
    assert.equal(await store.appCounts([SECOND, FIRST, 'app_unknown'], NOW, NOW + DAY), [
      { appId: SECOND, users: { live: 1, test: 0 }, auths: new Map([[midnight, 1]]) },
      { appId: FIRST, users: { live: 1, test: 1 }, auths: new Map([[midnight - DAY, 1]]) },
      { appId: 'app_unknown', users: { live: 0, test: 0 }, auths: new Map() },
    ]);
    assert.equal((await store.appCounts([SECOND], NOW, NOW))[0]?.auths, new Map());
    await store.deleteApp(SECOND, NOW + DAY);
    assert.is((await store.usageIn('2026-04', null)).length, 1, 'counts of an erased app stay');
  });
}
