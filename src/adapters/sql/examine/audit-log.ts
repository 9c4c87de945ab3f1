/** For `doctor`: checks that nobody has changed the audit log outside the service. */
import type { Finding } from '../../../ports/upkeep.ts';
import { grouped } from '../../../protocol/amounts.ts';
import { keyedHashes } from '../../secrets/hashes.ts';
import type { Master } from '../../secrets/master.ts';
import { countOf } from '../count-of.ts';
import type { Sql } from '../driver.ts';
import { hashKeyOf } from '../keys/prepare.ts';
import { verifyAudit } from '../store/audit.ts';

/** @param sql reads one moment: a running server adds entries meanwhile */
export async function examineAudit(sql: Sql, master: Master): Promise<Finding> {
  const fault = await verifyAudit(sql, keyedHashes(await hashKeyOf(sql, master)));
  const count = await countOf(sql, 'audit_log');
  const entries = `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`;
  if (!fault) return { ok: true, detail: `${entries}, each follows from the one before` };
  return {
    ok: false,
    detail: `entry ${fault.seq} ${fault.reason}: somebody has written to the database; compare with a backup`,
  };
}
