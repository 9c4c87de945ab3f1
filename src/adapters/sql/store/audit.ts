/**
 * The audit log in SQL. Each row holds a keyed hash of itself and of the hash before it, and the head of the log has a
 * hash too: whoever can write the database but has no master secret can neither change nor add a row, nor cut rows off.
 * An older state of the whole log is accepted, as of everything else in the database.
 * Held by test/contract/audit.ts and test/sqlite/audit.ts.
 */
import type {
  AuditEntry,
  AuditFault,
  AuditFilter,
  AuditStore,
  KeptEntry,
  Recording,
} from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import type { Sql, Value } from '../driver.ts';
import { auditHead, setAuditHead } from '../keys/meta.ts';
import { OPERATORS } from '../scope.ts';
import type { StoreContext } from './context.ts';

interface AuditRow {
  seq: number;
  at: number;
  actor: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  team_id: string | null;
  app_id: string | null;
  ip: string | null;
  session: string | null;
  outcome: string;
  count: number;
  hash: string;
}

type Link = Pick<AuditRow, 'seq' | 'hash'>;

const ENTRY = 'seq, at, actor, actor_id, action, target, team_id, app_id, ip, session, outcome, count';
const PAGE = 500;

export const auditStore = ({ driver, vault }: StoreContext): AuditStore => ({
  async appendAudit(entry) {
    await driver.write(OPERATORS, sql => append(sql, vault, entry));
  },

  async listAudit(filter, from, limit, order = 'newest') {
    const { where, values } = conditions(filter);
    const [beyond, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
    if (from !== null) where.push(`seq ${beyond} $${values.push(from)}`);
    const filtered = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
    const rows = await driver.read.all<AuditRow>(
      `SELECT ${ENTRY} FROM audit_log ${filtered} ORDER BY seq ${direction} LIMIT $${values.push(limit)}`,
      ...values,
    );
    return rows.map(row => ({ seq: row.seq, ...entryOf(row) }));
  },

  verifyAudit: () => verifyAudit(driver.read, vault),
});

/** Removes at most `limit` of the oldest entries from before the moment. @returns how many */
export async function pruneAudit(sql: Sql, secrets: Secrets, before: number, limit: number): Promise<number> {
  const oldest = await sql.all<Link & { at: number }>(
    'SELECT seq, hash, at FROM audit_log ORDER BY seq LIMIT $1',
    limit,
  );
  const kept = oldest.findIndex(({ at }) => at >= before);
  const last = oldest[(kept < 0 ? oldest.length : kept) - 1];
  if (!last) return 0;
  await sql.run('UPDATE audit_anchor SET seq = $1, hash = $2', last.seq, last.hash);
  await writeHead(sql, secrets, await headOf(sql));
  return sql.run('DELETE FROM audit_log WHERE seq <= $1', last.seq);
}

/** Appends the entry of an act that is done, in its transaction, as the last thing there: others wait for it. */
export async function appendDone(sql: Sql, secrets: Secrets, entry: Recording | undefined): Promise<void> {
  if (entry) await append(sql, secrets, { ...entry, outcome: 'ok' });
}

/** Checks every row from the anchor to the head, page by page. */
export async function verifyAudit(sql: Sql, secrets: Secrets): Promise<AuditFault> {
  const anchor = await anchorOf(sql);
  let last: Link = anchor;
  for (;;) {
    const rows = await sql.all<AuditRow>(
      `SELECT ${ENTRY}, hash FROM audit_log WHERE seq > $1 ORDER BY seq LIMIT $2`,
      last.seq,
      PAGE,
    );
    for (const row of rows) {
      if (row.seq !== last.seq + 1) return { seq: last.seq + 1, reason: 'is missing' };
      if (row.hash !== hashOf(secrets, row.seq, last.hash, entryOf(row)))
        return { seq: row.seq, reason: 'was changed or added outside the service' };
      last = row;
    }
    if (rows.length < PAGE) break;
    await new Promise<void>(turn => setImmediate(turn));
  }
  const head = await auditHead(sql);
  const isWhole = head === undefined ? last.seq === 0 : head === headHash(secrets, last, anchor);
  return isWhole ? null : { seq: last.seq + 1, reason: 'is missing, or the end of the log was changed' };
}

/** Entries are appended in transactions of any scope, so they wait for one another here. */
async function append(sql: Sql, secrets: Secrets, entry: AuditEntry): Promise<void> {
  await sql.get('SELECT seq FROM audit_anchor FOR UPDATE');
  const last = await headOf(sql);
  const seq = last.seq + 1;
  const hash = hashOf(secrets, seq, last.hash, entry);
  await sql.run(
    `INSERT INTO audit_log (${ENTRY}, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    seq,
    entry.at,
    entry.actor,
    entry.actorId,
    entry.action,
    entry.target,
    entry.teamId,
    entry.appId,
    entry.ip,
    entry.session,
    entry.outcome,
    entry.count ?? 1,
    hash,
  );
  await writeHead(sql, secrets, { seq, hash });
}

async function headOf(sql: Sql): Promise<Link> {
  const last = await sql.get<Link>('SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1');
  return last ?? anchorOf(sql);
}

async function anchorOf(sql: Sql): Promise<Link> {
  return (await sql.get<Link>('SELECT seq, hash FROM audit_anchor')) ?? { seq: 0, hash: '' };
}

async function writeHead(sql: Sql, secrets: Secrets, head: Link): Promise<void> {
  await setAuditHead(sql, headHash(secrets, head, await anchorOf(sql)));
}

function headHash(secrets: Secrets, head: Link, anchor: Link): string {
  return secrets.hash('audit-head', JSON.stringify([head.seq, head.hash, anchor.seq, anchor.hash]));
}

function hashOf(secrets: Secrets, seq: number, before: string, entry: AuditEntry): string {
  const { at, actor, actorId, action, target, teamId, appId, ip, session, outcome, count = 1 } = entry;
  const fields = [seq, before, at, actor, actorId, action, target, teamId, appId, ip, session, outcome];
  // Rows from before counts were kept have a hash without one.
  if (count !== 1) fields.push(count);
  return secrets.hash('audit-entry', JSON.stringify(fields));
}

const COLUMNS: Readonly<Record<Exclude<keyof AuditFilter, 'visibleTo'>, string>> = {
  teamId: 'team_id =',
  actorId: 'actor_id =',
  appId: 'app_id =',
  action: 'action =',
  since: 'at >=',
  until: 'at <',
};

function conditions({ visibleTo, ...filter }: AuditFilter): { where: string[]; values: Value[] } {
  const values: Value[] = [];
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    keyof typeof COLUMNS,
    Value,
  ][];
  const value = (one: Value) => `$${values.push(one)}`;
  const where = given.map(([name, one]) => `${COLUMNS[name]} ${value(one)}`);
  if (visibleTo) {
    const ofTeams = visibleTo.teamIds.map(id => `team_id = ${value(id)}`);
    where.push(`(${[`actor_id = ${value(visibleTo.actorId)}`, ...ofTeams].join(' OR ')})`);
  }
  return { where, values };
}

function entryOf(row: Omit<AuditRow, 'hash'>): Omit<KeptEntry, 'seq'> {
  return {
    at: row.at,
    actor: row.actor,
    actorId: row.actor_id,
    action: row.action,
    target: row.target,
    teamId: row.team_id,
    appId: row.app_id,
    ip: row.ip,
    session: row.session,
    outcome: row.outcome,
    count: row.count,
  };
}
