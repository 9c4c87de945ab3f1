/** Tier 1, replacing keys: each verb by itself. The order in which they are called is the domain's: test/cli/rekey.long.test.ts. */
import * as assert from 'uvu/assert';
import { FIRST_PLACE, type Resealed, SIGNING_KEYS, type Store } from '../../src/ports/store.ts';
import { templatesOf } from '../../src/ports/template-rows.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, type TestDatabase } from './engine.ts';
import { enrolled, FIRST, LIVE, OTHER, SECOND, signingKey, TEST } from './fixtures.ts';

/** Every batch until there are no more. */
async function resealAll(store: Store, owner: string, limit: number): Promise<Resealed[]> {
  const batches: Resealed[] = [];
  for (let from = FIRST_PLACE; ; ) {
    const batch = await store.reseal(owner, from, limit);
    batches.push(batch);
    if (!batch.next) return batches;
    from = batch.next;
  }
}

const sealedIn = async (db: TestDatabase, mode: string) =>
  (
    await db.rows<{ sealed: Uint8Array }>(
      `SELECT sealed FROM templates WHERE app_id = '${FIRST}' AND mode = '${mode}' ORDER BY sequence`,
    )
  ).map(({ sealed }) => Buffer.from(sealed).toString('hex'));

/** Everything personal of an app. */
async function peopleIn(store: Store) {
  const files = [];
  for (const gallery of [LIVE, TEST])
    for (const { user } of await store.listUsers(gallery, null, 100))
      files.push(await store.userFile(user.id, true));
  return files;
}

async function templates(store: Store, gallery = LIVE) {
  const { added, unreadable } = await store.galleryChanges(gallery, 0, 100);
  assert.equal(unreadable, []);
  return templatesOf(added);
}

export function rekeying(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  check(
    'a new key only for an owner that has one, and no third before the old ones are gone',
    async given => {
      const { db, store } = given;
      for (const owner of [FIRST, SIGNING_KEYS, 'app_unknown'])
        assert.is(await store.beginRekey(owner), 'no_key', owner);
      await enrolled(store);
      await enrolled(store, { gallery: OTHER });
      await store.addSigningKey(signingKey('one'), null);
      assert.equal(await store.unfinishedRekeys(), []);
      for (const owner of [FIRST, SIGNING_KEYS]) {
        assert.is(await store.beginRekey(owner), 'begun');
        assert.is(await store.beginRekey(owner), 'resumed');
      }
      assert.equal(await (await db.open()).unfinishedRekeys(), [FIRST, SIGNING_KEYS]);
      assert.is(await store.beginRekey(SECOND), 'begun', 'each owner has keys of its own');
    },
  );

  check('sealed values are of both modes, or private signing keys', async ({ store }) => {
    for (const gallery of [LIVE, LIVE, TEST, OTHER]) await enrolled(store, { gallery });
    await store.addSigningKey(signingKey('one'), null);
    const owners = [FIRST, SECOND, SIGNING_KEYS, 'app_unknown'];
    const [first = 0, second = 0, ...others] = await Promise.all(
      owners.map(owner => store.sealedValues(owner)),
    );
    // Two templates each, and what the engine seals besides.
    assert.ok(second >= 2);
    assert.equal([first, ...others], [3 * second, 1, 0]);
  });

  check('every value is sealed anew, a few at once, and says what it said', async ({ db, store }) => {
    for (const gallery of [LIVE, LIVE, TEST]) await enrolled(store, { gallery });
    const before = { live: await sealedIn(db, 'live'), test: await sealedIn(db, 'test') };
    const clear = { live: await templates(store), test: await templates(store, TEST) };
    const people = await peopleIn(store);
    await store.beginRekey(FIRST);
    const { next, ...first } = await store.reseal(FIRST, FIRST_PLACE, 3);
    assert.equal(first, { seen: 3, unreadable: 0 });
    assert.ok(next);
    const halfway = await sealedIn(db, 'live');
    assert.equal(
      halfway.map((sealed, i) => sealed === before.live[i]),
      [false, false, false, true],
    );
    const batches = await resealAll(store, FIRST, 3);
    assert.is(
      batches.reduce((sum, { seen }) => sum + seen, 0),
      await store.sealedValues(FIRST),
    );
    assert.ok(batches.every(({ seen, unreadable }) => seen <= 3 && unreadable === 0));
    assert.equal(await peopleIn(store), people);
    for (const [mode, gallery] of [
      ['live', LIVE],
      ['test', TEST],
    ] as const) {
      const after = await sealedIn(db, mode);
      assert.equal(
        after.filter(sealed => before[mode].includes(sealed)),
        [],
      );
      assert.equal(await templates(store, gallery), clear[mode]);
    }
    assert.is((await store.galleryState(LIVE)).sequence, 4, 'nobody has to load the gallery again');
    const none = await resealAll(store, 'app_unknown', 3);
    assert.ok(none.every(({ seen, unreadable }) => seen + unreadable === 0));
  });

  check('old keys stay while a value needs one, and then go', async ({ db, store }) => {
    const other = await db.open();
    await enrolled(store);
    await store.beginRekey(FIRST);
    await enrolled(other); // sealed with the new key by whoever writes it
    const clear = await templates(store);
    assert.is(await store.destroyOldKeys(FIRST), false);
    assert.equal(await store.unfinishedRekeys(), [FIRST]);
    assert.equal(await templates(store), clear);
    const people = await peopleIn(store);
    await resealAll(store, FIRST, 2);
    assert.is(await store.destroyOldKeys(FIRST), true);
    for (const handle of [store, other]) assert.equal(await peopleIn(handle), people);
    assert.equal(await store.unfinishedRekeys(), []);
    for (const handle of [store, other]) assert.equal(await templates(handle), clear);
    assert.is(await store.destroyOldKeys(FIRST), true, 'again');
    assert.is(await store.beginRekey(FIRST), 'begun', 'the next change is another one');
    for (const owner of [SECOND, 'app_unknown']) assert.is(await store.destroyOldKeys(owner), true, owner);
  });

  wiped('of old keys and of what they have sealed no byte is left', async ({ db, store }) => {
    await enrolled(store);
    const old = await db.rows<{ sealed: Uint8Array }>(
      `SELECT wrapped AS sealed FROM data_keys WHERE owner = '${FIRST}'
       UNION ALL SELECT sealed FROM templates WHERE app_id = '${FIRST}'`,
    );
    const markers = old.map(({ sealed }) => Buffer.from(sealed));
    assert.is(markers.length, 3);
    const found = async () => {
      const bytes = await db.bytes();
      return markers.filter(marker => bytes.includes(marker.subarray(-16))).length;
    };
    assert.is(await found(), markers.length, 'found before');
    await store.beginRekey(FIRST);
    await resealAll(store, FIRST, 10);
    assert.is(await store.destroyOldKeys(FIRST), true);
    assert.is(await found(), 0);
  });

  check('private signing keys are sealed anew like templates', async ({ db, store }) => {
    await store.addSigningKey(signingKey('one'), null);
    const sealed = () => db.rows('SELECT sealed FROM signing_keys');
    const before = await sealed();
    await store.beginRekey(SIGNING_KEYS);
    assert.is(await store.destroyOldKeys(SIGNING_KEYS), false);
    assert.equal(await resealAll(store, SIGNING_KEYS, 10), [{ seen: 1, unreadable: 0, next: null }]);
    assert.not.equal(await sealed(), before);
    assert.is(await store.destroyOldKeys(SIGNING_KEYS), true);
    assert.equal(await (await db.open()).openSigningKey('one'), signingKey('one').privateJwk);
  });
}
