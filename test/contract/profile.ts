/** Tier 1, a user's own account: profile, name, learned templates, and the end of a session. */
import * as assert from 'uvu/assert';
import type { OwnTemplates, Store } from '../../src/ports/store.ts';
import { packTemplates } from '../../src/ports/template-rows.ts';
import type { Suite } from '../support/suite.ts';
import { failuresOf, overTwoHandles, WINDOW } from './code-fixtures.ts';
import { contractOn, count, type Engine, eventsIn, everything, nextTurn, tally } from './engine.ts';
import { authsOf, enrolled, enrolment, FIRST, GALLERIES, LIVE, NOW, vector } from './fixtures.ts';

const ORIGIN = { ip: '192.0.2.5', userAgent: 'Browser/5', liveness: { score: 1 } };
let learnedSoFar = 0;

/** Something to learn: `howMany` templates that nobody has. */
function lesson(userId: string, sequence: number, howMany = 1): OwnTemplates {
  const templates = Array.from({ length: howMany }, () => {
    const number = ++learnedSoFar;
    return { id: `learned_${number}`, vector: vector(5_000 + number) };
  });
  return { gallery: LIVE, userId, at: NOW + 5, templates, encoder: null, origin: ORIGIN, sequence, most: 10 };
}

const learn = async (store: Store, userId: string, howMany = 1) => {
  const outcome = await store.addTemplates(
    lesson(userId, (await store.galleryState(LIVE)).sequence, howMany),
  );
  const { sequence: end } = await store.galleryState(LIVE);
  return { templates: Array.from({ length: howMany }, (_, i) => end - howMany + i + 1), outcome };
};
const held = async (store: Store) => [...(await store.galleryChanges(LIVE, 0, 1_000)).added.sequences];

export function profile(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('templates of the enrolment are told from learned ones, number for number', async ({ store }) => {
    const person = await enrolled(store);
    await enrolled(store);
    await learn(store, person.user.id, 2);
    const own = person.templates.map(({ vector }, i) => ({ sequence: 1 + i, user: person.number, vector }));
    assert.equal(await store.enrolledTemplates(LIVE, person.user.id), own);
    assert.equal(await store.enrolledTemplates(LIVE, 'usr_none'), []);
    for (const gallery of GALLERIES.slice(1))
      assert.equal(await store.enrolledTemplates(gallery, person.user.id), []);
  });

  check('what is learned moves the sequence and comes with the changes', async ({ db, store }) => {
    const { user, number } = await enrolled(store);
    const learned = lesson(user.id, 2, 3);
    const usage = await db.rows('SELECT * FROM usage');
    assert.equal(await store.addTemplates(learned), { outcome: 'stored', templateCount: 5 });
    assert.is((await store.galleryState(LIVE)).sequence, 5);
    assert.equal(await store.galleryChanges(LIVE, 2, 100), {
      from: 2,
      to: 5,
      removed: [],
      added: packTemplates(
        learned.templates.map(({ vector }, i) => ({ sequence: 3 + i, user: number, vector })),
      ),
      unreadable: [],
      isBroken: false,
    });
    const client = { ip: '192.0.2.5', userAgent: 'Browser/5', liveness: { score: 1 } };
    assert.equal(await eventsIn(store, 'templates_added'), [
      { userId: user.id, type: 'templates_added', at: NOW + 5, ...client },
    ]);
    assert.equal(await db.rows('SELECT * FROM usage'), usage, 'no auth');
    const bytes = await db.bytes();
    for (const { vector: plain } of learned.templates)
      assert.not(bytes.includes(Buffer.from(plain.buffer, 256, 32)), 'sealed');
  });

  check('nothing is learned at another sequence, or by somebody who is gone', async ({ db, store }) => {
    const { user, templates } = await enrolled(store);
    const before = await everything(db);
    for (const sequence of [0, 1, 3])
      assert.equal(await store.addTemplates(lesson(user.id, sequence)), { outcome: 'stale' });
    assert.equal(await store.addTemplates(lesson('usr_none', 2)), { outcome: 'user_gone' });
    for (const gallery of GALLERIES.slice(1))
      assert.equal(await store.addTemplates({ ...lesson(user.id, 0), gallery }), { outcome: 'user_gone' });
    const twice = lesson(user.id, 2, 2);
    const halfway = { ...twice, templates: [...twice.templates, { ...templates[0], vector: vector(1) }] };
    await store.addTemplates(halfway as OwnTemplates).then(
      () => assert.unreachable('a template id was stored twice'),
      () => undefined,
    );
    assert.equal(await everything(db), before);
  });

  check(
    'faces that were not the user’s: ten times the limit of the caller at once counts it exactly',
    async given => {
      const { user } = await enrolled(given.store);
      const failures = failuresOf('address', { limit: 10 });
      const lockout = failuresOf('ana', { limit: 1_000 });
      const of = { gallery: LIVE, userId: user.id, at: NOW, origin: ORIGIN };
      const failed = { ...of, failures: [failures], refused: null, lockout };
      const outcomes = await overTwoHandles(given, 100, handle => handle.recordFailedAdd(failed));
      assert.equal(tally(outcomes), { recorded: 10, window_full: 90 });
      const full = outcomes.find(({ outcome }) => outcome === 'window_full');
      assert.equal(full, { outcome: 'window_full', endsAt: NOW + WINDOW });
      assert.is((await given.store.peekWindow(failures.key, NOW))?.count, 10);
      assert.is((await given.store.peekWindow(lockout.key, NOW))?.count, 10, 'no more against the user');
    },
  );

  check(
    'faces that were not the user’s: beyond their own limit the user is locked, exactly, from wherever',
    async given => {
      const { user } = await enrolled(given.store);
      const failures = failuresOf('address', { limit: 1_000 });
      const failed = {
        gallery: LIVE,
        userId: user.id,
        at: NOW,
        origin: ORIGIN,
        failures: [failures],
        refused: { key: 'refused', limit: 20, length: 2 * WINDOW },
        lockout: failuresOf('ana', { limit: 5 }),
      };
      const outcomes = await overTwoHandles(given, 100, handle => handle.recordFailedAdd(failed));
      assert.equal(tally(outcomes), { recorded: 20, locked: 80 });
      const full = outcomes.find(({ outcome }) => outcome === 'locked');
      assert.equal(full, { outcome: 'locked', endsAt: NOW + 2 * WINDOW });
      assert.is((await given.store.peekWindow(failures.key, NOW))?.count, 100, 'all against the caller');
    },
  );

  check('nothing is left of an account whose app was erased under way', async ({ db, store }) => {
    const { user } = await enrolled(store);
    await store.deleteApp(FIRST, NOW);
    const before = await everything(db);
    assert.is((await store.addTemplates(lesson(user.id, 0))).outcome, 'user_gone');
    assert.is(await store.updateUser(LIVE, user.id, { name: 'X' }), null);
    const lockout = failuresOf('ana');
    const failures = failuresOf('address');
    const failed = {
      gallery: LIVE,
      userId: user.id,
      at: NOW,
      origin: ORIGIN,
      failures: [failures],
      refused: null,
      lockout,
    };
    assert.is((await store.recordFailedAdd(failed)).outcome, 'user_gone');
    assert.equal(await everything(db), before);
  });

  check('of many lessons learned at one sequence one is stored', async given => {
    const { user } = await enrolled(given.store);
    const outcomes = await overTwoHandles(given, 100, handle => handle.addTemplates(lesson(user.id, 2, 3)));
    assert.equal(tally(outcomes), { stored: 1, stale: 99 });
    assert.is(await count(given.db, 'templates'), 5);
  });

  check('lessons and enrolments at once: never more templates than the most', async given => {
    const { user } = await enrolled(given.store);
    await overTwoHandles(given, 60, async (handle, i) => {
      for (;;) {
        const { sequence } = await handle.galleryState(LIVE);
        const { outcome } =
          i % 6 === 0
            ? await handle.enrol(enrolment({ sequence }))
            : await handle.addTemplates(lesson(user.id, sequence, 1 + (i % 3)));
        if (outcome !== 'stale') return;
        await nextTurn();
      }
    });
    await nextTurn();
    assert.is(await count(given.db, 'templates', `user_id = '${user.id}'`), 10);
    assert.is(await count(given.db, 'templates', `user_id = '${user.id}' AND origin = 'enrolled'`), 2);
    assert.is((await held(given.store)).length, await count(given.db, 'templates'));
    assert.is(await authsOf(given.store), 11);
  });
}
