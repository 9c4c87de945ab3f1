/** Teams and their members, in SQL. */
import type { OperatorStore } from '../../../ports/store.ts';
import { FIRST_TEAM } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import type { Sql } from '../driver.ts';
import { rowMac } from '../keys/guarded.ts';
import { OPERATORS, ROWS, SERVICE } from '../scope.ts';
import { appendDone } from './audit.ts';
import type { StoreContext } from './context.ts';
import { believedMembers, endLinksMadeBy, OPERATOR, type OperatorRow, operatorOf } from './operators.ts';

interface TeamRow {
  id: string;
  name: string;
  created_at: number;
}

export const teamStore = (({ driver, vault }) => ({
  async listTeams(of) {
    const { id: teamId = null, operatorId = null }: { id?: string | null; operatorId?: string | null } =
      of ?? {};
    const rows = await driver.read.all<TeamRow & { members: number; apps: number }>(
      `SELECT id, name, created_at, (SELECT COUNT(*) FROM members WHERE team_id = teams.id) AS members,
         (SELECT COUNT(*) FROM apps WHERE team_id = teams.id AND importing = 0) AS apps
       FROM teams WHERE (CAST($1 AS TEXT) IS NULL OR id = $1) AND (CAST($2 AS TEXT) IS NULL
         OR id IN (SELECT team_id FROM members WHERE operator_id = $2)) ORDER BY name, id`,
      teamId,
      operatorId,
    );
    const own =
      operatorId === null ? null : await believedMembers(driver.read, vault, 'operator_id', operatorId);
    return rows.flatMap(({ id, name, created_at: createdAt, members, apps }) => {
      const role = own?.find(({ team_id }) => team_id === id)?.role ?? null;
      return own && !role ? [] : [{ id, name, createdAt, members, apps, role }];
    });
  },

  createTeam: ({ id, name, createdAt }, entry) =>
    driver.write(ROWS, async sql => {
      await sql.run('INSERT INTO teams (id, name, created_at) VALUES ($1, $2, $3)', id, name, createdAt);
      await appendDone(sql, vault, entry);
    }),

  // An app could be created meanwhile, so the whole service is in the scope.
  updateTeam: (id, change, entry) =>
    driver.write(change ? ROWS : SERVICE, async sql => {
      if (change) {
        const renamed = await sql.run('UPDATE teams SET name = $1 WHERE id = $2', change.name, id);
        if (renamed === 0) return 'no_such_team';
        await appendDone(sql, vault, entry);
        return 'ok';
      }
      if (id === FIRST_TEAM) return 'first_team';
      if (!(await sql.get('SELECT 1 FROM teams WHERE id = $1', id))) return 'no_such_team';
      if (await sql.get('SELECT 1 FROM apps WHERE team_id = $1 LIMIT 1', id)) return 'has_apps';
      await sql.run('DELETE FROM operator_links WHERE team_id = $1', id);
      await sql.run('DELETE FROM members WHERE team_id = $1', id);
      await sql.run('DELETE FROM teams WHERE id = $1', id);
      await appendDone(sql, vault, entry);
      return 'ok';
    }),

  async listMembers(teamId) {
    const members = await believedMembers(driver.read, vault, 'team_id', teamId);
    const rows = await membersOf(driver.read, teamId);
    return rows.flatMap(row => {
      const member = members.find(each => each.operator_id === row.id);
      if (!member) return [];
      return [{ operator: operatorOf(vault, row), role: member.role, addedAt: member.added_at }];
    });
  },

  setMember: (teamId, operatorId, role, at, entry) =>
    driver.write(OPERATORS, async sql => {
      if (role !== 'owner') {
        if (await isLastOwner(sql, vault, teamId, operatorId)) return 'last_owner';
        await endLinksMadeBy(sql, operatorId, teamId);
      }
      const isDone =
        role === null
          ? await sql.run('DELETE FROM members WHERE team_id = $1 AND operator_id = $2', teamId, operatorId)
          : await setMember(sql, vault, teamId, operatorId, role, at);
      if (!isDone) return 'no_such_member';
      await appendDone(sql, vault, entry);
      return 'ok';
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

/** False if there is no such team or operator. */
export async function setMember(
  sql: Sql,
  secrets: Secrets,
  teamId: string,
  operatorId: string,
  role: Role,
  at: number,
): Promise<boolean> {
  const changed = await sql.run(
    `INSERT INTO members (team_id, operator_id, role, added_at, mac)
     SELECT t.id, o.id, CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS TEXT) FROM teams t, operators o WHERE t.id = $1 AND o.id = $2
     ON CONFLICT (team_id, operator_id) DO UPDATE SET role = excluded.role, mac = excluded.mac`,
    teamId,
    operatorId,
    role,
    at,
    rowMac(secrets, 'members', { team_id: teamId, operator_id: operatorId, role }),
  );
  return changed === 1;
}

/** Whether the operator is an owner of the team, and the only one who is not disabled. */
async function isLastOwner(sql: Sql, secrets: Secrets, teamId: string, operatorId: string): Promise<boolean> {
  const members = await believedMembers(sql, secrets, 'team_id', teamId);
  const owners = new Set(members.filter(({ role }) => role === 'owner').map(member => member.operator_id));
  const others = (await membersOf(sql, teamId)).map(row => operatorOf(secrets, row));
  const isOwner = owners.has(operatorId);
  return (
    isOwner &&
    !others.some(({ id, disabledAt }) => id !== operatorId && owners.has(id) && disabledAt === null)
  );
}

/** By name. Of all memberships, also those that the service did not store. */
function membersOf(sql: Sql, teamId: string): Promise<OperatorRow[]> {
  return sql.all<OperatorRow>(
    `SELECT ${OPERATOR} FROM operators WHERE id IN (SELECT operator_id FROM members WHERE team_id = $1)
     ORDER BY name, id`,
    teamId,
  );
}
