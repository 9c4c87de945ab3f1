/** Webhooks: what operators set, what waits, and what came of it. */
import * as assert from 'uvu/assert';
import type { Delivery, NewWebhook, OutboxEvent, Store, WebhookRecord } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine } from './engine.ts';
import { deleteUser, enrolled, FIRST, GALLERIES, LIVE, NOW, signOut, TEST } from './fixtures.ts';

const SECRET = 'whsec_MarkerOfASecret';

export const newWebhook = (id: string, change: Partial<NewWebhook> = {}): NewWebhook => ({
  id,
  gallery: LIVE,
  url: `https://marker-of-${id.replace('_', '-')}.example/hook`,
  events: ['*'],
  description: 'Marker of a description',
  secrets: [{ secret: SECRET, endsAt: null }],
  createdAt: NOW,
  ...change,
});

const attempt = (webhookId: string, event: OutboxEvent, change: Partial<Delivery> = {}): Delivery => ({
  ...{ webhookId, eventId: event.id, type: event.type, attempt: 1, at: NOW, status: 200, error: null },
  ...{ durationMs: 12, nextAt: null, ...change },
});
const failed = (nextAt: number | null, change: Partial<Delivery> = {}): Partial<Delivery> => ({
  ...{ status: 500, error: 'status', nextAt, ...change },
});
const reached = (id: string, sentTo: number, ...parked: string[]) => new Map([[id, { sentTo, parked }]]);
const NOTHING = new Map();

/** What somebody does, each an event: sign-outs mostly. */
async function events(store: Store, howMany: number, userId: string | null = null, gallery = LIVE) {
  const before = await store.outboxState(gallery);
  const id = userId ?? `usr_of_${gallery.mode}`;
  const isThere = await store.findUser(gallery, { id });
  // An enrolment is the first of them.
  if (!isThere) await enrolled(store, { id, gallery });
  for (let n = isThere ? 0 : 1; n < howMany; n++) {
    const token = { userId: id, jti: `jti_${gallery.mode}_${before.newest}_${n}`, expiresAt: NOW + 9_000 };
    await store.revokeToken(gallery, token, NOW + n);
  }
  return store.outboxEvents(gallery, before.newest, howMany);
}

const only = async (store: Store, id = 'wh_1') => (await store.listWebhooks({ id }))[0] as WebhookRecord;
const due = async (store: Store, now = NOW + 1_000_000, id = 'wh_1') =>
  (await store.dueWebhookEvents({ id, gallery: LIVE }, now, 100)).map(({ event, attempt: n }) => [
    event.id,
    n,
  ]);
const noted = async (store: Store, id = 'wh_1') =>
  (await store.listDeliveries(id, 100)).map(({ eventId, error }) => [eventId, error]);

export function webhooks(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a webhook is kept as it was made, sealed, and begins behind the newest event', async given => {
    const { db, store } = given;
    await events(store, 3);
    const secrets = [
      { secret: SECRET, endsAt: null },
      { secret: 'whsec_older', endsAt: NOW + 5 },
    ];
    const made = newWebhook('wh_1', { events: ['user.deleted', 'user.enrolled'], secrets });
    assert.is(await store.createWebhook(made, 10), 'created');
    const fresh = { disabledAt: null, disabledReason: null, failingSince: null, sentTo: 3, revision: 1 };
    for (const by of [{ id: 'wh_1' }, { gallery: LIVE }, 'all'] as const)
      assert.equal(await (await db.open()).listWebhooks(by), [{ ...made, ...fresh }]);
    assert.equal(await store.listWebhooks({ gallery: TEST }), []);
    const bytes = await db.bytes();
    assert.ok(bytes.includes('wh_1'), 'the search finds what is there');
    for (const part of [SECRET, 'marker-of-wh', 'Marker of a description'])
      assert.not(bytes.includes(part), part);
  });

  check('at most so many an app and mode, counted with those that are made at once', async ({ store }) => {
    const made = await Promise.all(
      GALLERIES.flatMap(gallery =>
        [1, 2, 3].map(n =>
          store.createWebhook(newWebhook(`wh_${gallery.appId}_${gallery.mode}_${n}`, { gallery }), 2),
        ),
      ),
    );
    assert.is(made.filter(outcome => outcome === 'created').length, 2 * GALLERIES.length);
    assert.is(made.filter(outcome => outcome === 'too_many').length, GALLERIES.length);
    const nowhere = newWebhook('wh_none', { gallery: { appId: 'app_none', mode: 'live' } });
    assert.is(await store.createWebhook(nowhere, 2), 'no_such_app');
  });

  check('a change keeps the rest, tells others by its revision, and deliveries do not', async ({ store }) => {
    await store.createWebhook(newWebhook('wh_1'), 10);
    const [event] = (await events(store, 1)) as [OutboxEvent];
    const before = await only(store);
    const changed = await store.updateWebhook('wh_1', { url: 'https://other.example', events: ['*'] });
    assert.equal(changed, { ...before, url: 'https://other.example', revision: 2 });
    const added = (i: number) => ({ secret: `whsec_${i}`, endsAt: i });
    const roll = (i: number) => store.updateWebhook('wh_1', { secrets: others => [added(i), ...others] });
    assert.equal((await roll(0))?.secrets, [added(0), ...(before?.secrets ?? [])]);
    await store.recordDeliveries([attempt('wh_1', event)], reached('wh_1', event.seq), NOW);
    assert.equal(await store.webhookNews(), [{ id: 'wh_1', revision: 3, newest: event.seq, dueAt: null }]);
    assert.is(await store.updateWebhook('wh_none', {}), null);
    await Promise.all(Array.from({ length: 20 }, (_, i) => roll(i + 1)));
    assert.is((await only(store)).secrets.length, 22, 'each of many at once saw those before');
  });

  check('attempts are recorded with what waits, how far it came, and since when it fails', async given => {
    const { store } = given;
    await store.createWebhook(newWebhook('wh_1'), 10);
    const [a, b, c] = (await events(store, 3)) as [OutboxEvent, OutboxEvent, OutboxEvent];
    const record = (attempts: Parameters<Store['recordDeliveries']>[0], to: number, ...parked: string[]) =>
      store.recordDeliveries(attempts, reached('wh_1', to, ...parked), NOW);
    const state = async () => {
      const { sentTo, failingSince } = await only(store);
      return [sentTo, failingSince, await due(store)];
    };
    await record([attempt('wh_1', a, failed(NOW + 5_000, { at: NOW + 1 }))], a.seq);
    assert.equal(await state(), [a.seq, NOW + 1, [[a.id, 1]]]);
    assert.equal(await due(store, NOW + 4_999), []);
    assert.is((await store.webhookNews())[0]?.dueAt, NOW + 5_000);
    await record([attempt('wh_1', c, failed(NOW + 9_000, { at: NOW + 3 }))], c.seq, b.id);
    assert.equal(await state(), [
      c.seq,
      NOW + 1,
      [
        [b.id, 0],
        [a.id, 1],
        [c.id, 1],
      ],
    ]);
    await record([{ ...attempt('wh_1', b, failed(NOW + 7_000)), waited: true }], b.seq);
    assert.equal(
      await state(),
      [
        c.seq,
        NOW + 1,
        [
          [a.id, 1],
          [b.id, 1],
          [c.id, 1],
        ],
      ],
      'it only goes on',
    );
    const good = { ...attempt('wh_1', a, { attempt: 2 }), waited: true };
    const last = { ...attempt('wh_1', c, failed(null, { attempt: 2, at: NOW + 8 })), waited: true };
    await record([last, good], 0);
    assert.equal(await state(), [c.seq, null, [[b.id, 1]]]);
    await record([good, last], 0);
    assert.equal(await state(), [c.seq, NOW + 8, [[b.id, 1]]]);
    const test = { ...attempt('wh_1', a, failed(null)), type: 'webhook.test' as const };
    await record([{ ...test, status: 200, error: null }], 0);
    assert.equal(await state(), [c.seq, NOW + 8, [[b.id, 1]]], 'a test is no delivery');
    await store.recordDeliveries([attempt('wh_none', a, failed(NOW))], reached('wh_none', 3, a.id), NOW);
    assert.equal([await noted(store, 'wh_none'), await due(store, NOW, 'wh_none')], [[], []]);
  });

  check(
    'deliveries are listed newest first, those that failed alone, and pruned by age',
    async ({ store }) => {
      await store.createWebhook(newWebhook('wh_1'), 10);
      const some = await events(store, 5);
      const made = some.map((event, n) =>
        attempt('wh_1', event, { at: NOW + n, ...(n % 2 && failed(NOW + 9_000, { at: NOW + n })) }),
      );
      await store.recordDeliveries(made, NOTHING, NOW);
      assert.equal(await store.listDeliveries('wh_1', 100), [...made].reverse());
      assert.equal(await store.listDeliveries('wh_1', 2), [made[4], made[3]]);
      assert.equal(await store.listDeliveries('wh_1', 100, true), [made[3], made[1]]);
      assert.is(await store.prune('deliveries', NOW, 10), 0);
      assert.is(await store.prune('deliveries', NOW + 4, 3), 3);
      assert.is(await store.prune('deliveries', NOW + 4, 3), 1);
      assert.equal(await store.listDeliveries('wh_1', 100), [made[4]]);
      assert.is((await due(store)).length, 2, 'what waits stays');
    },
  );

  check('disabled, what waits is dropped and noted; enabled, only what comes is sent', async given => {
    const { db, store } = given;
    await store.createWebhook(newWebhook('wh_1', { events: ['user.signed_out'] }), 10);
    const [a, ...rest] = (await events(store, 1_202)) as [OutboxEvent, ...OutboxEvent[]];
    await enrolled(store);
    await store.recordDeliveries([attempt('wh_1', a, failed(NOW + 5_000))], reached('wh_1', a.seq), NOW);
    const disabled = await store.disableWebhook('wh_1', 'gone', NOW + 7);
    assert.equal([disabled?.disabledAt, disabled?.disabledReason, disabled?.revision], [NOW + 7, 'gone', 2]);
    assert.equal(await store.disableWebhook('wh_1', 'operator', NOW + 8), disabled, 'it stays as it is');
    const dropped = await count(db, 'webhook_deliveries', "error = 'disabled' AND attempt = 0");
    assert.is(dropped, 1 + rest.length, 'also what was never tried, and only its types');
    assert.equal([await due(store), await store.webhookNews()], [[], []]);
    const late = attempt('wh_1', rest[0] as OutboxEvent, failed(NOW + 9_000, { at: NOW + 20 }));
    await store.recordDeliveries([late], reached('wh_1', 0, a.id), NOW);
    assert.equal(await due(store), [], 'an attempt that was under way is the last one');
    assert.equal((await store.listDeliveries('wh_1', 1))[0], { ...late, nextAt: null });
    const since = await events(store, 1);
    const enabled = await store.updateWebhook('wh_1', { enabled: true });
    const { disabledAt, disabledReason, failingSince, sentTo } = enabled as WebhookRecord;
    assert.equal([disabledAt, disabledReason, failingSince, sentTo], [null, null, null, since[0]?.seq]);
    await events(store, 1);
    assert.is((await store.updateWebhook('wh_1', { enabled: true }))?.sentTo, sentTo, 'it was enabled');
    assert.is(await store.disableWebhook('wh_none', 'operator', NOW), null);
  });

  check('an event can be sent again, or all since a moment, and waits once', async ({ store }) => {
    await store.createWebhook(newWebhook('wh_1', { events: ['user.signed_out'] }), 10);
    const [a, b, c, d] = (await events(store, 4)) as [OutboxEvent, OutboxEvent, OutboxEvent, OutboxEvent];
    await store.recordDeliveries([attempt('wh_1', a, failed(NOW + 9_000_000))], reached('wh_1', c.seq), NOW);
    await enrolled(store, { at: NOW + 50 });
    for (const [which, replayed, waiting] of [
      [{ eventId: 'evt_none' }, 0, []],
      [{ eventId: c.id }, 1, [[c.id, 0]]],
      [
        { since: b.at },
        3,
        [
          [b.id, 0],
          [c.id, 0],
        ],
      ],
      [
        { eventId: a.id },
        1,
        [
          [a.id, 0],
          [b.id, 0],
          [c.id, 0],
        ],
      ],
      [
        { eventId: d.id },
        1,
        [
          [a.id, 0],
          [b.id, 0],
          [c.id, 0],
        ],
      ],
    ] as const) {
      assert.is(await store.replayWebhook('wh_1', which, NOW + 9), replayed);
      assert.equal(await due(store, NOW + 9), waiting, JSON.stringify(which));
    }
    const [other] = (await events(store, 1, null, TEST)) as [OutboxEvent];
    assert.is(await store.replayWebhook('wh_1', { eventId: other.id }, NOW), 0, 'of another mode');
    await store.disableWebhook('wh_1', 'operator', NOW);
    assert.is(await store.replayWebhook('wh_1', { since: 0 }, NOW), 0);
  });

  check('what waits goes with its user, and its webhook with all that came of it', async ({ db, store }) => {
    for (const id of ['wh_1', 'wh_2']) await store.createWebhook(newWebhook(id), 10);
    const person = await enrolled(store);
    const [a] = (await events(store, 1, person.user.id)) as [OutboxEvent];
    const [b] = (await events(store, 1)) as [OutboxEvent];
    for (const id of ['wh_1', 'wh_2'])
      await store.recordDeliveries(
        [a, b].map(event => attempt(id, event, failed(NOW))),
        NOTHING,
        NOW,
      );
    await deleteUser(store, LIVE, person.user.id, NOW);
    assert.equal(await due(store), [[b.id, 1]]);
    assert.is(await count(db, 'webhook_waiting', "webhook_id = 'wh_1'"), 1);
    assert.equal([await store.deleteWebhook('wh_1'), await store.deleteWebhook('wh_1')], [true, false]);
    assert.equal([await noted(store), await store.listWebhooks({ id: 'wh_1' })], [[], []]);
    assert.is((await noted(store, 'wh_2')).length, 2, 'the other one stays');
    await store.deleteApp(FIRST, NOW);
    for (const table of ['webhooks', 'webhook_waiting', 'webhook_deliveries'])
      assert.is(await count(db, table), 0, table);
  });

  check('figures say how much waits, and since when', async ({ store }) => {
    const figures = async () => Object.values(await store.webhookFigures(await store.listWebhooks('all')));
    assert.equal(await figures(), [0, null]);
    await store.createWebhook(newWebhook('wh_1', { events: ['user.signed_out'] }), 10);
    const { user } = await enrolled(store, { at: NOW - 9 });
    assert.equal(await figures(), [0, null], 'not of its types');
    const [a, b] = (await events(store, 3, user.id)) as [OutboxEvent, OutboxEvent];
    assert.equal(await figures(), [3, a.at]);
    await store.recordDeliveries([attempt('wh_1', a)], reached('wh_1', a.seq), NOW);
    assert.equal(await figures(), [2, b.at]);
    await store.replayWebhook('wh_1', { eventId: a.id }, NOW);
    assert.equal(await figures(), [3, a.at]);
    await store.disableWebhook('wh_1', 'operator', NOW);
    assert.equal(await figures(), [0, null]);
  });

  check('a new key of the app seals its webhooks anew, and restored ones go on', async ({ store }) => {
    await store.createWebhook(newWebhook('wh_1'), 10);
    const before = await only(store);
    await store.beginRekey(FIRST);
    const { seen, unreadable } = await store.reseal(FIRST, { list: 6, after: null }, 10);
    assert.equal([seen, unreadable], [1, 0]);
    assert.is(await store.destroyOldKeys(FIRST), true);
    assert.equal(await only(store), before);
    assert.is(await signOut(store, 'jti_after'), true);
  });
}
