/** Teams, members, operators and accounts: what may change, and who must stay. */
import * as assert from 'uvu/assert';
import { updateAccount } from '../../../src/domain/access/account.ts';
import { changeOperator, listOperators } from '../../../src/domain/access/operators.ts';
import {
  allTeams,
  changeRole,
  createTeam,
  deleteTeam,
  membersOf,
  removeMember,
  renameTeam,
  teamsFor,
} from '../../../src/domain/access/teams.ts';
import { FIRST_TEAM } from '../../../src/ports/store.ts';
import { suite } from '../../support/suite.ts';
import { portalFor, refused } from './operated.ts';

const test = suite('operators: teams');
const portal = portalFor(test);

test('the last admin stays one, and can sign in', async () => {
  const { deps } = portal;
  const first = (await portal.operator('Ada', { admin: true })).signedIn.operator;
  for (const change of [{ disabled: true }, { isAdmin: false }])
    await refused('last_admin', () => changeOperator(deps, first.id, change));
  const second = (await portal.operator('Ben', { admin: true })).signedIn.operator;
  await changeOperator(deps, second.id, { disabled: true });
  await refused(
    'last_admin',
    () => changeOperator(deps, first.id, { disabled: true }),
    'a disabled one is none',
  );
  await changeOperator(deps, second.id, { disabled: false });
  await changeOperator(deps, first.id, { isAdmin: false });
  assert.equal((await listOperators(deps)).map(({ name, isAdmin }) => [name, isAdmin]).sort(), [
    ['Ada', false],
    ['Ben', true],
  ]);
  await refused('not_found', () => changeOperator(deps, 'opr_nobody', { disabled: true }));
});

test('disabling again does not move the moment', async () => {
  const { deps, clock } = portal;
  const { id } = (await portal.operator('Cleo')).signedIn.operator;
  const first = await changeOperator(deps, id, { disabled: true });
  clock.time += 1_000;
  assert.is((await changeOperator(deps, id, { disabled: true })).disabledAt, first.disabledAt);
});

test('the last owner of a team stays one', async () => {
  const { deps, clock } = portal;
  const team = await createTeam(deps, 'Shop');
  const [dan, eva] = [await portal.operator('Dan'), await portal.operator('Eva')];
  const [one, two] = [dan.signedIn.operator.id, eva.signedIn.operator.id];
  await deps.store.setMember(team.id, one, 'owner', clock.time);
  await deps.store.setMember(team.id, two, 'developer', clock.time);
  await refused('last_owner', () => changeRole(deps, team.id, one, 'viewer'));
  await refused('last_owner', () => removeMember(deps, team.id, one));
  assert.is((await changeRole(deps, team.id, two, 'owner')).role, 'owner');
  await removeMember(deps, team.id, one);
  assert.equal(
    (await membersOf(deps, team.id)).map(({ operator, role }) => [operator.name, role]),
    [['Eva', 'owner']],
  );
  await refused('not_found', () => changeRole(deps, team.id, one, 'viewer'));
  await refused('not_found', () => removeMember(deps, team.id, one));
  await refused('not_found', () => membersOf(deps, 'team_none'));
  await refused('invalid_request', () => changeRole(deps, team.id, two, 'admin'));
});

test('teams: names, who sees which, and only an empty one is deleted', async () => {
  const { deps, clock } = portal;
  const { signedIn } = await portal.operator('Fay');
  const team = await createTeam(deps, 'Mine');
  await deps.store.setMember(team.id, signedIn.operator.id, 'viewer', clock.time);
  assert.equal(
    (await teamsFor(deps, signedIn)).map(({ id }) => id),
    [team.id],
  );
  const admin = { ...signedIn, operator: { ...signedIn.operator, isAdmin: true } };
  assert.is((await teamsFor(deps, admin)).length, (await allTeams(deps)).length);
  assert.is((await renameTeam(deps, team.id, 'Ours')).name, 'Ours');
  for (const name of ['', ' x', 'a\nb', 'x'.repeat(101), 'Bo\u202ess', 'Boss\u200b', '\ufeffBoss']) {
    await refused('invalid_request', () => createTeam(deps, name));
    await refused('invalid_request', () => renameTeam(deps, team.id, name));
  }
  await refused('not_found', () => renameTeam(deps, 'team_none', 'x'));
  await refused('invalid_request', () => deleteTeam(deps, FIRST_TEAM));
  await deleteTeam(deps, team.id);
  await refused('not_found', () => deleteTeam(deps, team.id));
});

test('the own account: name, language and theme at once; nobody changes their own address', async () => {
  const { deps, clock } = portal;
  const { signedIn } = await portal.operator('Gil');
  const { signedIn: admin } = await portal.operator('Hal', { admin: true });
  const plain = await updateAccount(deps, signedIn, { name: 'Gilda', language: 'es', theme: 'dark' });
  assert.equal([plain.name, plain.language, plain.theme], ['Gilda', 'es', 'dark']);
  assert.is((await updateAccount(deps, signedIn, { language: null })).language, null);
  const { id, email } = signedIn.operator;
  assert.is((await updateAccount(deps, signedIn, { email: ` ${email} ` })).email, email);
  for (const own of [signedIn, admin])
    await refused('forbidden', () => updateAccount(deps, own, { email: 'new@example.com' }));
  const change = { email: 'new@example.com' };
  await refused('forbidden', () => changeOperator(deps, admin.operator.id, change, admin.operator.id));
  await refused('email_taken', () =>
    changeOperator(deps, id, { email: 'HAL@example.com' }, admin.operator.id),
  );
  const changed = await changeOperator(deps, id, change, admin.operator.id);
  assert.equal([changed.email, changed.emailChangedAt], ['new@example.com', clock.time]);
  for (const change of [{ name: '' }, { email: 'x' }, { language: 'xx' }, { theme: 'pink' }]) {
    const { field } = await refused('invalid_request', () => updateAccount(deps, signedIn, change));
    assert.equal(Object.keys(change), [field]);
  }
});

test.run();
