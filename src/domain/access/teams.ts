/** Teams and their members. Held by test/portal/internal/teams.test.ts. */
import type { ListedTeam, MemberRecord, SignedInOperator, TeamRecord } from '../../ports/store/operators.ts';
import type { Role } from '../../protocol/portal/roles.ts';
import { newId } from '../ids.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedName, checkedRole } from './fields.ts';
import { lastOwner, notFound, PortalRefusal } from './refusal.ts';

type Some = Pick<OperatorDeps, 'store' | 'entry'>;

/** An admin sees all teams, everybody else their own. */
export function teamsFor({ store }: Some, { operator }: SignedInOperator): Promise<ListedTeam[]> {
  return store.listTeams(operator.isAdmin ? null : { operatorId: operator.id });
}

/** @throws PortalRefusal not_found */
export async function findTeam({ store }: Some, id: string): Promise<TeamRecord> {
  const [team] = await store.listTeams({ id });
  if (!team) throw notFound('team');
  return team;
}

/** @throws PortalRefusal invalid_request */
export async function createTeam(
  { store, entry, random, clock }: Pick<OperatorDeps, 'store' | 'entry' | 'random' | 'clock'>,
  name: string,
  id = newId(random, 'team'),
): Promise<TeamRecord> {
  const team = { id, name: checkedName(name), createdAt: clock.now() };
  await store.createTeam(team, entry);
  return team;
}

/** @throws PortalRefusal invalid_request, not_found */
export async function renameTeam(deps: Some, id: string, name: string): Promise<TeamRecord> {
  await deps.store.updateTeam(id, { name: checkedName(name) }, deps.entry);
  return findTeam(deps, id);
}

/** Only a team without apps. @throws PortalRefusal not_found, invalid_request */
export async function deleteTeam({ store, entry }: Some, id: string): Promise<void> {
  switch (await store.updateTeam(id, null, entry)) {
    case 'ok':
      return;
    case 'no_such_team':
      throw notFound('team');
    case 'has_apps':
      throw new PortalRefusal('invalid_request', 'The team has apps. Move or delete them first.');
    case 'first_team':
      throw new PortalRefusal(
        'invalid_request',
        'This team owns the apps that commands create, so it stays. Rename it instead.',
      );
  }
}

/** @throws PortalRefusal not_found */
export async function membersOf(deps: Some, teamId: string): Promise<MemberRecord[]> {
  await findTeam(deps, teamId);
  return deps.store.listMembers(teamId);
}

/** Of somebody who is a member. @throws PortalRefusal invalid_request, not_found, last_owner */
export async function changeRole(
  deps: Pick<OperatorDeps, 'store' | 'entry' | 'clock'>,
  teamId: string,
  operatorId: string,
  role: string,
): Promise<MemberRecord> {
  const checked = checkedRole(role);
  const member = (await membersOf(deps, teamId)).find(({ operator }) => operator.id === operatorId);
  if (!member) throw notFound('member');
  await setMember(deps, teamId, operatorId, checked);
  return { ...member, role: checked };
}

/** @param role null: removes the member @throws PortalRefusal not_found, last_owner */
export async function setMember(
  { store, entry, clock }: Pick<OperatorDeps, 'store' | 'entry' | 'clock'>,
  teamId: string,
  operatorId: string,
  role: Role | null,
): Promise<void> {
  const outcome = await store.setMember(teamId, operatorId, role, clock.now(), entry);
  if (outcome === 'no_such_member') throw notFound('member');
  if (outcome === 'last_owner') throw lastOwner();
}
