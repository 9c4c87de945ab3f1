/** For `doctor`: checks that nobody has changed the audit log outside the service. */
import type { Finding } from '../../ports/upkeep.ts';
import { grouped } from '../../protocol/amounts.ts';
import { keyedHashes } from '../secrets/hashes.ts';
import { verifyAudit } from '../sql/store/audit.ts';
import { hashKeyIn } from './examine-keys.ts';
import { bad, failed, withSql } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

export async function examineAudit(location: StoreLocation): Promise<Finding> {
  try {
    const secrets = keyedHashes(hashKeyIn(location));
    return await withSql(location.path, async (sql, database) => {
      // One moment: a running server adds entries meanwhile.
      database.exec('BEGIN');
      const fault = await verifyAudit(sql, secrets);
      const row = await sql.get<{ n: number }>('SELECT COUNT(*) AS n FROM audit_log');
      const entries = `${grouped(row?.n ?? 0)} ${row?.n === 1 ? 'entry' : 'entries'}`;
      if (!fault) return { ok: true, detail: `${entries}, each follows from the one before` };
      return bad(
        `entry ${fault.seq} ${fault.reason}: somebody has written to the database file; compare with a backup`,
      );
    });
  } catch (error) {
    return failed(error);
  }
}
