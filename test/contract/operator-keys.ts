/** Tiers 1 to 3, the portal's operators: passkeys, ceremonies, recovery codes, teams, and many at once. */
import * as assert from 'uvu/assert';
import { FIRST_TEAM, type Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, tally } from './engine.ts';
import { NOW } from './fixtures.ts';
import {
  AT_ONCE,
  IDLE,
  link,
  linkBy,
  MINUTE,
  operator,
  passkey,
  redeeming,
  session,
} from './operator-fixtures.ts';

const used = (browser: string, expiresAt: number) =>
  ({ browser, challenge: 'c', purpose: 'sign-in', operatorId: null, expiresAt }) as const;

export function operatorKeys(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('passkeys of an operator, each credential once', async ({ store }) => {
    await operator(store, 'ada');
    await operator(store, 'grace');
    assert.is(await store.addPasskey(passkey(), 2), true);
    assert.is(await store.addPasskey(passkey({ id: 'psk_2', operatorId: 'opr_grace' }), 2), false);
    assert.is(
      await store.addPasskey(passkey({ id: 'psk_2', credentialId: 'credential_2', createdAt: NOW + 1 }), 2),
      true,
    );
    assert.is(
      await store.addPasskey(passkey({ id: 'psk_3', credentialId: 'credential_3' }), 2),
      false,
      'full',
    );
    assert.is(
      await store.addPasskey(passkey({ id: 'psk_4', credentialId: 'c4', operatorId: 'opr_none' }), 2),
      false,
    );
    assert.equal((await store.listPasskeys({ credentialId: 'credential_1' }))[0], passkey());
    assert.equal(await store.listPasskeys({ credentialId: 'credential_9' }), []);
    for (const [operatorId, done] of [
      ['opr_grace', false],
      ['opr_ada', true],
    ] as const)
      assert.is(await store.updatePasskey(operatorId, 'psk_1', { label: 'Phone' }), done);
    assert.equal(
      (await store.listPasskeys({ operatorId: 'opr_ada' })).map(({ label }) => label),
      ['Phone', 'Laptop'],
    );
    assert.is(await store.updatePasskey('opr_grace', 'psk_1', null), false);
    assert.is(await store.updatePasskey('opr_ada', 'psk_1', null), true);
    assert.is((await store.listOperators())[0]?.passkeys, 1);
  });

  check('a counter only grows, unless a passkey has none', async ({ store }) => {
    await operator(store, 'ada');
    await store.addPasskey(passkey(), 9);
    const use = (counter: number, lastUsedAt: number, id = 'psk_1') =>
      store.updatePasskey('opr_ada', id, { counter, lastUsedAt });
    assert.is(await use(0, NOW + 1), true);
    assert.is(await use(7, NOW + 2), true);
    for (const counter of [7, 6, 0]) assert.is(await use(counter, NOW + 3), false);
    assert.is(await use(9, NOW, 'psk_none'), false);
    const used = (await store.listPasskeys({ credentialId: 'credential_1' }))[0];
    assert.equal([used?.counter, used?.lastUsedAt], [7, NOW + 2]);
  });

  check('a ceremony is used once, whatever else is said of its browser', async ({ store }) => {
    const ceremony = { browser: 'b', challenge: 'c', operatorId: null, expiresAt: NOW + MINUTE };
    assert.is(await store.useCeremony({ ...ceremony, purpose: 'sign-in' }), true);
    assert.is(await store.useCeremony({ ...ceremony, purpose: 'sign-in' }), false);
    assert.is(await store.useCeremony({ ...ceremony, purpose: 'step-up', challenge: 'd' }), false);
    assert.is(await store.useCeremony({ ...ceremony, browser: 'other', purpose: 'sign-in' }), true);
  });

  check('recovery codes are replaced together, and each is used once, by its operator', async ({ store }) => {
    await operator(store, 'ada');
    await operator(store, 'grace');
    await store.setRecoveryCodes('opr_ada', ['old'], NOW);
    await store.setRecoveryCodes('opr_ada', ['one', 'two'], NOW);
    assert.is((await store.listOperators())[0]?.recoveryCodes, 2);
    assert.is(await store.useRecoveryCode('opr_ada', 'old'), false);
    assert.is(await store.useRecoveryCode('opr_grace', 'one'), false);
    assert.is(await store.useRecoveryCode('opr_ada', 'one'), true);
    assert.is(await store.useRecoveryCode('opr_ada', 'one'), false);
    assert.is((await store.listOperators())[0]?.recoveryCodes, 1);
  });

  check('teams: the first is always there, others go without apps only', async ({ store }) => {
    const ada = await operator(store, 'ada');
    const first = { id: FIRST_TEAM, name: 'Operators', createdAt: 0 };
    assert.equal(await store.listTeams(null), [{ ...first, members: 0, apps: 2, role: null }]);
    await store.createTeam({ id: 'team_b', name: 'B', createdAt: NOW });
    await store.setMember('team_b', ada.id, 'owner', NOW);
    assert.equal(
      (await store.listTeams({ operatorId: ada.id })).map(({ name, members, apps }) => [name, members, apps]),
      [['B', 1, 0]],
    );
    assert.is(await store.updateTeam('team_b', { name: 'Bee' }), 'ok');
    const bee = { id: 'team_b', name: 'Bee', createdAt: NOW, members: 1, apps: 0, role: null };
    assert.equal(await store.listTeams({ id: 'team_b' }), [bee]);
    assert.is(await store.updateTeam('team_none', { name: 'x' }), 'no_such_team');
    await store.createLink(link({ teamId: 'team_b', role: 'viewer', email: 'b@mail.example' }));
    assert.is(await store.updateTeam(FIRST_TEAM, null), 'first_team');
    assert.is(await store.updateTeam('team_none', null), 'no_such_team');
    assert.is(await store.updateTeam('team_b', null), 'ok');
    assert.equal([await store.listTeams({ operatorId: ada.id }), await linkBy(store, 'hash_1')], [[], null]);
  });

  check('the last owner who is not disabled stays an owner', async ({ store }) => {
    await operator(store, 'root', { makesAdmin: true });
    for (const name of ['ada', 'grace']) await operator(store, name);
    await store.setMember(FIRST_TEAM, 'opr_ada', 'owner', NOW);
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', 'viewer', NOW), 'last_owner');
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', null, NOW), 'last_owner');
    await store.setMember(FIRST_TEAM, 'opr_grace', 'owner', NOW);
    await store.updateOperator('opr_grace', { disabledAt: NOW });
    assert.is(
      await store.setMember(FIRST_TEAM, 'opr_ada', null, NOW),
      'last_owner',
      'nobody else can sign in',
    );
    await store.updateOperator('opr_grace', { disabledAt: null });
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', 'viewer', NOW + 9), 'ok');
    assert.equal(
      (await store.listMembers(FIRST_TEAM)).map(({ operator: who, role, addedAt }) => [
        who.id,
        role,
        addedAt,
      ]),
      [
        ['opr_ada', 'viewer', NOW],
        ['opr_grace', 'owner', NOW],
      ],
    );
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', null, NOW), 'ok');
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', null, NOW), 'no_such_member');
    assert.is(await store.setMember('team_none', 'opr_ada', 'viewer', NOW), 'no_such_member');
  });

  check('what has ended is deleted, and nothing else', async ({ store }) => {
    await operator(store, 'ada');
    await store.startSession(session({ id: 'ses_over', hash: 'a', endsAt: NOW }), 10);
    await store.startSession(session({ id: 'ses_idle', hash: 'b', seenAt: IDLE }), 10);
    await store.startSession(session(), 10);
    await store.createLink(link({ id: 'lnk_over', hash: 'over', expiresAt: NOW }));
    await store.createLink(link());
    for (const [browser, expiresAt] of [
      ['over', NOW],
      ['open', NOW + 1],
    ] as const)
      await store.useCeremony(used(browser, expiresAt));
    assert.is(await store.prune('operators', NOW, 3), 3, 'not more than asked for');
    assert.is(await store.prune('operators', NOW, 100), 1);
    assert.equal(
      (await store.listSessions('opr_ada', 0, 0)).map(({ id }) => id),
      ['ses_1'],
    );
    assert.is((await linkBy(store, 'hash_1'))?.id, 'lnk_1');
    assert.is(await store.useCeremony(used('open', NOW + 1)), false);
    assert.is(await store.useCeremony(used('over', NOW + 1)), true);
  });

  check(
    'of many who open a link, consume a ceremony or use a code at once, one succeeds',
    async ({ db, store }) => {
      const stores = [store, await db.open()];
      const atOnce = <Answer>(call: (one: Store, i: number) => Promise<Answer>) =>
        Promise.all(Array.from({ length: AT_ONCE }, (_, i) => call(stores[i % 2] as Store, i)));
      await operator(store, 'ada');
      await store.createLink(link());
      const opened = await atOnce((one, i) =>
        one.redeemLink(redeeming({ newId: `opr_${i}`, email: `p${i}@mail.example` })),
      );
      assert.equal(tally(opened), { ok: 1, gone: AT_ONCE - 1 });
      assert.is((await store.listOperators()).length, 2);
      const ended = await atOnce(one => one.useCeremony(used('b', NOW + 1)));
      assert.is(ended.filter(Boolean).length, 1);
      await store.setRecoveryCodes('opr_ada', ['one'], NOW);
      const codes = await atOnce(one => one.useRecoveryCode('opr_ada', 'one'));
      assert.is(codes.filter(Boolean).length, 1);
      await store.addPasskey(passkey(), 9);
      const use = { counter: 1, lastUsedAt: NOW };
      const counted = await atOnce(one => one.updatePasskey('opr_ada', 'psk_1', use));
      assert.is(counted.filter(Boolean).length, 1);
      const added = await atOnce((one, i) =>
        one.addPasskey(passkey({ id: `psk_x${i}`, credentialId: `c${i}` }), 4),
      );
      assert.is(added.filter(Boolean).length, 3);
    },
  );

  check('of two last owners or admins who go at once, one stays', async ({ db, store }) => {
    const other = await db.open();
    for (const name of ['ada', 'grace']) {
      const { id } = await operator(store, name, { makesAdmin: true });
      await store.setMember(FIRST_TEAM, id, 'owner', NOW);
    }
    const left = await Promise.all([
      store.setMember(FIRST_TEAM, 'opr_ada', null, NOW),
      other.setMember(FIRST_TEAM, 'opr_grace', null, NOW),
    ]);
    assert.equal([...left].sort(), ['last_owner', 'ok']);
    const demoted = await Promise.all([
      store.updateOperator('opr_ada', { isAdmin: false }),
      other.updateOperator('opr_grace', { disabledAt: NOW }),
    ]);
    assert.is(demoted.filter(each => each === 'last_admin').length, 1);
  });
}
