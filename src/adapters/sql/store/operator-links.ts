/**
 * One-time links, in SQL. An invitation never signs in an operator who exists: otherwise an owner who invites the
 * address of an admin would become that admin.
 */
import type { LinkRecord, OperatorRecord, OperatorStore, Redeemed, Redeeming } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import type { Sql } from '../driver.ts';
import { insertGuarded, isBelieved, keyedHash } from '../keys/guarded.ts';
import { OPERATORS } from '../scope.ts';
import { appendDone } from './audit.ts';
import { columnsOf, type RowOf } from './columns.ts';
import type { StoreContext } from './context.ts';
import { believedMembers, findOperator, insertOperator } from './operators.ts';
import { setMember } from './teams.ts';

type LinkRow = RowOf<LinkRecord> & { readonly hash: string; readonly mac: string | null };

const columns = columnsOf<LinkRecord>({
  id: 'plain',
  email: 'plain',
  operatorId: 'plain',
  teamId: 'plain',
  role: 'plain',
  makesAdmin: 'flag',
  madeBy: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
});
const LINK = [...columns.names, 'hash', 'mac'].join(', ');

export const linkStore = (({ driver, vault }) => ({
  createLink: (link, entry) =>
    driver.write(OPERATORS, async sql => {
      if (link.teamId !== null && !(await mayInvite(sql, vault, link.madeBy, link.teamId))) return false;
      const { email, operatorId, teamId } = link;
      if (operatorId !== null) await sql.run('DELETE FROM operator_links WHERE operator_id = $1', operatorId);
      if (teamId !== null && email !== null)
        await sql.run(
          'DELETE FROM operator_links WHERE team_id = $1 AND LOWER(email) = $2',
          teamId,
          email.toLowerCase(),
        );
      await insertGuarded(sql, vault, 'operator_links', {
        ...columns.rowOf(link),
        hash: keyedHash(vault, 'link', link.hash),
      });
      await appendDone(sql, vault, entry);
      return true;
    }),

  listLinks: (by, now) => listLinks(driver.read, vault, by, now),

  // Somebody may be redeeming it.
  withdrawInvitation: (teamId, id, entry) =>
    driver.write(OPERATORS, async sql => {
      const own = 'DELETE FROM operator_links WHERE id = $1 AND team_id = $2';
      if ((await sql.run(own, id, teamId)) === 0) return false;
      await appendDone(sql, vault, entry);
      return true;
    }),

  redeemLink: (redeeming, entry) =>
    driver.write(OPERATORS, async sql => {
      const [link] = await listLinks(sql, vault, redeeming, redeeming.now);
      if (!link) return { outcome: 'gone' };
      const opened = await open(sql, vault, link, redeeming);
      if (opened.outcome !== 'ok') return opened;
      await sql.run('DELETE FROM operator_links WHERE id = $1', link.id);
      await appendDone(sql, vault, entry);
      return opened;
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

async function open(sql: Sql, secrets: Secrets, link: LinkRecord, redeeming: Redeeming): Promise<Redeemed> {
  const { signedIn, now } = redeeming;
  if (link.operatorId !== null) {
    const operator = await findOperator(sql, secrets, { id: link.operatorId });
    if (!operator || operator.disabledAt !== null) return { outcome: 'gone' };
    return { outcome: 'ok', operator, isNew: false, startsSession: signedIn !== operator.id, link };
  }
  const email = link.email ?? redeeming.email;
  const owner = email === null ? null : await findOperator(sql, secrets, { email: email });
  if (link.teamId !== null && link.role !== null && owner) {
    if (signedIn !== owner.id) return { outcome: 'sign_in_first' };
    if (!(await keepsRole(sql, secrets, link.teamId, owner.id)))
      await setMember(sql, secrets, link.teamId, owner.id, link.role, now);
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
    invitedBy: link.madeBy,
    emailChangedAt: null,
  };
  await insertOperator(sql, secrets, operator);
  if (link.teamId !== null && link.role !== null)
    await setMember(sql, secrets, link.teamId, operator.id, link.role, now);
  return { outcome: 'ok', operator, isNew: true, startsSession: true, link };
}

/** An operator being removed cannot leave an invitation. Commands always may. */
async function mayInvite(sql: Sql, secrets: Secrets, madeBy: string, teamId: string): Promise<boolean> {
  const operator = await findOperator(sql, secrets, { id: madeBy });
  if (!operator) return true;
  if (operator.disabledAt !== null) return false;
  if (operator.isAdmin) return true;
  const members = await believedMembers(sql, secrets, 'operator_id', madeBy);
  return members.some(({ team_id, role }) => team_id === teamId && role === 'owner');
}

/** An invitation adds; it does not take a role away from somebody who has one. */
async function keepsRole(sql: Sql, secrets: Secrets, teamId: string, operatorId: string): Promise<boolean> {
  const members = await believedMembers(sql, secrets, 'operator_id', operatorId);
  return members.some(({ team_id }) => team_id === teamId);
}

async function listLinks(
  sql: Sql,
  secrets: Secrets,
  by: { readonly teamId: string } | { readonly hash: string },
  now: number,
): Promise<LinkRecord[]> {
  const [column, value] =
    'hash' in by ? ['hash', keyedHash(secrets, 'link', by.hash)] : ['team_id', by.teamId];
  const rows = await sql.all<LinkRow>(
    `SELECT ${LINK} FROM operator_links WHERE ${column} = $1 AND expires_at > $2 ORDER BY created_at, id`,
    value,
    now,
  );
  return rows.filter(row => isBelieved(secrets, 'operator_links', row)).map(columns.recordOf);
}
