/** Tiers 1 and 2, the portal's operators: links, invitations and sessions. */
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine } from './engine.ts';
import { NOW } from './fixtures.ts';
import { ADA, IDLE, link, linkBy, MINUTE, operator, redeeming, session } from './operator-fixtures.ts';

export function operators(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a link creates an operator once, and names and addresses are asked for', async ({ store }) => {
    await store.createLink(link({ makesAdmin: true }));
    assert.is((await store.redeemLink(redeeming({ email: null }))).outcome, 'email_missing');
    assert.is((await store.redeemLink(redeeming({ name: null }))).outcome, 'name_missing');
    assert.is((await store.redeemLink(redeeming({ now: NOW + 30 * MINUTE }))).outcome, 'gone');
    assert.is((await linkBy(store, 'hash_1'))?.id, 'lnk_1', 'none of these uses the link');
    const redeemed = await store.redeemLink(redeeming());
    const ada = {
      ...{ id: 'opr_new', email: ADA, name: 'Ada', isAdmin: true, language: null, theme: null },
      ...{ createdAt: NOW + 1, disabledAt: null, invitedBy: 'command line', emailChangedAt: null },
    };
    const { hash: _, ...record } = link({ makesAdmin: true });
    assert.equal(redeemed, { outcome: 'ok', operator: ada, isNew: true, startsSession: true, link: record });
    assert.equal(await store.redeemLink(redeeming()), { outcome: 'gone' });
    await operator(store, 'grace');
    const listed = { ...ada, passkeys: 0, recoveryCodes: 0, sessions: 0, lastSeenAt: null };
    assert.equal((await store.listOperators()).map(({ id }) => id).toSorted(), ['opr_grace', 'opr_new']);
    for (const by of [{ id: 'opr_new' }, { email: 'ADA@Mail.example' }])
      assert.equal(await store.listOperators(by), [listed]);
    assert.equal(await store.listOperators({ id: 'opr_none' }), []);
  });

  check('the address of a link is not up to whoever opens it', async ({ store }) => {
    await store.createLink(link({ email: 'grace@mail.example' }));
    const redeemed = await store.redeemLink(redeeming());
    assert.is(redeemed.outcome === 'ok' && redeemed.operator.email, 'grace@mail.example');
  });

  check('an open link with the address of an operator is refused, and stays', async ({ store }) => {
    await operator(store, 'ada');
    await store.createLink(link());
    assert.equal(await store.redeemLink(redeeming({ email: 'Ada@Mail.Example' })), {
      outcome: 'email_taken',
    });
    assert.is((await store.redeemLink(redeeming({ email: 'grace@mail.example' }))).outcome, 'ok');
  });

  check(
    'a link of an operator signs in that operator, and the newest replaces the others',
    async ({ store }) => {
      const ada = await operator(store, 'ada');
      await store.createLink(link({ id: 'lnk_old', hash: 'old', operatorId: ada.id }));
      await store.createLink(link({ operatorId: ada.id }));
      assert.is((await store.redeemLink(redeeming({ hash: 'old' }))).outcome, 'gone');
      const redeemed = await store.redeemLink(redeeming({ name: null, email: null }));
      assert.equal(redeemed.outcome === 'ok' && [redeemed.operator, redeemed.isNew, redeemed.startsSession], [
        ada,
        false,
        true,
      ]);
    },
  );

  check('an invitation never signs in an operator who exists', async ({ store }) => {
    const admin = await operator(store, 'ada', { makesAdmin: true });
    const other = await operator(store, 'grace');
    const invitation = link({ email: 'ADA@mail.example', teamId: FIRST_TEAM, role: 'viewer' });
    await store.createLink(invitation);
    for (const signedIn of [null, other.id])
      assert.equal(await store.redeemLink(redeeming({ signedIn })), { outcome: 'sign_in_first' });
    assert.equal(await store.listTeams({ operatorId: admin.id }), []);
    const redeemed = await store.redeemLink(redeeming({ signedIn: admin.id }));
    assert.equal(redeemed.outcome === 'ok' && [redeemed.operator.id, redeemed.startsSession], [
      admin.id,
      false,
    ]);
    assert.equal(
      (await store.listTeams({ operatorId: admin.id })).map(({ id, name, role }) => [id, name, role]),
      [[FIRST_TEAM, 'Operators', 'viewer']],
    );
  });

  check(
    'an invitation makes a member of somebody new, and takes no role from a member',
    async ({ store }) => {
      const invitation = { teamId: FIRST_TEAM, role: 'developer' as const };
      await store.createLink(link({ ...invitation, email: ADA }));
      assert.is((await store.redeemLink(redeeming({ email: null }))).outcome, 'ok');
      assert.equal(
        (await store.listMembers(FIRST_TEAM)).map(({ operator: who, role, addedAt }) => [
          who.email,
          role,
          addedAt,
        ]),
        [[ADA, 'developer', NOW + 1]],
      );
      await store.createLink(link({ ...invitation, role: 'viewer', email: ADA }));
      assert.is((await store.redeemLink(redeeming({ signedIn: 'opr_new' }))).outcome, 'ok');
      assert.is((await store.listMembers(FIRST_TEAM))[0]?.role, 'developer');
    },
  );

  check(
    'invitations of a team: listed until they end, replaced by address, withdrawn by the team',
    async ({ store }) => {
      await store.createTeam({ id: 'team_other', name: 'Other', createdAt: NOW });
      const invitation = { teamId: FIRST_TEAM, role: 'viewer' as const };
      await store.createLink(link({ ...invitation, id: 'lnk_old', hash: 'old', email: 'Ada@mail.example' }));
      await store.createLink(link({ ...invitation, email: ADA }));
      await store.createLink(
        link({ ...invitation, id: 'lnk_2', hash: '2', email: 'b@mail.example', createdAt: NOW + 1 }),
      );
      const ids = async (now: number) =>
        (await store.listLinks({ teamId: FIRST_TEAM }, now)).map(({ id }) => id);
      assert.equal(await ids(NOW), ['lnk_1', 'lnk_2']);
      assert.equal(await ids(NOW + 30 * MINUTE), []);
      assert.is(await store.withdrawInvitation('team_other', 'lnk_1'), false);
      assert.is(await store.withdrawInvitation(FIRST_TEAM, 'lnk_1'), true);
      assert.equal(await ids(NOW), ['lnk_2']);
      assert.equal(await store.redeemLink(redeeming()), { outcome: 'gone' });
    },
  );

  check(
    'a session needs both secrets, and ends with time, idleness, sign-out and disabling',
    async ({ store }) => {
      const ada = await operator(store, 'ada');
      await store.setMember(FIRST_TEAM, ada.id, 'owner', NOW);
      await operator(store, 'root', { makesAdmin: true });
      assert.is(await store.startSession(session(), 10), true);
      const found = await store.findSession('cookie_1', 'secret_1', NOW, IDLE);
      const { hash: _, secretHash: __, ...record } = session();
      assert.equal(found?.session, record);
      assert.equal(found?.operator, ada);
      assert.equal(found?.teams, [{ id: FIRST_TEAM, name: 'Operators', createdAt: 0, role: 'owner' }]);
      for (const [cookie, secret, now, idleSince] of [
        ['cookie_1', 'secret_2', NOW, IDLE],
        ['cookie_2', 'secret_1', NOW, IDLE],
        ['secret_1', 'cookie_1', NOW, IDLE],
        ['cookie_1', 'secret_1', NOW + 720 * MINUTE, IDLE],
        ['cookie_1', 'secret_1', NOW, NOW],
      ] as const)
        assert.is(await store.findSession(cookie, secret, now, idleSince), null);
      await store.updateSession('ses_1', { seenAt: NOW + 5 });
      await store.updateSession('ses_1', { seenAt: NOW + 4 });
      assert.is((await store.listSessions(ada.id, NOW, IDLE))[0]?.seenAt, NOW + 5);
      await store.updateSession('ses_1', { steppedUpAt: NOW + 9 });
      const after = await store.findSession('cookie_1', 'secret_1', NOW, IDLE);
      assert.equal([after?.session.seenAt, after?.session.steppedUpAt], [NOW + 9, NOW + 9]);
      assert.is(await store.endSessions('opr_root', 'ses_1'), 0, 'only the operator’s own');
      await store.updateOperator(ada.id, { disabledAt: NOW });
      assert.is(await store.findSession('cookie_1', 'secret_1', NOW, IDLE), null);
      assert.is(await store.startSession(session({ id: 'ses_2', hash: 'c2' }), 10), false);
      assert.is(
        await store.startSession(session({ operatorId: 'opr_none', id: 'ses_3', hash: 'c3' }), 10),
        false,
      );
    },
  );

  check('the newest sessions stay when there are too many', async ({ store }) => {
    await operator(store, 'ada');
    for (let i = 0; i < 5; i++)
      await store.startSession(
        session({ id: `ses_${i}`, hash: `c_${i}`, beganAt: NOW + i, seenAt: NOW + i }),
        3,
      );
    const ids = async () => (await store.listSessions('opr_ada', NOW, IDLE)).map(({ id }) => id);
    assert.equal(await ids(), ['ses_4', 'ses_3', 'ses_2']);
    assert.is(await store.endSessions('opr_ada', 'ses_3'), 1);
    assert.equal(await ids(), ['ses_4', 'ses_2']);
    assert.is((await store.listOperators())[0]?.lastSeenAt, NOW + 4);
    assert.is(await store.endSessions('opr_ada', null), 2);
  });

  check('what somebody has made who may no longer invite is an invitation to nobody', async ({ store }) => {
    await operator(store, 'root', { makesAdmin: true });
    const team = { id: 'team_1', name: 'One', createdAt: NOW };
    for (const id of ['team_1', 'team_2']) await store.createTeam({ ...team, id });
    const changes: [string, (id: string) => Promise<unknown>][] = [
      ['disabled', id => store.updateOperator(id, { disabledAt: NOW })],
      ['no admin', id => store.updateOperator(id, { isAdmin: false })],
      ['no owner', id => store.setMember('team_1', id, 'developer', NOW)],
      ['removed', id => store.setMember('team_1', id, null, NOW)],
    ];
    for (const [why, change] of changes) {
      const { id } = await operator(store, why.replace(' ', ''), { makesAdmin: true });
      for (const other of [id, 'opr_root']) await store.setMember('team_1', other, 'owner', NOW);
      const invited = { email: `${id}@mail.example`, teamId: 'team_1', role: 'owner' } as const;
      await store.createLink(link({ ...invited, id, hash: id, madeBy: id }));
      const elsewhere = { ...invited, id: `${id}2`, hash: `${id}2`, teamId: 'team_2' };
      await store.createLink(link({ ...elsewhere, madeBy: id }));
      await store.createLink(link({ ...invited, email: 'other@mail.example', id: `${id}3`, hash: `${id}3` }));
      await store.updateOperator(id, { name: 'Renamed' });
      assert.ok(await linkBy(store, id), why);
      await change(id);
      assert.is(await linkBy(store, id), null, why);
      const isOfOneTeam = why === 'no owner' || why === 'removed';
      assert.is((await linkBy(store, `${id}2`)) !== null, isOfOneTeam, why);
      assert.ok(await linkBy(store, `${id}3`), why);
      await store.withdrawInvitation('team_1', `${id}3`);
    }
  });

  check('an invitation is made only by an owner of the team, an admin or a command', async ({ store }) => {
    await operator(store, 'root', { makesAdmin: true });
    const { id } = await operator(store, 'ada');
    await store.createTeam({ id: 'team_1', name: 'One', createdAt: NOW });
    await store.setMember('team_1', 'opr_root', 'owner', NOW);
    const invited = { email: 'new@mail.example', teamId: 'team_1', role: 'owner', id: 'lnk_i' } as const;
    const may = (madeBy: string) => store.createLink(link({ ...invited, hash: `by ${madeBy}`, madeBy }));
    assert.is(await may(id), false);
    assert.is(await linkBy(store, `by ${id}`), null);
    await store.setMember('team_1', id, 'developer', NOW);
    assert.is(await may(id), false);
    await store.setMember('team_1', id, 'owner', NOW);
    assert.is(await may(id), true);
    await store.updateOperator(id, { disabledAt: NOW });
    assert.is(await may(id), false);
    assert.equal([await may('opr_root'), await may('command line')], [true, true]);
  });

  check('disabling ends sessions and links; the last admin stays', async ({ store }) => {
    const root = await operator(store, 'root', { makesAdmin: true });
    const ada = await operator(store, 'ada', { makesAdmin: true });
    await store.startSession(session(), 10);
    await store.createLink(link({ operatorId: ada.id }));
    const disabled = await store.updateOperator(ada.id, { disabledAt: NOW });
    assert.is(typeof disabled === 'object' && disabled?.disabledAt, NOW);
    assert.equal(await store.listSessions(ada.id, NOW, IDLE), []);
    await store.updateOperator(ada.id, { disabledAt: null });
    assert.is(await linkBy(store, 'hash_1'), null, 'enabling brings no link back');
    await store.updateOperator(ada.id, { disabledAt: NOW });
    for (const change of [{ isAdmin: false }, { disabledAt: NOW }])
      assert.is(await store.updateOperator(root.id, change), 'last_admin');
    const [kept] = await store.listOperators({ id: root.id });
    assert.equal([kept?.isAdmin, kept?.disabledAt, kept?.email], [true, null, root.email]);
    assert.is(await store.updateOperator(root.id, { email: 'ADA@mail.example' }), 'email_taken');
    const renamed = await store.updateOperator(root.id, {
      name: 'R',
      email: 'Root@mail.example',
      theme: 'dark',
    });
    assert.equal(renamed, { ...root, name: 'R', email: 'Root@mail.example', theme: 'dark' });
    assert.is(await store.updateOperator('opr_none', { name: 'x' }), null);
  });
}
