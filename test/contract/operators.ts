/** Tiers 1 to 3, the portal's operators: links, sessions, passkeys, recovery codes, teams and members. */
import * as assert from 'uvu/assert';
import {
  FIRST_TEAM,
  type LinkRecord,
  type NewSession,
  type PasskeyRecord,
  type Redeeming,
  type Store,
} from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, tally } from './engine.ts';
import { NOW } from './fixtures.ts';

const MINUTE = 60_000;
const IDLE = NOW - 60 * MINUTE;
const ADA = 'ada@mail.example';
const AT_ONCE = 50;

const link = (change: Partial<LinkRecord & { hash: string }> = {}) => ({
  id: 'lnk_1',
  hash: 'hash_1',
  email: null,
  operatorId: null,
  teamId: null,
  role: null,
  makesAdmin: false,
  madeBy: 'command line',
  createdAt: NOW,
  expiresAt: NOW + 30 * MINUTE,
  ...change,
});

const redeeming = (change: Partial<Redeeming> = {}): Redeeming => ({
  hash: 'hash_1',
  now: NOW + 1,
  signedIn: null,
  newId: 'opr_new',
  name: 'Ada',
  email: ADA,
  ...change,
});

const session = (change: Partial<NewSession> = {}): NewSession => ({
  id: 'ses_1',
  hash: 'cookie_1',
  secretHash: 'secret_1',
  operatorId: 'opr_ada',
  means: 'link',
  beganAt: NOW,
  steppedUpAt: NOW,
  seenAt: NOW,
  endsAt: NOW + 720 * MINUTE,
  ip: '192.0.2.1',
  userAgent: 'Browser/1',
  ...change,
});

const passkey = (change: Partial<PasskeyRecord> = {}): PasskeyRecord => ({
  id: 'psk_1',
  operatorId: 'opr_ada',
  credentialId: 'credential_1',
  publicKey: new Uint8Array([1, 2, 3]),
  counter: 0,
  transports: ['internal', 'hybrid'],
  label: 'Laptop',
  createdAt: NOW,
  lastUsedAt: null,
  ...change,
});

/** Creates an operator, as every one is: by a link. */
async function operator(store: Store, name: string, { makesAdmin = false } = {}) {
  const id = `opr_${name}`;
  await store.createLink(link({ id: `lnk_${name}`, hash: `hash_${name}`, makesAdmin }));
  const email = `${name}@mail.example`;
  const redeemed = await store.redeemLink(redeeming({ hash: `hash_${name}`, newId: id, name, email }));
  if (redeemed.outcome !== 'ok') throw new Error(redeemed.outcome);
  return redeemed.operator;
}

export function operators(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a link creates an operator once, and names and addresses are asked for', async ({ store }) => {
    await store.createLink(link({ makesAdmin: true }));
    assert.is((await store.redeemLink(redeeming({ email: null }))).outcome, 'email_missing');
    assert.is((await store.redeemLink(redeeming({ name: null }))).outcome, 'name_missing');
    assert.is((await store.redeemLink(redeeming({ now: NOW + 30 * MINUTE }))).outcome, 'gone');
    assert.is((await store.findLink('hash_1', NOW))?.id, 'lnk_1', 'none of these uses the link');
    const redeemed = await store.redeemLink(redeeming());
    const ada = {
      ...{ id: 'opr_new', email: ADA, name: 'Ada', isAdmin: true, language: null, theme: null },
      ...{ createdAt: NOW + 1, disabledAt: null },
    };
    const { hash: _, ...record } = link({ makesAdmin: true });
    assert.equal(redeemed, { outcome: 'ok', operator: ada, isNew: true, startsSession: true, link: record });
    assert.equal(await store.redeemLink(redeeming()), { outcome: 'gone' });
    assert.equal(await store.findOperator('opr_new'), ada);
    assert.equal(await store.findOperatorByEmail('ADA@Mail.example'), ada);
    assert.equal(await store.listOperators(), [{ ...ada, passkeys: 0, sessions: 0, lastSeenAt: null }]);
    assert.is(await store.findOperator('opr_none'), null);
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
    assert.equal(await store.teamsOf(admin.id), []);
    const redeemed = await store.redeemLink(redeeming({ signedIn: admin.id }));
    assert.equal(redeemed.outcome === 'ok' && [redeemed.operator.id, redeemed.startsSession], [
      admin.id,
      false,
    ]);
    assert.equal(
      (await store.teamsOf(admin.id)).map(({ id, name, role }) => [id, name, role]),
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
      const ids = async (now: number) => (await store.listInvitations(FIRST_TEAM, now)).map(({ id }) => id);
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
      await store.touchSession('ses_1', NOW + 5);
      await store.touchSession('ses_1', NOW + 4);
      assert.is((await store.listSessions(ada.id, NOW, IDLE))[0]?.seenAt, NOW + 5);
      await store.stepUp('ses_1', NOW + 9);
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

  check('disabling ends sessions, ceremonies and links; the last admin stays', async ({ store }) => {
    const root = await operator(store, 'root', { makesAdmin: true });
    const ada = await operator(store, 'ada', { makesAdmin: true });
    await store.startSession(session(), 10);
    await store.createLink(link({ operatorId: ada.id }));
    const ceremony = { browser: 'b', challenge: 'c', purpose: 'register', operatorId: ada.id } as const;
    await store.startCeremony({ ...ceremony, expiresAt: NOW + MINUTE });
    const disabled = await store.updateOperator(ada.id, { disabledAt: NOW });
    assert.is(typeof disabled === 'object' && disabled?.disabledAt, NOW);
    assert.equal(await store.listSessions(ada.id, NOW, IDLE), []);
    assert.is(await store.endCeremony('b', 'register', NOW), null);
    await store.updateOperator(ada.id, { disabledAt: null });
    assert.is(await store.findLink('hash_1', NOW), null, 'enabling brings no link back');
    await store.updateOperator(ada.id, { disabledAt: NOW });
    for (const change of [{ isAdmin: false }, { disabledAt: NOW }])
      assert.is(await store.updateOperator(root.id, change), 'last_admin');
    assert.equal(await store.findOperator(root.id), root);
    assert.is(await store.updateOperator(root.id, { email: 'ADA@mail.example' }), 'email_taken');
    const renamed = await store.updateOperator(root.id, {
      name: 'R',
      email: 'Root@mail.example',
      theme: 'dark',
    });
    assert.equal(renamed, { ...root, name: 'R', email: 'Root@mail.example', theme: 'dark' });
    assert.is(await store.updateOperator('opr_none', { name: 'x' }), null);
  });

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
    assert.equal(await store.findPasskey('credential_1'), passkey());
    assert.is(await store.findPasskey('credential_9'), null);
    for (const [operatorId, done] of [
      ['opr_grace', false],
      ['opr_ada', true],
    ] as const)
      assert.is(await store.labelPasskey(operatorId, 'psk_1', 'Phone'), done);
    assert.equal(
      (await store.listPasskeys('opr_ada')).map(({ label }) => label),
      ['Phone', 'Laptop'],
    );
    assert.is(await store.deletePasskey('opr_grace', 'psk_1'), false);
    assert.is(await store.deletePasskey('opr_ada', 'psk_1'), true);
    assert.is((await store.listOperators())[0]?.passkeys, 1);
  });

  check('a counter only grows, unless a passkey has none', async ({ store }) => {
    await operator(store, 'ada');
    await store.addPasskey(passkey(), 9);
    assert.is(await store.usePasskey('psk_1', 0, NOW + 1), true);
    assert.is(await store.usePasskey('psk_1', 7, NOW + 2), true);
    for (const counter of [7, 6, 0]) assert.is(await store.usePasskey('psk_1', counter, NOW + 3), false);
    assert.is(await store.usePasskey('psk_none', 9, NOW), false);
    const used = await store.findPasskey('credential_1');
    assert.equal([used?.counter, used?.lastUsedAt], [7, NOW + 2]);
  });

  check('a ceremony is consumed once, for its purpose and browser, before it ends', async ({ store }) => {
    const ceremony = { browser: 'b', challenge: 'c', operatorId: null, expiresAt: NOW + MINUTE };
    await store.startCeremony({ ...ceremony, challenge: 'old', purpose: 'sign-in' });
    await store.startCeremony({ ...ceremony, purpose: 'sign-in' });
    assert.is(await store.endCeremony('b', 'step-up', NOW), null);
    assert.is(await store.endCeremony('other', 'sign-in', NOW), null);
    assert.is(await store.endCeremony('b', 'sign-in', NOW + MINUTE), null);
    assert.equal(await store.endCeremony('b', 'sign-in', NOW), { ...ceremony, purpose: 'sign-in' });
    assert.is(await store.endCeremony('b', 'sign-in', NOW), null);
  });

  check('recovery codes are replaced together, and each is used once, by its operator', async ({ store }) => {
    await operator(store, 'ada');
    await operator(store, 'grace');
    await store.setRecoveryCodes('opr_ada', ['old'], NOW);
    await store.setRecoveryCodes('opr_ada', ['one', 'two'], NOW);
    assert.is(await store.countRecoveryCodes('opr_ada'), 2);
    assert.is(await store.useRecoveryCode('opr_ada', 'old'), false);
    assert.is(await store.useRecoveryCode('opr_grace', 'one'), false);
    assert.is(await store.useRecoveryCode('opr_ada', 'one'), true);
    assert.is(await store.useRecoveryCode('opr_ada', 'one'), false);
    assert.is(await store.countRecoveryCodes('opr_ada'), 1);
  });

  check('teams: the first is always there, others go without apps only', async ({ store }) => {
    const ada = await operator(store, 'ada');
    const first = { id: FIRST_TEAM, name: 'Operators', createdAt: 0 };
    assert.equal(await store.listTeams(null), [{ ...first, members: 0, apps: 2 }]);
    await store.createTeam({ id: 'team_b', name: 'B', createdAt: NOW });
    await store.setMember('team_b', ada.id, 'owner', NOW);
    assert.equal(
      (await store.listTeams(ada.id)).map(({ name, members, apps }) => [name, members, apps]),
      [['B', 1, 0]],
    );
    assert.equal(await store.renameTeam('team_b', 'Bee'), { id: 'team_b', name: 'Bee', createdAt: NOW });
    assert.is((await store.findTeam('team_b'))?.name, 'Bee');
    assert.is(await store.renameTeam('team_none', 'x'), null);
    await store.createLink(link({ teamId: 'team_b', role: 'viewer', email: 'b@mail.example' }));
    assert.is(await store.deleteTeam(FIRST_TEAM), 'first_team');
    assert.is(await store.deleteTeam('team_none'), 'no_such_team');
    assert.is(await store.deleteTeam('team_b'), 'deleted');
    assert.equal([await store.teamsOf(ada.id), await store.findLink('hash_1', NOW)], [[], null]);
  });

  check('the last owner who is not disabled stays an owner', async ({ store }) => {
    await operator(store, 'root', { makesAdmin: true });
    for (const name of ['ada', 'grace']) await operator(store, name);
    await store.setMember(FIRST_TEAM, 'opr_ada', 'owner', NOW);
    assert.is(await store.setMember(FIRST_TEAM, 'opr_ada', 'viewer', NOW), 'last_owner');
    assert.is(await store.removeMember(FIRST_TEAM, 'opr_ada'), 'last_owner');
    await store.setMember(FIRST_TEAM, 'opr_grace', 'owner', NOW);
    await store.updateOperator('opr_grace', { disabledAt: NOW });
    assert.is(await store.removeMember(FIRST_TEAM, 'opr_ada'), 'last_owner', 'nobody else can sign in');
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
    assert.is(await store.removeMember(FIRST_TEAM, 'opr_ada'), 'ok');
    assert.is(await store.removeMember(FIRST_TEAM, 'opr_ada'), 'no_such_member');
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
      await store.startCeremony({ browser, challenge: 'c', purpose: 'sign-in', operatorId: null, expiresAt });
    assert.is(await store.deleteEnded(NOW, IDLE, 3), 3, 'not more than asked for');
    assert.is(await store.deleteEnded(NOW, IDLE, 100), 1);
    assert.equal(
      (await store.listSessions('opr_ada', 0, 0)).map(({ id }) => id),
      ['ses_1'],
    );
    assert.is((await store.findLink('hash_1', NOW))?.id, 'lnk_1');
    assert.ok(await store.endCeremony('open', 'sign-in', NOW));
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
      await store.startCeremony({
        ...{ browser: 'b', challenge: 'c', purpose: 'sign-in', operatorId: null, expiresAt: NOW + 1 },
      });
      const ended = await atOnce(one => one.endCeremony('b', 'sign-in', NOW));
      assert.is(ended.filter(each => each !== null).length, 1);
      await store.setRecoveryCodes('opr_ada', ['one'], NOW);
      const used = await atOnce(one => one.useRecoveryCode('opr_ada', 'one'));
      assert.is(used.filter(Boolean).length, 1);
      await store.addPasskey(passkey(), 9);
      const counted = await atOnce(one => one.usePasskey('psk_1', 1, NOW));
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
      store.removeMember(FIRST_TEAM, 'opr_ada'),
      other.removeMember(FIRST_TEAM, 'opr_grace'),
    ]);
    assert.equal([...left].sort(), ['last_owner', 'ok']);
    const demoted = await Promise.all([
      store.updateOperator('opr_ada', { isAdmin: false }),
      other.updateOperator('opr_grace', { disabledAt: NOW }),
    ]);
    assert.is(demoted.filter(each => each === 'last_admin').length, 1);
  });
}
