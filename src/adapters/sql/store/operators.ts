/** Operators of the portal and their sessions, in SQL. A session is read anew for every request. */
import type {
  OperatorRecord,
  OperatorStore,
  SessionMeans,
  SessionRecord,
  TeamMembership,
} from '../../../ports/store.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import type { Sql } from '../driver.ts';
import { OPERATORS, ROWS } from '../scope.ts';
import type { StoreContext } from './context.ts';

export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  is_admin: number;
  language: string | null;
  theme: string | null;
  created_at: number;
  disabled_at: number | null;
}

interface SessionRow {
  id: string;
  operator_id: string;
  means: SessionMeans;
  began_at: number;
  stepped_up_at: number;
  seen_at: number;
  ends_at: number;
  ip: string;
  user_agent: string;
}

export const OPERATOR = 'id, email, name, is_admin, language, theme, created_at, disabled_at';
const SESSION = 'id, operator_id, means, began_at, stepped_up_at, seen_at, ends_at, ip, user_agent';

export const operatorStore = (({ driver }) => ({
  async listOperators() {
    const rows = await driver.read.all<
      OperatorRow & { passkeys: number; sessions: number; seen_at: number | null }
    >(
      `SELECT ${OPERATOR},
         (SELECT COUNT(*) FROM passkeys WHERE operator_id = operators.id) AS passkeys,
         (SELECT COUNT(*) FROM operator_sessions WHERE operator_id = operators.id) AS sessions,
         (SELECT MAX(seen_at) FROM operator_sessions WHERE operator_id = operators.id) AS seen_at
       FROM operators ORDER BY created_at, id`,
    );
    return rows.map(({ passkeys, sessions, seen_at, ...row }) => ({
      ...operatorOf(row),
      passkeys,
      sessions,
      lastSeenAt: seen_at,
    }));
  },

  findOperator: id => findOperator(driver.read, id),
  findOperatorByEmail: email => findOperatorByEmail(driver.read, email),

  updateOperator: (id, change) =>
    driver.write(OPERATORS, async sql => {
      const before = await findOperator(sql, id);
      if (!before) return null;
      const after = { ...before, ...change };
      const owner = await findOperatorByEmail(sql, after.email);
      if (owner && owner.id !== id) return 'email_taken';
      if (isActiveAdmin(before) && !isActiveAdmin(after) && (await isLastAdmin(sql, id))) return 'last_admin';
      await sql.run(
        `UPDATE operators SET email = $1, email_key = $2, name = $3, is_admin = $4, language = $5, theme = $6,
           disabled_at = $7 WHERE id = $8`,
        after.email,
        after.email.toLowerCase(),
        after.name,
        after.isAdmin ? 1 : 0,
        after.language,
        after.theme,
        after.disabledAt,
        id,
      );
      if (after.disabledAt !== null)
        for (const table of ['operator_sessions', 'ceremonies', 'operator_links'])
          await sql.run(`DELETE FROM ${table} WHERE operator_id = $1`, id);
      const isDemoted = before.isAdmin && !after.isAdmin;
      if (isDemoted || after.disabledAt !== null) await endLinksMadeBy(sql, id, null);
      return after;
    }),

  teamsOf: operatorId => teamsOf(driver.read, operatorId),

  startSession: (session, maximum) =>
    driver.write(OPERATORS, async sql => {
      const operator = await findOperator(sql, session.operatorId);
      if (!operator || operator.disabledAt !== null) return false;
      await sql.run(
        `INSERT INTO operator_sessions (${SESSION}, hash, secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        session.id,
        session.operatorId,
        session.means,
        session.beganAt,
        session.steppedUpAt,
        session.seenAt,
        session.endsAt,
        session.ip,
        session.userAgent,
        session.hash,
        session.secretHash,
      );
      await sql.run(
        `DELETE FROM operator_sessions WHERE operator_id = $1 AND id <> $2 AND id NOT IN
           (SELECT id FROM operator_sessions WHERE operator_id = $1 AND id <> $2 ORDER BY began_at DESC, id LIMIT $3)`,
        session.operatorId,
        session.id,
        maximum - 1,
      );
      return true;
    }),

  async findSession(hash, secretHash, now, idleSince) {
    const row = await driver.read.get<SessionRow>(
      `SELECT ${SESSION} FROM operator_sessions
       WHERE hash = $1 AND secret_hash = $2 AND ends_at > $3 AND seen_at > $4`,
      hash,
      secretHash,
      now,
      idleSince,
    );
    const operator = row && (await findOperator(driver.read, row.operator_id));
    if (!operator || operator.disabledAt !== null) return null;
    return { operator, session: sessionOf(row), teams: await teamsOf(driver.read, operator.id) };
  },

  async touchSession(id, at) {
    await driver.write(ROWS, sql =>
      sql.run('UPDATE operator_sessions SET seen_at = $1 WHERE id = $2 AND seen_at < $1', at, id),
    );
  },

  async stepUp(id, at) {
    await driver.write(ROWS, sql =>
      sql.run('UPDATE operator_sessions SET stepped_up_at = $1, seen_at = $1 WHERE id = $2', at, id),
    );
  },

  async listSessions(operatorId, now, idleSince) {
    const rows = await driver.read.all<SessionRow>(
      `SELECT ${SESSION} FROM operator_sessions WHERE operator_id = $1 AND ends_at > $2 AND seen_at > $3
       ORDER BY began_at DESC, id`,
      operatorId,
      now,
      idleSince,
    );
    return rows.map(sessionOf);
  },

  endSessions: (operatorId, id) =>
    driver.write(ROWS, sql =>
      sql.run(
        `DELETE FROM operator_sessions WHERE operator_id = $1 ${id === null ? '' : 'AND id = $2'}`,
        ...(id === null ? [operatorId] : [operatorId, id]),
      ),
    ),

  deleteEnded: (now, idleSince, limit) =>
    driver.write(ROWS, async sql => {
      let deleted = await sql.run(
        `DELETE FROM operator_sessions WHERE id IN
           (SELECT id FROM operator_sessions WHERE ends_at <= $1 OR seen_at <= $2 LIMIT $3)`,
        now,
        idleSince,
        limit,
      );
      for (const [table, key] of [
        ['operator_links', 'id'],
        ['ceremonies', 'browser'],
      ] as const)
        deleted += await sql.run(
          `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE expires_at <= $1 LIMIT $2)`,
          now,
          limit - deleted,
        );
      return deleted;
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

export async function findOperator(sql: Sql, id: string): Promise<OperatorRecord | null> {
  const row = await sql.get<OperatorRow>(`SELECT ${OPERATOR} FROM operators WHERE id = $1`, id);
  return row ? operatorOf(row) : null;
}

export async function findOperatorByEmail(sql: Sql, email: string): Promise<OperatorRecord | null> {
  const row = await sql.get<OperatorRow>(
    `SELECT ${OPERATOR} FROM operators WHERE email_key = $1`,
    email.toLowerCase(),
  );
  return row ? operatorOf(row) : null;
}

/** Open links, of one team or of all (null), of somebody who may no longer make them. */
export async function endLinksMadeBy(sql: Sql, operatorId: string, teamId: string | null): Promise<void> {
  await sql.run(
    'DELETE FROM operator_links WHERE made_by = $1 AND (team_id = $2 OR CAST($2 AS TEXT) IS NULL)',
    operatorId,
    teamId,
  );
}

export async function insertOperator(sql: Sql, operator: OperatorRecord): Promise<void> {
  await sql.run(
    `INSERT INTO operators (id, email, email_key, name, is_admin, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    operator.id,
    operator.email,
    operator.email.toLowerCase(),
    operator.name,
    operator.isAdmin ? 1 : 0,
    operator.createdAt,
  );
}

async function teamsOf(sql: Sql, operatorId: string): Promise<TeamMembership[]> {
  const rows = await sql.all<{ id: string; name: string; created_at: number; role: Role }>(
    `SELECT t.id, t.name, t.created_at, m.role FROM members m JOIN teams t ON t.id = m.team_id
     WHERE m.operator_id = $1 ORDER BY t.name, t.id`,
    operatorId,
  );
  return rows.map(({ id, name, created_at, role }) => ({ id, name, createdAt: created_at, role }));
}

export function operatorOf(row: OperatorRow): OperatorRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isAdmin: row.is_admin === 1,
    language: row.language,
    theme: row.theme,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  };
}

function sessionOf(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    operatorId: row.operator_id,
    means: row.means,
    beganAt: row.began_at,
    steppedUpAt: row.stepped_up_at,
    seenAt: row.seen_at,
    endsAt: row.ends_at,
    ip: row.ip,
    userAgent: row.user_agent,
  };
}

const isActiveAdmin = ({ isAdmin, disabledAt }: OperatorRecord) => isAdmin && disabledAt === null;

async function isLastAdmin(sql: Sql, id: string): Promise<boolean> {
  const other = await sql.get(
    'SELECT 1 FROM operators WHERE is_admin = 1 AND disabled_at IS NULL AND id <> $1 LIMIT 1',
    id,
  );
  return other === undefined;
}
