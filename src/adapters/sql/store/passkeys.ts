/** Passkeys, their ceremonies and recovery codes, in SQL. */
import type { OperatorStore, PasskeyRecord } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';
import { insertGuarded, isBelieved, keyedHash, recoveryHash } from '../keys/guarded.ts';
import { countOf } from '../many-rows.ts';
import { OPERATORS, ROWS } from '../scope.ts';
import { appendDone } from './audit.ts';
import { columnsOf, type RowOf } from './columns.ts';
import type { StoreContext } from './context.ts';
import { findOperator } from './operators.ts';

type PasskeyRow = RowOf<PasskeyRecord> & { readonly mac: string | null };

const columns = columnsOf<PasskeyRecord>({
  id: 'plain',
  operatorId: 'plain',
  credentialId: 'plain',
  publicKey: 'plain',
  counter: 'plain',
  transports: 'list',
  label: 'plain',
  createdAt: 'plain',
  lastUsedAt: 'plain',
});
const PASSKEY = [...columns.names, 'mac'].join(', ');

export const passkeyStore = (({ driver, vault }) => ({
  async listPasskeys(by) {
    const [column, value] =
      'operatorId' in by ? ['operator_id', by.operatorId] : ['credential_id', by.credentialId];
    const rows = await driver.read.all<PasskeyRow>(
      `SELECT ${PASSKEY} FROM passkeys WHERE ${column} = $1 ORDER BY created_at, id`,
      value,
    );
    return rows.filter(row => isBelieved(vault, 'passkeys', row)).map(passkeyOf);
  },

  addPasskey: (passkey, maximum, entry) =>
    driver.write(OPERATORS, async sql => {
      const operator = await findOperator(sql, vault, { id: passkey.operatorId });
      if (operator?.disabledAt !== null) return false;
      if ((await countOf(sql, 'passkeys WHERE operator_id = $1', operator.id)) >= maximum) return false;
      const end = 'ON CONFLICT (credential_id) DO NOTHING';
      if ((await insertGuarded(sql, vault, 'passkeys', columns.rowOf(passkey), end)) === 0) return false;
      await appendDone(sql, vault, entry);
      return true;
    }),

  updatePasskey(operatorId, id, change, entry) {
    const own = 'WHERE id = $1 AND operator_id = $2';
    const update = (sql: Sql) => {
      if (!change) return sql.run(`DELETE FROM passkeys ${own}`, id, operatorId);
      if ('label' in change)
        return sql.run(`UPDATE passkeys SET label = $3 ${own}`, id, operatorId, change.label);
      return sql.run(
        `UPDATE passkeys SET counter = $3, last_used_at = $4
         ${own} AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
        id,
        operatorId,
        change.counter,
        change.lastUsedAt,
      );
    };
    return driver.write(ROWS, async sql => {
      if ((await update(sql)) === 0) return false;
      await appendDone(sql, vault, entry);
      return true;
    });
  },

  async useCeremony(ceremony) {
    const row = {
      browser: keyedHash(vault, 'ceremony', ceremony.browser),
      challenge: ceremony.challenge,
      purpose: ceremony.purpose,
      operator_id: ceremony.operatorId,
      expires_at: ceremony.expiresAt,
    };
    const once = 'ON CONFLICT (browser) DO NOTHING';
    return (await driver.write(ROWS, sql => insertGuarded(sql, vault, 'ceremonies', row, once))) === 1;
  },

  async setRecoveryCodes(operatorId, hashes, at, entry) {
    await driver.write(OPERATORS, async sql => {
      await sql.run('DELETE FROM recovery_codes WHERE operator_id = $1', operatorId);
      for (const hash of hashes)
        await sql.run(
          'INSERT INTO recovery_codes (hash, operator_id, created_at) VALUES ($1, $2, $3)',
          recoveryHash(vault, operatorId, hash),
          operatorId,
          at,
        );
      await appendDone(sql, vault, entry);
    });
  },

  async useRecoveryCode(operatorId, hash) {
    const gone = await driver.write(ROWS, sql =>
      sql.run(
        'DELETE FROM recovery_codes WHERE hash = $1 AND operator_id = $2',
        recoveryHash(vault, operatorId, hash),
        operatorId,
      ),
    );
    return gone === 1;
  },
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

const passkeyOf = (row: PasskeyRow): PasskeyRecord => ({
  ...columns.recordOf(row),
  publicKey: new Uint8Array(row.public_key),
});
