/**
 * One-time links, in SQL. An invitation never signs in an operator who exists: otherwise an owner who invites the
 * address of an admin would become that admin.
 */
import type { LinkRecord, OperatorRecord, OperatorStore, Redeemed, Redeeming } from '../../../ports/store.ts';
import type { Role } from '../../../protocol/portal/roles.ts';
import type { Sql } from '../driver.ts';
import { OPERATORS } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { findOperator, findOperatorByEmail, insertOperator } from './operators.ts';
import { setMember } from './teams.ts';

interface LinkRow {
  id: string;
  email: string | null;
  operator_id: string | null;
  team_id: string | null;
  role: Role | null;
  makes_admin: number;
  made_by: string;
  created_at: number;
  expires_at: number;
}

const LINK = 'id, email, operator_id, team_id, role, makes_admin, made_by, created_at, expires_at';

export const linkStore = (({ driver }) => ({
  createLink: link =>
    driver.write(OPERATORS, async sql => {
      if (link.teamId !== null && !(await mayInvite(sql, link.madeBy, link.teamId))) return false;
      const { email, operatorId, teamId } = link;
      if (operatorId !== null) await sql.run('DELETE FROM operator_links WHERE operator_id = $1', operatorId);
      if (teamId !== null && email !== null)
        await sql.run(
          'DELETE FROM operator_links WHERE team_id = $1 AND LOWER(email) = $2',
          teamId,
          email.toLowerCase(),
        );
      await sql.run(
        `INSERT INTO operator_links (${LINK}, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        link.id,
        email,
        operatorId,
        teamId,
        link.role,
        link.makesAdmin ? 1 : 0,
        link.madeBy,
        link.createdAt,
        link.expiresAt,
        link.hash,
      );
      return true;
    }),

  async listInvitations(teamId, now) {
    const rows = await driver.read.all<LinkRow>(
      `SELECT ${LINK} FROM operator_links WHERE team_id = $1 AND expires_at > $2 ORDER BY created_at, id`,
      teamId,
      now,
    );
    return rows.map(linkOf);
  },

  async withdrawInvitation(teamId, id) {
    // Somebody may be redeeming it.
    const gone = await driver.write(OPERATORS, sql =>
      sql.run('DELETE FROM operator_links WHERE id = $1 AND team_id = $2', id, teamId),
    );
    return gone === 1;
  },

  findLink: (hash, now) => findLink(driver.read, hash, now),

  redeemLink: redeeming =>
    driver.write(OPERATORS, async sql => {
      const link = await findLink(sql, redeeming.hash, redeeming.now);
      if (!link) return { outcome: 'gone' };
      const opened = await open(sql, link, redeeming);
      if (opened.outcome === 'ok') await sql.run('DELETE FROM operator_links WHERE id = $1', link.id);
      return opened;
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

async function open(sql: Sql, link: LinkRecord, redeeming: Redeeming): Promise<Redeemed> {
  const { signedIn, now } = redeeming;
  if (link.operatorId !== null) {
    const operator = await findOperator(sql, link.operatorId);
    if (!operator || operator.disabledAt !== null) return { outcome: 'gone' };
    return { outcome: 'ok', operator, isNew: false, startsSession: signedIn !== operator.id, link };
  }
  const email = link.email ?? redeeming.email;
  const owner = email === null ? null : await findOperatorByEmail(sql, email);
  if (link.teamId !== null && link.role !== null && owner) {
    if (signedIn !== owner.id) return { outcome: 'sign_in_first' };
    if (!(await keepsRole(sql, link.teamId, owner.id)))
      await setMember(sql, link.teamId, owner.id, link.role, now);
    return { outcome: 'ok', operator: owner, isNew: false, startsSession: false, link };
  }
  if (owner) return { outcome: 'email_taken' };
  if (email === null) return { outcome: 'email_missing' };
  if (redeeming.name === null) return { outcome: 'name_missing' };
  const operator: OperatorRecord = {
    id: redeeming.newId,
    email,
    name: redeeming.name,
    isAdmin: link.makesAdmin,
    language: null,
    theme: null,
    createdAt: now,
    disabledAt: null,
  };
  await insertOperator(sql, operator);
  if (link.teamId !== null && link.role !== null)
    await setMember(sql, link.teamId, operator.id, link.role, now);
  return { outcome: 'ok', operator, isNew: true, startsSession: true, link };
}

/** Whoever is removed in this moment leaves no invitation behind. Commands always may. */
async function mayInvite(sql: Sql, madeBy: string, teamId: string): Promise<boolean> {
  const operator = await findOperator(sql, madeBy);
  if (!operator) return true;
  if (operator.disabledAt !== null) return false;
  if (operator.isAdmin) return true;
  const owning = "SELECT 1 FROM members WHERE team_id = $1 AND operator_id = $2 AND role = 'owner'";
  return (await sql.get(owning, teamId, madeBy)) !== undefined;
}

/** An invitation adds; it does not take a role away from somebody who has one. */
async function keepsRole(sql: Sql, teamId: string, operatorId: string): Promise<boolean> {
  const row = await sql.get(
    'SELECT 1 FROM members WHERE team_id = $1 AND operator_id = $2',
    teamId,
    operatorId,
  );
  return row !== undefined;
}

async function findLink(sql: Sql, hash: string, now: number): Promise<LinkRecord | null> {
  const row = await sql.get<LinkRow>(
    `SELECT ${LINK} FROM operator_links WHERE hash = $1 AND expires_at > $2`,
    hash,
    now,
  );
  return row ? linkOf(row) : null;
}

function linkOf(row: LinkRow): LinkRecord {
  return {
    id: row.id,
    email: row.email,
    operatorId: row.operator_id,
    teamId: row.team_id,
    role: row.role,
    makesAdmin: row.makes_admin === 1,
    madeBy: row.made_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
