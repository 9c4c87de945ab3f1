/**
 * Takes the keys of a database back to what they were before they were wrapped: templates and signing keys in the first
 * sealed form, and addresses hashed, by keys made of the master secret; API keys by plain hashes. Written on its own,
 * from what the program did then.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { dataKeysOf, masterSecretOf } from './data-keys.ts';

/**
 * To be called while no program works with the folder.
 * @param apiKeys of the database, in the clear
 */
export function toFirstForm(dataDir: string, apiKeys: readonly string[] = []): void {
  const master = masterSecretOf(dataDir);
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', master, '', `face-sign-in/${purpose}`, 32));
  const again = (owner: string, context: string[], sealed: Buffer): Buffer => {
    const id = sealed.subarray(1, 9).toString('hex');
    const key = dataKeysOf(dataDir, owner, master).find(one => one.id === id)?.bytes as Buffer;
    const aad = Buffer.from(context.join('\0'));
    const open = createDecipheriv('aes-256-gcm', key, sealed.subarray(9, 21));
    open.setAuthTag(sealed.subarray(21, 37)).setAAD(aad);
    const clear = Buffer.concat([open.update(sealed.subarray(37)), open.final()]);
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', derived(`seal/${owner}`), nonce).setAAD(aad);
    const body = Buffer.concat([cipher.update(clear), cipher.final()]);
    return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
  };
  const emailHash = (email: string) =>
    createHmac('sha256', derived('hash')).update(`user-email\0${email.toLowerCase()}`).digest('base64url');

  const database = new Database(join(dataDir, 'face-sign-in.db'));
  type Row = Record<string, string> & { sealed: Buffer };
  for (const row of database.prepare('SELECT * FROM templates').all() as Row[]) {
    const context = ['template', row.app_id, row.mode, row.user_id, row.id] as string[];
    const sealed = again(row.app_id as string, context, row.sealed);
    database.prepare('UPDATE templates SET sealed = ? WHERE id = ?').run(sealed, row.id);
  }
  for (const row of database.prepare('SELECT * FROM signing_keys').all() as Row[]) {
    const sealed = again('signing-keys', ['signing-key', row.kid as string], row.sealed);
    database.prepare('UPDATE signing_keys SET sealed = ? WHERE kid = ?').run(sealed, row.kid);
  }
  for (const row of database.prepare('SELECT id, email FROM users').all() as Row[])
    database
      .prepare('UPDATE users SET email_hash = ? WHERE id = ?')
      .run(emailHash(row.email as string), row.id);
  toPlainKeys(database, master, apiKeys);
  database.exec('DELETE FROM data_keys');
  database.close();
}

/** API keys, signing keys and check value as they were up to schema version 6. */
export function toPlainKeys(database: Database.Database, master: Buffer, apiKeys: readonly string[]): void {
  for (const key of apiKeys) {
    const found = database
      .prepare('UPDATE api_keys SET hash = ? WHERE last4 = ?')
      .run(hash('sha256', key, 'base64url'), key.slice(-4));
    if (found.changes !== 1) throw new Error(`${found.changes} keys end like the one that was given`);
  }
  const check = createHmac('sha256', Buffer.from(hkdfSync('sha256', master, '', 'face-sign-in/hash', 32)))
    .update('master-secret-check\0')
    .digest('base64url');
  database.prepare("UPDATE meta SET value = ? WHERE name = 'master_secret_check'").run(check);
  toSchema6(database);
}

/** The tables as they were up to schema version 6. */
export function toSchema6(database: Database.Database): void {
  database.exec(
    `ALTER TABLE api_keys DROP COLUMN mac;
     ALTER TABLE signing_keys ADD COLUMN public_jwk TEXT NOT NULL DEFAULT '{}';
     DROP TABLE removed_templates;
     CREATE TABLE removed_templates (app_id TEXT NOT NULL, mode TEXT NOT NULL, sequence BIGINT NOT NULL,
       template_id TEXT NOT NULL, PRIMARY KEY (app_id, mode, sequence));
     ALTER TABLE galleries DROP COLUMN pruned_to;
     DROP INDEX templates_by_user;
     CREATE INDEX templates_by_user ON templates (user_id);
     DELETE FROM schema_migrations WHERE version >= 7`,
  );
}
