/** Operators of the portal, in SQL. Rows that the service did not write are not believed (../keys/guarded.ts). */
import type { OperatorKey, OperatorRecord, OperatorStore, TeamMembership } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import type { Sql } from '../driver.ts';
import { insertGuarded, isBelieved, rowMac } from '../keys/guarded.ts';
import { OPERATORS } from '../scope.ts';
import { appendDone } from './audit.ts';
import { columnsOf, type RowOf } from './columns.ts';
import type { StoreContext } from './context.ts';

export type OperatorRow = RowOf<OperatorRecord> & { readonly email_key: string; readonly mac: string | null };

const columns = columnsOf<OperatorRecord>({
  id: 'plain',
  email: 'plain',
  name: 'plain',
  isAdmin: 'flag',
  language: 'plain',
  theme: 'plain',
  createdAt: 'plain',
  disabledAt: 'plain',
  invitedBy: 'plain',
  emailChangedAt: 'plain',
});
export const OPERATOR = [...columns.names, 'email_key', 'mac'].join(', ');

export const operatorStore = (({ driver, vault }) => ({
  async listOperators(by?: OperatorKey) {
    const [column, ...values] = by ? termOf(by) : [];
    const rows = await driver.read.all<
      OperatorRow & { passkeys: number; recovery_codes: number; sessions: number; seen_at: number | null }
    >(
      `SELECT ${OPERATOR},
         (SELECT COUNT(*) FROM passkeys WHERE operator_id = operators.id) AS passkeys,
         (SELECT COUNT(*) FROM recovery_codes WHERE operator_id = operators.id) AS recovery_codes,
         (SELECT COUNT(*) FROM operator_sessions WHERE operator_id = operators.id) AS sessions,
         (SELECT MAX(seen_at) FROM operator_sessions WHERE operator_id = operators.id) AS seen_at
       FROM operators ${column ? `WHERE ${column} = $1` : ''} ORDER BY created_at, id`,
      ...values,
    );
    return rows.map(({ passkeys, recovery_codes, sessions, seen_at, ...row }) => ({
      ...operatorOf(vault, row),
      passkeys,
      recoveryCodes: recovery_codes,
      sessions,
      lastSeenAt: seen_at,
    }));
  },

  updateOperator: (id, change, entry) =>
    driver.write(OPERATORS, async sql => {
      const before = await findOperator(sql, vault, { id });
      if (!before) return null;
      const after = { ...before, ...change };
      const owner = await findOperator(sql, vault, { email: after.email });
      if (owner && owner.id !== id) return 'email_taken';
      if (isActiveAdmin(before) && !isActiveAdmin(after) && (await isLastAdmin(sql, vault, id)))
        return 'last_admin';
      const row = rowOf(after);
      await sql.run(
        `UPDATE operators SET email = $1, email_key = $2, name = $3, is_admin = $4, language = $5, theme = $6,
           disabled_at = $7, email_changed_at = $8, mac = $9 WHERE id = $10`,
        row.email,
        row.email_key,
        row.name,
        row.is_admin,
        row.language,
        row.theme,
        row.disabled_at,
        row.email_changed_at,
        rowMac(vault, 'operators', row),
        id,
      );
      if (after.disabledAt !== null)
        for (const table of ['operator_sessions', 'operator_links'])
          await sql.run(`DELETE FROM ${table} WHERE operator_id = $1`, id);
      const isDemoted = before.isAdmin && !after.isAdmin;
      if (isDemoted || after.disabledAt !== null) await endLinksMadeBy(sql, id, null);
      await appendDone(sql, vault, entry);
      return after;
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

const termOf = (by: OperatorKey): [column: string, value: string] =>
  'id' in by ? ['id', by.id] : ['email_key', by.email.toLowerCase()];

export async function findOperator(
  sql: Sql,
  secrets: Secrets,
  by: OperatorKey,
): Promise<OperatorRecord | null> {
  const [column, value] = termOf(by);
  const row = await sql.get<OperatorRow>(`SELECT ${OPERATOR} FROM operators WHERE ${column} = $1`, value);
  return row ? operatorOf(secrets, row) : null;
}

/** Open links, of one team or of all (null), of somebody who may no longer make them. */
export async function endLinksMadeBy(sql: Sql, operatorId: string, teamId: string | null): Promise<void> {
  await sql.run(
    'DELETE FROM operator_links WHERE made_by = $1 AND (team_id = $2 OR CAST($2 AS TEXT) IS NULL)',
    operatorId,
    teamId,
  );
}

export async function insertOperator(sql: Sql, secrets: Secrets, operator: OperatorRecord): Promise<void> {
  await insertGuarded(sql, secrets, 'operators', rowOf(operator));
}

/** Memberships that the service has stored. */
export async function believedMembers(
  sql: Sql,
  secrets: Secrets,
  of: 'team_id' | 'operator_id',
  id: string,
): Promise<MemberRow[]> {
  const rows = await sql.all<MemberRow>(
    `SELECT team_id, operator_id, role, added_at, mac FROM members WHERE ${of} = $1`,
    id,
  );
  return rows.filter(row => isBelieved(secrets, 'members', row));
}

type MemberRow = {
  team_id: string;
  operator_id: string;
  role: Role;
  added_at: number;
  mac: string | null;
};

export async function teamsOf(sql: Sql, secrets: Secrets, operatorId: string): Promise<TeamMembership[]> {
  const members = await believedMembers(sql, secrets, 'operator_id', operatorId);
  if (members.length === 0) return [];
  const teams = await sql.all<{ id: string; name: string; created_at: number }>(
    `SELECT id, name, created_at FROM teams
     WHERE id IN (SELECT team_id FROM members WHERE operator_id = $1) ORDER BY name, id`,
    operatorId,
  );
  return teams.flatMap(({ id, name, created_at: createdAt }) => {
    const role = members.find(member => member.team_id === id)?.role;
    return role ? [{ id, name, createdAt, role }] : [];
  });
}

/** One that the service did not write is disabled and no admin, until somebody enables it. */
export function operatorOf(secrets: Secrets, row: OperatorRow): OperatorRecord {
  const operator = columns.recordOf(row);
  if (isBelieved(secrets, 'operators', row)) return operator;
  return { ...operator, isAdmin: false, disabledAt: operator.disabledAt ?? operator.createdAt };
}

function rowOf(operator: OperatorRecord) {
  return { ...columns.rowOf(operator), email_key: operator.email.toLowerCase() };
}

const isActiveAdmin = ({ isAdmin, disabledAt }: OperatorRecord) => isAdmin && disabledAt === null;

async function isLastAdmin(sql: Sql, secrets: Secrets, id: string): Promise<boolean> {
  const others = await sql.all<OperatorRow>(
    `SELECT ${OPERATOR} FROM operators WHERE is_admin = 1 AND disabled_at IS NULL AND id <> $1`,
    id,
  );
  return !others.some(row => isActiveAdmin(operatorOf(secrets, row)));
}
