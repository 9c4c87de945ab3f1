/**
 * Tiers 1 to 4, the outbox: no event without its change, no change without its event, in the order of the commits, and
 * nothing of who was erased. What each verb tells: told-verbs.ts.
 */

import * as assert from 'uvu/assert';
import * as v from 'valibot';
import type { OutboxEvent, Store } from '../../src/ports/store.ts';
import { outboxEvent } from '../../src/protocol/outbox.ts';
import { iso } from '../../src/protocol/time.ts';
import type { Suite } from '../support/suite.ts';
import { attempt, confirmed, newChange, newCode, tried } from './code-fixtures.ts';
import { contractOn, count, type Engine, nextTurn } from './engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  enrolment,
  LIVE,
  MONTH,
  NOW,
  OTHER,
  signIn,
  signOut,
  TEST,
  UNLIMITED,
} from './fixtures.ts';
import { UNWRITABLE } from './recorded-verbs.ts';
import { type Person, toldActs } from './told-verbs.ts';

const MOST_BYTES = 4_096;
const ALL = 1_000;

const RANDOM = 'q3Vt9XbYk2LmN8pRs5TzWc7D';
/** As it is sent, with ids that are as long as those of the service. */
const sentOf = ({ id, seq, type, at, data }: OutboxEvent) => ({
  ...{ id, seq, type, timestamp: iso(at) },
  data: { ...data, app_id: `app_${RANDOM}`, livemode: true, user_id: `usr_${RANDOM}` },
});

const newest = async (store: Store, gallery = LIVE) => (await store.outboxState(gallery)).newest;
const seqs = (events: readonly OutboxEvent[]) => events.map(({ seq }) => seq);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** Reads on and on, as somebody who waits does, until it is stopped. */
function reader(store: Store, gallery = LIVE) {
  const seen: number[] = [];
  let over = false;
  const reading = (async () => {
    for (;;) {
      const last = over;
      const [place] = await store.outboxPlaces([gallery]);
      const events = await store.outboxEvents(gallery, seen.at(-1) ?? 0, 7);
      // Whoever is told of a number finds what is behind it.
      if (events.length > 0) assert.ok((seen.at(-1) ?? 0) < (events[0]?.seq ?? 0));
      else if (last) assert.ok((place?.seq ?? 0) <= (seen.at(-1) ?? 0));
      seen.push(...seqs(events));
      if (last && events.length === 0) return seen;
      await nextTurn();
    }
  })();
  return {
    stop() {
      over = true;
      return reading;
    },
  };
}

export function outbox(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('each verb tells what it does, once, in its order, and nothing else', async ({ store }) => {
    const types = new Set<string>();
    for (const { what, act, tells } of toldActs()) {
      const person = await enrolled(store);
      const before = await newest(store);
      await act(store, person);
      const events = await store.outboxEvents(LIVE, before, ALL);
      assert.equal(
        seqs(events),
        tells.map((_, i) => before + i + 1),
        what,
      );
      for (const [i, { type, at, data }] of events.entries()) {
        const [wanted, { jti = (data as { jti?: string }).jti, ...rest } = {}] = tells[i] ?? [];
        assert.is(type, wanted, what);
        if (jti instanceof RegExp) assert.match((data as { jti: string }).jti, jti);
        const said = jti === undefined || jti instanceof RegExp ? rest : { ...rest, jti };
        const { jti: _, ...other } = data as Record<string, unknown>;
        assert.equal(jti instanceof RegExp ? other : data, { user_id: person.user.id, ...said }, what);
        assert.ok(at >= NOW && at < NOW + 100_000, what);
      }
      for (const event of events) {
        types.add(event.type);
        const sent = sentOf(event);
        assert.ok(v.is(outboxEvent, sent), `${what}: ${JSON.stringify(sent)}`);
        assert.ok(JSON.stringify(sent).length < MOST_BYTES, what);
        assert.equal(await store.outboxEvent(LIVE, event.id), event);
        for (const other of [TEST, OTHER]) assert.is(await store.outboxEvent(other, event.id), null);
      }
      if (!(await store.findUser(LIVE, { id: person.user.id }))) continue;
      const { told } = (await store.userFile(person.user.id, false)) ?? {};
      assert.equal(
        told?.slice(1),
        events.filter(({ data }) => data.user_id === person.user.id),
        what,
      );
    }
    assert.equal([...types].sort(), outboxEvent.options.map(({ entries }) => entries.type.literal).sort());
    for (const gallery of [TEST, OTHER])
      assert.equal(await store.outboxState(gallery), { newest: 0, oldest: null });
  });

  check(
    'who is refused, or fails on the way, leaves neither an event nor a number',
    async ({ db, store }) => {
      const { user, number, templates } = await enrolled(store, { email: 'ana@example.com' });
      const [id = '', other = ''] = await challenges(store, 2);
      const [code, change] = [newCode(user.id), newChange(user.id, 'ben@example.com')];
      await store.putCode(code);
      await store.putCode(change);
      await enrolled(store, { email: 'ben@example.com' });
      assert.is(await signOut(store, 'jti_1', NOW + 1_000, user.id), true);
      const { sequence } = await store.galleryState(LIVE);
      const full = { month: MONTH, limit: 0 };
      const before = await newest(store);
      const matchesOf = () => ({ key: 'full', limit: 0, length: 1_000 });
      const refused: readonly [string, () => Promise<unknown>][] = [
        ['stale', () => store.enrol(enrolment({ sequence: 0 }))],
        ['email_taken', () => store.enrol(enrolment({ sequence, email: 'ana@example.com' }))],
        ['Error', () => store.enrol(enrolment({ sequence, templates }))],
        ['challenge_invalid', () => store.recordSignIn(signIn(number, 'ch_none'))],
        ['plan_limit', () => store.recordSignIn(signIn(number, id, { auth: full }))],
        ['window_full', () => store.recordSignIn(signIn(number, other, { matchesOf }))],
        ['wrong', () => tried(store, user.id, 'none')],
        ['plan_limit', () => tried(store, user.id, code.hash, { auth: full })],
        ['wrong', () => confirmed(store, user.id, 'none')],
        ['email_taken', () => confirmed(store, user.id, change.hash)],
        ['false', () => signOut(store, 'jti_1', NOW + 1_000, user.id)],
        ['0', () => deleteUser(store, TEST, user.id, NOW)],
        ['Error', () => store.deleteUsers([{ gallery: LIVE, id: user.id }], NOW, {}, UNWRITABLE)],
      ];
      for (const [wanted, attempted] of refused) {
        const answer = await attempted().catch(() => ({ outcome: 'Error' }));
        const said =
          typeof answer === 'object' && answer !== null && 'outcome' in answer ? answer.outcome : answer;
        assert.is(String(said), wanted);
        assert.is(await newest(store), before, wanted);
      }
      await enrolled(store);
      assert.equal(seqs(await store.outboxEvents(LIVE, 0, ALL)), upTo(before + 1));
      assert.is(await count(db, 'outbox'), before + 1);
    },
  );

  check(
    'numbers follow the commits while all write at once, and a reader misses none',
    async ({ db, store }) => {
      const [other, third] = [await db.open(), await db.open()];
      const people: Person[] = [];
      for (let i = 0; i < 12; i++) people.push(await enrolled(store));
      const tester = await enrolled(store, { gallery: TEST });
      const codes = people.map(({ user }) => newCode(user.id));
      for (const code of codes) await store.putCode(code);
      const [ids, testIds] = [await challenges(store, 120), await challenges(store, 20, TEST)];
      const reading = reader(third);
      const isGood = (answer: { outcome: string }) => answer.outcome === 'signed_in';
      // Half of them on one handle, where they travel in one transaction.
      const signedIn = ids.map(async (id, i) =>
        isGood(await (i % 2 ? store : other).recordSignIn(signIn(people[i % 12]?.number ?? 0, id))),
      );
      const elsewhere = testIds.map(async (id, i) =>
        isGood(await (i % 2 ? store : other).recordSignIn(signIn(tester.number, id, { gallery: TEST }))),
      );
      const byCode = codes.map(async ({ userId, hash }, i) =>
        isGood(await (i % 2 ? store : other).useCode({ ...attempt(hash), userId, auth: UNLIMITED })),
      );
      const signedOut = people.flatMap(({ user }, i) =>
        upTo(5).map(n => signOut(n % 2 ? store : other, `jti_${i}_${n}`, NOW + 9_000, user.id)),
      );
      for (const acts of [signedIn, elsewhere, byCode, signedOut])
        assert.ok((await Promise.all(acts)).every(Boolean));
      const total = 12 + 120 + 3 * 12 + 60;
      assert.equal(await reading.stop(), upTo(total), 'each once, in order, and none later');
      const events = await store.outboxEvents(LIVE, 0, ALL);
      assert.equal(seqs(events), upTo(total));
      const types = Object.groupBy(events, ({ type }) => type);
      assert.equal([types['user.signed_in']?.length, types['user.signed_out']?.length], [132, 60]);
      assert.equal(seqs(await store.outboxEvents(TEST, 0, ALL)), upTo(21));
      const places = await store.outboxPlaces([TEST, OTHER, LIVE]);
      assert.equal(
        places.map(({ seq }) => seq),
        [21, 0, total],
      );
    },
  );

  check('events are read from a place, some at a time, and of some types', async ({ store }) => {
    for (let i = 0; i < 3; i++) {
      const { user } = await enrolled(store, { at: NOW + i });
      await signOut(store, `jti_${i}`, NOW + 1_000, user.id);
    }
    const read = async (...more: [number, number, OutboxEvent['type'][]?]) =>
      seqs(await store.outboxEvents(LIVE, ...more));
    assert.equal(await read(2, 3), [3, 4, 5]);
    assert.equal(await read(0, ALL, ['user.signed_out']), [2, 4, 6]);
    assert.equal(await read(2, 1, ['user.signed_out', 'user.deleted']), [4]);
    assert.equal(await read(0, ALL, ['user.deleted']), []);
    assert.equal(await read(6, ALL), []);
    assert.equal(await store.outboxState(LIVE), { newest: 6, oldest: 1 });
    assert.equal(await store.outboxPlaces([]), []);
  });

  check('old events go, the oldest first, and numbers go on', async ({ db, store }) => {
    for (let i = 0; i < 5; i++) await enrolled(store, { at: NOW + i });
    assert.is(await store.prune('outbox', NOW, 10), 0, 'of that moment is not before it');
    assert.is(await store.prune('outbox', NOW + 3, 2), 2);
    assert.equal(await store.outboxState(LIVE), { newest: 5, oldest: 3 });
    assert.is(await store.prune('outbox', NOW + 3, 2), 1);
    assert.is(await store.prune('outbox', NOW + 100, 10), 2);
    assert.is(await store.prune('outbox', -1, 10), 0);
    assert.equal(await store.outboxState(LIVE), { newest: 5, oldest: null });
    assert.is(await count(db, 'outbox'), 0);
    await enrolled(store);
    assert.equal(await store.outboxState(LIVE), { newest: 6, oldest: 6 });
  });
}
