/** Users in SQL. Addresses are unique and found regardless of case. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { UserOrder, UserPosition, UserRecord } from '../../../ports/store.ts';
import { isUserNumber } from '../../../ports/template-rows.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  email_verified: number;
  created_at: number;
  last_sign_in_at: number | null;
}

export const USER = 'id, email, name, email_verified, created_at, last_sign_in_at';

export async function findUser(
  sql: Sql,
  { appId, mode }: GalleryKey,
  id: string,
): Promise<UserRecord | null> {
  const row = await sql.get<UserRow>(
    `SELECT ${USER} FROM users WHERE id = $1 AND app_id = $2 AND mode = $3`,
    id,
    appId,
    mode,
  );
  return row ? user(row) : null;
}

/** @param number the matcher's number of the user: the sequence of one of their templates */
export async function findUserByNumber(
  sql: Sql,
  { appId, mode }: GalleryKey,
  number: number,
): Promise<UserRecord | null> {
  if (!isUserNumber(number)) return null;
  const row = await sql.get<UserRow>(
    `SELECT ${USER} FROM users WHERE app_id = $1 AND mode = $2 AND id =
       (SELECT user_id FROM templates WHERE app_id = $1 AND mode = $2 AND sequence = $3)`,
    appId,
    mode,
    number,
  );
  return row ? user(row) : null;
}

export async function countUsers(sql: Sql, { appId, mode }: GalleryKey): Promise<number> {
  const row = await sql.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM users WHERE app_id = $1 AND mode = $2',
    appId,
    mode,
  );
  return row?.n ?? 0;
}

export async function listUsers(
  sql: Sql,
  gallery: GalleryKey,
  after: UserPosition | null,
  limit: number,
): Promise<UserRecord[]> {
  return (await userPage<UserRow>(sql, USER, gallery, after, limit)).map(user);
}

/** Rows of a page of users, in order. @param columns the columns that the caller needs */
export function userPage<Row>(
  sql: Sql,
  columns: string,
  { appId, mode }: GalleryKey,
  after: UserPosition | null,
  limit: number,
  { order = 'oldest', contains }: { order?: UserOrder; contains?: string } = {},
): Promise<Row[]> {
  const [beyond, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const start = order === 'oldest' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return sql.all<Row>(
    `SELECT ${columns} FROM users WHERE app_id = $1 AND mode = $2 AND (created_at, id) ${beyond} ($3, $4)
     ${contains === undefined ? '' : `AND (${HOLDS('email')} OR ${HOLDS('name')})`}
     ORDER BY created_at ${direction}, id ${direction} LIMIT $5`,
    appId,
    mode,
    after?.createdAt ?? start,
    after?.id ?? '',
    limit,
    ...(contains === undefined ? [] : [`%${contains.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`]),
  );
}

const HOLDS = (column: string) => `LOWER(${column}) LIKE $6 ESCAPE '\\'`;

export function user(row: UserRow): UserRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified === 1,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  };
}

/** @param except a user who may have the address */
export async function emailTaken(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  email: string,
  except: string | null = null,
): Promise<boolean> {
  const owner = await ownerOf(sql, vault, gallery, email);
  return owner !== null && owner.id !== except;
}

/**
 * The user with this address. Null if the row now contains another address: then it was altered outside the service, by
 * someone who cannot compute the hash. No mail goes to such an address.
 */
export async function findUserByEmail(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  email: string,
): Promise<UserRecord | null> {
  const owner = await ownerOf(sql, vault, gallery, email);
  return owner?.email.toLowerCase() === email.toLowerCase() ? owner : null;
}

/** Whether the service itself has stored the user's address. */
export async function hasOwnEmail(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  { id, email }: Pick<UserRecord, 'id' | 'email'>,
): Promise<boolean> {
  return (await ownerOf(sql, vault, gallery, email))?.id === id;
}

async function ownerOf(
  sql: Sql,
  vault: Vault,
  { appId, mode }: GalleryKey,
  email: string,
): Promise<UserRecord | null> {
  const row = await sql.get<UserRow>(
    `SELECT ${USER} FROM users WHERE app_id = $1 AND mode = $2 AND email_hash = $3`,
    appId,
    mode,
    emailHash(vault, email),
  );
  return row ? user(row) : null;
}

export async function insertUser(
  sql: Sql,
  vault: Vault,
  { appId, mode }: GalleryKey,
  person: { id: string; email: string; name: string },
  at: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO users (id, app_id, mode, email, email_hash, name, email_verified, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $7)`,
    person.id,
    appId,
    mode,
    person.email,
    emailHash(vault, person.email),
    person.name,
    at,
  );
}

export function emailHash(vault: Pick<Vault, 'hash'>, email: string): string {
  return vault.hash('user-email', email.toLowerCase());
}

/** Sets a verified address: the user has received the code there. */
export async function setEmail(sql: Sql, vault: Vault, id: string, email: string): Promise<void> {
  await sql.run(
    'UPDATE users SET email = $1, email_hash = $2, email_verified = 1 WHERE id = $3',
    email,
    emailHash(vault, email),
    id,
  );
}

export async function setVerified(sql: Sql, id: string): Promise<void> {
  await sql.run('UPDATE users SET email_verified = 1 WHERE id = $1', id);
}

export async function setLastSignIn(sql: Sql, id: string, at: number): Promise<void> {
  await sql.run('UPDATE users SET last_sign_in_at = $1 WHERE id = $2', at, id);
}
