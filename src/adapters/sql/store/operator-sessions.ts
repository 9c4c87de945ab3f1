/** Sessions of operators, in SQL. A session is read anew for every request. */
import type { OperatorStore, SessionRecord } from '../../../ports/store.ts';
import { insertGuarded, isBelieved, keyedHash, rowMac } from '../keys/guarded.ts';
import { OPERATORS, ROWS } from '../scope.ts';
import { appendDone } from './audit.ts';
import { columnsOf, type RowOf } from './columns.ts';
import type { StoreContext } from './context.ts';
import { findOperator, teamsOf } from './operators.ts';

type SessionRow = RowOf<SessionRecord> & {
  readonly hash: string;
  readonly secret_hash: string;
  readonly mac: string | null;
};

const columns = columnsOf<SessionRecord>({
  id: 'plain',
  operatorId: 'plain',
  means: 'plain',
  beganAt: 'plain',
  steppedUpAt: 'plain',
  seenAt: 'plain',
  endsAt: 'plain',
  ip: 'plain',
  userAgent: 'plain',
});
const SESSION = [...columns.names, 'hash', 'secret_hash', 'mac'].join(', ');

export const sessionStore = (({ driver, vault }) => ({
  startSession: (session, maximum, entry) =>
    driver.write(OPERATORS, async sql => {
      const operator = await findOperator(sql, vault, { id: session.operatorId });
      if (!operator || operator.disabledAt !== null) return false;
      await insertGuarded(sql, vault, 'operator_sessions', {
        ...columns.rowOf(session),
        hash: keyedHash(vault, 'session cookie', session.hash),
        secret_hash: keyedHash(vault, 'session header', session.secretHash),
      });
      await sql.run(
        `DELETE FROM operator_sessions WHERE operator_id = $1 AND id <> $2 AND id NOT IN
           (SELECT id FROM operator_sessions WHERE operator_id = $1 AND id <> $2 ORDER BY began_at DESC, id LIMIT $3)`,
        session.operatorId,
        session.id,
        maximum - 1,
      );
      await appendDone(sql, vault, entry);
      return true;
    }),

  async findSession(hash, secretHash, now, idleSince) {
    const row = await driver.read.get<SessionRow>(
      `SELECT ${SESSION} FROM operator_sessions
       WHERE hash = $1 AND ends_at > $2 AND seen_at > $3 ${secretHash === null ? '' : 'AND secret_hash = $4'}`,
      keyedHash(vault, 'session cookie', hash),
      now,
      idleSince,
      ...(secretHash === null ? [] : [keyedHash(vault, 'session header', secretHash)]),
    );
    if (!row || !isBelieved(vault, 'operator_sessions', row)) return null;
    const operator = await findOperator(driver.read, vault, { id: row.operator_id });
    if (!operator || operator.disabledAt !== null) return null;
    return {
      operator,
      session: columns.recordOf(row),
      teams: await teamsOf(driver.read, vault, operator.id),
    };
  },

  async updateSession(id, change, entry) {
    if ('seenAt' in change) {
      const seen = 'UPDATE operator_sessions SET seen_at = $1 WHERE id = $2 AND seen_at < $1';
      return (await driver.write(ROWS, sql => sql.run(seen, change.seenAt, id))) > 0;
    }
    const at = change.steppedUpAt;
    return driver.write(OPERATORS, async sql => {
      const row = await sql.get<SessionRow>(`SELECT ${SESSION} FROM operator_sessions WHERE id = $1`, id);
      if (!row || !isBelieved(vault, 'operator_sessions', row)) return false;
      await sql.run(
        'UPDATE operator_sessions SET stepped_up_at = $1, seen_at = $1, mac = $2 WHERE id = $3',
        at,
        rowMac(vault, 'operator_sessions', { ...row, stepped_up_at: at }),
        id,
      );
      await appendDone(sql, vault, entry);
      return true;
    });
  },

  async listSessions(operatorId, now, idleSince) {
    const rows = await driver.read.all<SessionRow>(
      `SELECT ${SESSION} FROM operator_sessions WHERE operator_id = $1 AND ends_at > $2 AND seen_at > $3
       ORDER BY began_at DESC, id`,
      operatorId,
      now,
      idleSince,
    );
    return rows.filter(row => isBelieved(vault, 'operator_sessions', row)).map(columns.recordOf);
  },

  endSessions: (operatorId, id, entry) =>
    driver.write(ROWS, async sql => {
      const ended = await sql.run(
        `DELETE FROM operator_sessions WHERE operator_id = $1 ${id === null ? '' : 'AND id = $2'}`,
        ...(id === null ? [operatorId] : [operatorId, id]),
      );
      if (ended > 0 || id === null) await appendDone(sql, vault, entry);
      return ended;
    }),
})) satisfies (context: StoreContext) => Partial<OperatorStore>;
