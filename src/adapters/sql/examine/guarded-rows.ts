/** For `doctor`: names the rows of the portal that the service did not write. They are not believed. */
import type { Finding } from '../../../ports/upkeep.ts';
import { counted } from '../../../protocol/amounts.ts';
import { keyedHashes } from '../../secrets/hashes.ts';
import type { Master } from '../../secrets/master.ts';
import { countOf } from '../count-of.ts';
import type { Sql } from '../driver.ts';
import { type GuardedTable, unbelieved } from '../keys/guarded.ts';
import { hashKeyOf } from '../keys/prepare.ts';
import { bad } from './findings.ts';

/** One row of each table, in words. */
const WORDS: Readonly<Record<GuardedTable, string>> = {
  operators: 'operator',
  members: 'membership',
  passkeys: 'passkey',
  ceremonies: 'passkey challenge',
  operator_sessions: 'session',
  operator_links: 'link',
  apps: 'team of an app',
};
const MOST_NAMED = 3;

export async function examineGuarded(sql: Sql, master: Master): Promise<Finding> {
  const found = await unbelieved(sql, keyedHashes(await hashKeyOf(sql, master)));
  if (found.size === 0)
    return {
      ok: true,
      detail: `${counted(await countOf(sql, 'operators'), 'operator')}, and all that gives them rights, as the service wrote it`,
    };
  const what = [...found].map(([table, ids]) => {
    const more = ids.length > MOST_NAMED ? ', …' : '';
    return `${ids.length} × ${WORDS[table]} (${ids.slice(0, MOST_NAMED).join(', ')}${more})`;
  });
  return bad(
    `${what.join(', ')}: written or changed outside the service, and refused. Such an operator is disabled: check the address, then run "operator enable EMAIL"; an admin moves such an app to its team; or restore a backup that only you can write to`,
  );
}
