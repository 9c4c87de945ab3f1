/** Passkeys, their ceremonies and recovery codes, in SQL. */
import type { OperatorStore, PasskeyRecord } from '../../../ports/store.ts';
import { countOf } from '../count-of.ts';
import { OPERATORS, ROWS } from '../scope.ts';
import type { StoreContext } from './context.ts';

interface PasskeyRow {
  id: string;
  operator_id: string;
  credential_id: string;
  public_key: Uint8Array;
  counter: number;
  transports: string;
  label: string;
  created_at: number;
  last_used_at: number | null;
}

const PASSKEY =
  'id, operator_id, credential_id, public_key, counter, transports, label, created_at, last_used_at';

export const passkeyStore = (({ driver }) => ({
  async listPasskeys(operatorId) {
    const rows = await driver.read.all<PasskeyRow>(
      `SELECT ${PASSKEY} FROM passkeys WHERE operator_id = $1 ORDER BY created_at, id`,
      operatorId,
    );
    return rows.map(passkeyOf);
  },

  async findPasskey(credentialId) {
    const row = await driver.read.get<PasskeyRow>(
      `SELECT ${PASSKEY} FROM passkeys WHERE credential_id = $1`,
      credentialId,
    );
    return row ? passkeyOf(row) : null;
  },

  addPasskey: (passkey, maximum) =>
    driver.write(OPERATORS, async sql => {
      const added = await sql.run(
        `INSERT INTO passkeys (${PASSKEY})
         SELECT CAST($1 AS TEXT), id, CAST($3 AS TEXT), $4, CAST($5 AS BIGINT), CAST($6 AS TEXT), CAST($7 AS TEXT),
           CAST($8 AS BIGINT), CAST($9 AS BIGINT)
         FROM operators
         WHERE id = $2 AND disabled_at IS NULL AND (SELECT COUNT(*) FROM passkeys WHERE operator_id = $2) < $10
         ON CONFLICT (credential_id) DO NOTHING`,
        passkey.id,
        passkey.operatorId,
        passkey.credentialId,
        passkey.publicKey,
        passkey.counter,
        JSON.stringify(passkey.transports),
        passkey.label,
        passkey.createdAt,
        passkey.lastUsedAt,
        maximum,
      );
      return added === 1;
    }),

  async labelPasskey(operatorId, id, label) {
    const changed = await driver.write(ROWS, sql =>
      sql.run('UPDATE passkeys SET label = $1 WHERE id = $2 AND operator_id = $3', label, id, operatorId),
    );
    return changed === 1;
  },

  async deletePasskey(operatorId, id) {
    const gone = await driver.write(ROWS, sql =>
      sql.run('DELETE FROM passkeys WHERE id = $1 AND operator_id = $2', id, operatorId),
    );
    return gone === 1;
  },

  async usePasskey(id, counter, at) {
    const used = await driver.write(ROWS, sql =>
      sql.run(
        `UPDATE passkeys SET counter = $1, last_used_at = $2
         WHERE id = $3 AND (counter < $1 OR (counter = 0 AND $1 = 0))`,
        counter,
        at,
        id,
      ),
    );
    return used === 1;
  },

  async startCeremony(ceremony) {
    await driver.write(ROWS, sql =>
      sql.run(
        `INSERT INTO ceremonies (browser, challenge, purpose, operator_id, expires_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (browser) DO UPDATE SET challenge = $2, purpose = $3, operator_id = $4, expires_at = $5`,
        ceremony.browser,
        ceremony.challenge,
        ceremony.purpose,
        ceremony.operatorId,
        ceremony.expiresAt,
      ),
    );
  },

  async endCeremony(browser, purpose, now) {
    const row = await driver.write(ROWS, sql =>
      sql.get<{ challenge: string; operator_id: string | null; expires_at: number }>(
        `DELETE FROM ceremonies WHERE browser = $1 AND purpose = $2 AND expires_at > $3
         RETURNING challenge, operator_id, expires_at`,
        browser,
        purpose,
        now,
      ),
    );
    if (!row) return null;
    const { challenge, operator_id: operatorId, expires_at: expiresAt } = row;
    return { browser, challenge, purpose, operatorId, expiresAt };
  },

  async setRecoveryCodes(operatorId, hashes, at) {
    await driver.write(OPERATORS, async sql => {
      await sql.run('DELETE FROM recovery_codes WHERE operator_id = $1', operatorId);
      for (const hash of hashes)
        await sql.run(
          'INSERT INTO recovery_codes (hash, operator_id, created_at) VALUES ($1, $2, $3)',
          hash,
          operatorId,
          at,
        );
    });
  },

  countRecoveryCodes: operatorId => countOf(driver.read, 'recovery_codes WHERE operator_id = $1', operatorId),

  async useRecoveryCode(operatorId, hash) {
    const gone = await driver.write(ROWS, sql =>
      sql.run('DELETE FROM recovery_codes WHERE hash = $1 AND operator_id = $2', hash, operatorId),
    );
    return gone === 1;
  },
})) satisfies (context: StoreContext) => Partial<OperatorStore>;

function passkeyOf(row: PasskeyRow): PasskeyRecord {
  return {
    id: row.id,
    operatorId: row.operator_id,
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    transports: JSON.parse(row.transports),
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
