/** Tier 1, apps and keys: what is stored is found again, in order, by every handle, and what is revoked is not. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, everything, nextTurn } from './engine.ts';
import { appRecord, FIRST, NOW, newKey, SECOND } from './fixtures.ts';

export function apps(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine, { apps: false });

  check('an app is found as it was stored', async ({ store }) => {
    const app = appRecord('app_a', {
      name: 'Naïve “quotes” 👍',
      allowedOrigins: ['https://a.example', 'http://localhost:3000'],
      firstParty: true,
      plan: 'standard',
      createdAt: NOW + 123,
    });
    await store.createApp(app);
    assert.equal(await store.findApp('app_a'), app);
    assert.equal(await store.listApps(), [app]);
    assert.is(await store.findApp('app_b'), null);
    assert.is(await store.findApp('APP_A'), null);
  });

  check('apps are listed oldest first, then by id', async ({ store }) => {
    for (const [id, createdAt] of [
      ['app_c', 2],
      ['app_b', 1],
      ['app_a', 2],
      ['app_d', 0],
    ] as const)
      await store.createApp(appRecord(id, { createdAt }));
    assert.equal(
      (await store.listApps()).map(({ id }) => id),
      ['app_d', 'app_b', 'app_a', 'app_c'],
    );
  });

  check('an update changes the given fields of the given app, and no other', async ({ store }) => {
    const [first, second] = [appRecord(FIRST), appRecord(SECOND)];
    await store.createApp(first);
    await store.createApp(second);
    let expected = first;
    for (const change of [
      { name: 'New' },
      { allowedOrigins: [] },
      { firstParty: true },
      { plan: 'unlimited' },
      { firstParty: false, allowedOrigins: ['https://new.example'] },
      {},
    ]) {
      expected = { ...expected, ...change };
      assert.equal(await store.updateApp(FIRST, change), expected);
      assert.equal(await store.findApp(FIRST), expected);
    }
    assert.equal(await store.findApp(SECOND), second);
    assert.is(await store.updateApp('app_none', { name: 'x' }), null);
    assert.is((await store.listApps()).length, 2);
  });

  check('the origins of first-party apps follow every change', async ({ db, store }) => {
    const other = await db.open();
    const origins = async () => {
      await nextTurn();
      return [...(await store.firstPartyOrigins())].sort();
    };
    assert.equal(await origins(), []);
    await store.createApp(appRecord(FIRST, { allowedOrigins: ['https://a.example', 'https://b.example'] }));
    assert.equal(await origins(), []);
    await other.updateApp(FIRST, { firstParty: true });
    assert.equal(await origins(), ['https://a.example', 'https://b.example']);
    await store.updateApp(FIRST, { allowedOrigins: ['https://c.example'] });
    assert.equal(await origins(), ['https://c.example']);
    await other.createApp(appRecord(SECOND, { firstParty: true, allowedOrigins: ['https://d.example'] }));
    assert.equal(await origins(), ['https://c.example', 'https://d.example']);
    await other.deleteApp(FIRST, NOW);
    assert.equal(await origins(), ['https://d.example']);
  });

  check('keys are found by their hash with their app, until they are revoked', async ({ store }) => {
    const app = appRecord(FIRST);
    await store.createApp(app);
    const key = newKey('key_1', { type: 'publishable', mode: 'test' });
    assert.is(await store.createKey(key, 10), 'created');
    for (let i = 0; i < 3; i++)
      assert.equal(await store.findCredential(key.hash), {
        key: { id: 'key_1', type: 'publishable', mode: 'test', endsAt: null },
        app,
      });
    assert.is(await store.findCredential('key_1'), null);
    assert.is(await store.findCredential(key.hash.toUpperCase()), null);
    assert.ok(await store.updateKey('key_1', { revokedAt: NOW + 5 }));
    assert.is(await store.findCredential(key.hash), null);
  });

  check('revoking twice keeps the first time; an unknown key is null', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createKey(newKey('key_1'), 10);
    await store.createKey(newKey('key_2'), 10);
    assert.ok(await store.updateKey('key_1', { revokedAt: NOW + 5 }));
    assert.ok(await store.updateKey('key_1', { revokedAt: NOW + 9 }));
    assert.is(await store.updateKey('key_9', { revokedAt: NOW }), null);
    assert.equal(
      (await store.listKeys({ appId: FIRST })).map(({ id, revokedAt }) => [id, revokedAt]),
      [
        ['key_1', NOW + 5],
        ['key_2', null],
      ],
    );
  });

  check('keys are listed oldest first, revoked ones too, without their hash', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createApp(appRecord(SECOND));
    for (const [id, createdAt] of [
      ['key_b', 2],
      ['key_a', 2],
      ['key_c', 1],
    ] as const)
      await store.createKey(newKey(id, { createdAt }), 10);
    await store.createKey(newKey('key_other', { appId: SECOND }), 10);
    const keys = await store.listKeys({ appId: FIRST });
    assert.equal(
      keys.map(({ id }) => id),
      ['key_c', 'key_a', 'key_b'],
    );
    const { hash: _, ...shown } = newKey('key_c', { createdAt: 1 });
    assert.equal(keys[0], { ...shown, revokedAt: null, lastUsedAt: null, endsAt: null });
    await store.createApp(appRecord('app_bare'));
    assert.equal(await store.listKeys({ appId: 'app_bare' }), []);
  });

  check('the maximum counts active keys of the app in the mode, both types together', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createApp(appRecord(SECOND));
    assert.is(await store.createKey(newKey('key_1', { type: 'secret' }), 2), 'created');
    assert.is(await store.createKey(newKey('key_2', { type: 'publishable' }), 2), 'created');
    assert.is(await store.createKey(newKey('key_3'), 2), 'too_many');
    assert.is(await store.createKey(newKey('key_4', { mode: 'test' }), 2), 'created');
    assert.is(await store.createKey(newKey('key_5', { appId: SECOND }), 2), 'created');
    assert.is(await store.createKey(newKey('key_6', { appId: 'app_none' }), 2), 'no_such_app');
    assert.is(await store.createKey(newKey('key_7'), 0), 'too_many');
    await store.updateKey('key_1', { revokedAt: NOW });
    assert.is(await store.createKey(newKey('key_8'), 2), 'created');
    assert.is(await store.createKey(newKey('key_9'), 2), 'too_many');
  });

  check('what another handle changes counts with the next call', async ({ db, store }) => {
    const other = await db.open();
    await other.createApp(appRecord(FIRST));
    await other.createKey(newKey('key_1'), 10);
    const seen = async () => {
      await nextTurn();
      return store.findCredential(newKey('key_1').hash);
    };
    assert.is((await seen())?.app.plan, 'free');
    await other.updateApp(FIRST, { plan: 'standard', allowedOrigins: ['https://new.example'] });
    assert.equal((await seen())?.app.plan, 'standard');
    assert.equal((await seen())?.app.allowedOrigins, ['https://new.example']);
    await other.updateKey('key_1', { revokedAt: NOW });
    assert.is(await seen(), null);
    await other.createKey(newKey('key_2'), 10);
    await nextTurn();
    assert.ok(await store.findCredential(newKey('key_2').hash));
    await other.deleteApp(FIRST, NOW);
    await nextTurn();
    assert.is(await store.findCredential(newKey('key_2').hash), null);
  });

  check('the first app comes with its keys, into a database that never held one', async ({ db, store }) => {
    const keys = [newKey('key_1'), newKey('key_2', { type: 'publishable' })];
    assert.is(await store.createApp(appRecord(FIRST), keys), true);
    assert.equal(
      (await store.listKeys({ appId: FIRST })).map(({ id }) => id),
      ['key_1', 'key_2'],
    );
    const before = await everything(db);
    assert.is(await store.createApp(appRecord(SECOND), []), false);
    assert.equal(await everything(db), before);
    await store.deleteApp(FIRST, NOW);
    assert.is(await store.createApp(appRecord(SECOND), []), false, 'an app was there once');
  });

  check('a first app whose keys cannot be stored is not there either', async ({ db, store }) => {
    const before = await everything(db);
    const twice = [newKey('key_1'), newKey('key_1', { hash: 'another' })];
    await store.createApp(appRecord(FIRST), twice).then(
      () => assert.unreachable('two keys of one id were stored'),
      () => undefined,
    );
    assert.equal(await everything(db), before);
    assert.is(await store.createApp(appRecord(FIRST), [newKey('key_1')]), true);
  });

  check('an unknown app is not deleted', async ({ db, store }) => {
    await store.createApp(appRecord(FIRST));
    const before = await everything(db);
    assert.is(await store.deleteApp('app_none', NOW), false);
    assert.equal(await everything(db), before);
    assert.is(await store.deleteApp(FIRST, NOW), true);
    assert.is(await store.deleteApp(FIRST, NOW), false);
  });

  check('a rolled key works until it ends, and its successor is no additional key', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createKey(newKey('key_old', { label: 'Till', madeBy: 'opr_1' }), 1);
    const successor = newKey('key_new', { label: 'Till', createdAt: NOW + 1 });
    for (const other of [{ appId: SECOND }, { type: 'publishable' }, { mode: 'test' }] as const)
      assert.is(await store.rollKey('key_old', newKey('key_new', other), NOW + 9, NOW), null);
    const old = await store.rollKey('key_old', successor, NOW + 9, NOW);
    const shared = { label: 'Till', lastUsedAt: null, revokedAt: null };
    const { hash: _, ...before } = newKey('key_old', { madeBy: 'opr_1' });
    const { hash: __, ...after } = successor;
    assert.equal(old, { ...before, ...shared, endsAt: NOW + 9 });
    assert.equal(await store.listKeys({ appId: FIRST }), [old, { ...after, ...shared, endsAt: null }]);
    assert.is((await store.findCredential('hash of key_old'))?.key.endsAt, NOW + 9);
    assert.is((await store.findCredential('hash of key_new'))?.key.endsAt, null);
    assert.is(await store.createKey(newKey('key_third'), 1), 'too_many');
    assert.is(
      (await store.rollKey('key_old', newKey('key_4', { mode: 'live' }), NOW + 99, NOW))?.endsAt,
      NOW + 9,
    );
    assert.is(await store.rollKey('key_old', newKey('key_5'), NOW + 99, NOW + 9), null, 'it has ended');
    await store.updateKey('key_new', { revokedAt: NOW });
    assert.is(await store.rollKey('key_new', newKey('key_5'), NOW + 99, NOW), null, 'it was revoked');
    assert.is(await store.rollKey('key_none', newKey('key_5'), NOW + 99, NOW), null);
  });

  check('keys have labels, and the last hour of their use', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createKey(newKey('key_1'), 9);
    assert.is((await store.updateKey('key_1', { label: 'Till' }))?.label, 'Till');
    assert.is((await store.updateKey('key_1', { label: null }))?.label, null);
    assert.is(await store.updateKey('key_none', { label: 'x' }), null);
    await store.noteKeyUses(
      new Map([
        ['key_1', NOW],
        ['key_none', NOW],
      ]),
    );
    await store.noteKeyUses(new Map([['key_1', NOW - 1]]));
    assert.is((await store.listKeys({ id: 'key_1' }))[0]?.lastUsedAt, NOW);
    assert.equal(await store.listKeys({ id: 'key_none' }), []);
  });

  check('an app belongs to a team, and can be moved to another', async ({ store }) => {
    await store.createApp(appRecord(FIRST));
    await store.createTeam({ id: 'team_b', name: 'B', createdAt: NOW });
    const moved = await store.updateApp(FIRST, { teamId: 'team_b' });
    assert.is(moved?.teamId, 'team_b');
    assert.equal(await store.findApp(FIRST), moved);
    assert.equal(
      (await store.listTeams(null)).map(({ name, apps: owned }) => [name, owned]),
      [
        ['B', 1],
        ['Operators', 0],
      ],
    );
    assert.is(await store.updateTeam('team_b', null), 'has_apps');
  });
}
