/** Users in SQL. Addresses are unique, and found by a hash regardless of case. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import {
  FaceInQuestion,
  type OnBehalf,
  type Order,
  type UserKey,
  type UserPosition,
  type UserRecord,
} from '../../../ports/store.ts';
import { isUserNumber } from '../../../ports/template-rows.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { type Opener, opening } from '../../secrets/sealing.ts';
import type { Sql, Value } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { countOf, insertRows } from '../many-rows.ts';
import { openFields, type Person, sealFields } from './personal.ts';

export interface UserRow {
  id: string;
  sealed: Uint8Array;
  email_verified: number;
  created_at: number;
  last_sign_in_at: number | null;
}

/** Values of `email_verified`. */
const VERIFICATION = { none: 0, verified: 1, faceInQuestion: 2 } as const;

type Verification = Pick<UserRecord, 'emailVerified' | 'faceInQuestion'>;

export const verificationIn = ({ email_verified: value }: Pick<UserRow, 'email_verified'>): Verification => ({
  emailVerified: value === VERIFICATION.verified,
  faceInQuestion: value === VERIFICATION.faceInQuestion,
});

const verificationOf = ({ emailVerified, faceInQuestion }: Verification): number =>
  VERIFICATION[emailVerified ? 'verified' : faceInQuestion ? 'faceInQuestion' : 'none'];

export const USER = 'id, sealed, email_verified, created_at, last_sign_in_at';

/** Null: the fields do not open. @throws UnknownKey unless the opener's `isLast` */
export function user(opener: Opener, gallery: GalleryKey, row: UserRow): UserRecord | null {
  const person = openFields<Person>(opener, { of: 'user', gallery, id: row.id }, row.sealed);
  return person && record(row, person);
}

/** For lists: a user whose fields do not open is there, without address and name. */
export const listed = (opener: Opener, gallery: GalleryKey, row: UserRow): UserRecord =>
  user(opener, gallery, row) ?? record(row, ['', '']);

function record(row: UserRow, [email, name]: Person): UserRecord {
  return {
    id: row.id,
    email,
    name,
    ...verificationIn(row),
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  };
}

/**
 * Whether the user exists. What only needs that works for a user whose fields do not open too. Of an app that is being
 * erased, nobody does.
 */
export async function hasUser(sql: Sql, { appId, mode }: GalleryKey, id: string): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM users JOIN galleries ON galleries.app_id = users.app_id AND galleries.mode = users.mode
     WHERE users.id = $1 AND users.app_id = $2 AND users.mode = $3`,
    id,
    appId,
    mode,
  );
  return row !== undefined;
}

/** Null: there is no such user, or the fields do not open. */
export async function findUser(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  by: UserKey,
): Promise<UserRecord | null> {
  if ('number' in by && !isUserNumber(by.number)) return null;
  const { appId, mode } = gallery;
  const [term, value] = termOf(vault, by);
  const found = await opening(vault.keys(sql, appId), async opener => {
    const row = await sql.get<UserRow>(
      `SELECT ${USER} FROM users WHERE app_id = $1 AND mode = $2 AND ${term}`,
      appId,
      mode,
      value,
    );
    return row ? user(opener, gallery, row) : null;
  });
  // If the row contains another address, its hash was altered outside the service: no mail goes there.
  const isOther = 'email' in by && found?.email.toLowerCase() !== by.email.toLowerCase();
  return isOther ? null : found;
}

function termOf(vault: Vault, by: UserKey): [term: string, value: Value] {
  if ('id' in by) return ['id = $3', by.id];
  if ('email' in by) return ['email_hash = $3', emailHash(vault, by.email)];
  return [
    'id = (SELECT user_id FROM templates WHERE app_id = $1 AND mode = $2 AND sequence = $3)',
    by.number,
  ];
}

export function countUsers(sql: Sql, { appId, mode }: GalleryKey): Promise<number> {
  return countOf(sql, 'users WHERE app_id = $1 AND mode = $2', appId, mode);
}

/** Rows of a page of users, in order. @param columns the columns that the caller needs */
export function userPage<Row>(
  sql: Sql,
  columns: string,
  { appId, mode }: GalleryKey,
  after: UserPosition | null,
  limit: number,
  order: Order = 'oldest',
): Promise<Row[]> {
  const [beyond, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const start = order === 'oldest' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return sql.all<Row>(
    `SELECT ${columns} FROM users WHERE app_id = $1 AND mode = $2 AND (created_at, id) ${beyond} ($3, $4)
     ORDER BY created_at ${direction}, id ${direction} LIMIT $5`,
    appId,
    mode,
    after?.createdAt ?? start,
    after?.id ?? '',
    limit,
  );
}

/** @param except a user who may have the address */
export async function emailTaken(
  sql: Sql,
  vault: Vault,
  { appId, mode }: GalleryKey,
  email: string,
  except: string | null = null,
): Promise<boolean> {
  const owner = await sql.get<{ id: string }>(
    'SELECT id FROM users WHERE app_id = $1 AND mode = $2 AND email_hash = $3',
    appId,
    mode,
    emailHash(vault, email),
  );
  return owner !== undefined && owner.id !== except;
}

interface NewPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface NewUser extends UserRecord {
  readonly mode: Mode;
  readonly consent: {
    readonly policyVersion: string;
    readonly acceptedAt: number;
    readonly ip: string;
    readonly userAgent: string;
  };
}

/** With their consents, without which there is no user. */
export async function insertUsers(
  sql: Sql,
  vault: Vault,
  appId: string,
  users: readonly NewUser[],
): Promise<void> {
  const seal = await vault.sealer(sql, appId);
  await insertRows(
    sql,
    'users (id, app_id, mode, email_hash, sealed, email_verified, created_at, last_sign_in_at)',
    users.map(({ id, mode, email, name, createdAt, lastSignInAt, ...verification }) => [
      ...[id, appId, mode, emailHash(vault, email)],
      sealFields(seal, { of: 'user', gallery: { appId, mode }, id }, [email, name]),
      ...[verificationOf(verification), createdAt, lastSignInAt],
    ]),
  );
  await insertRows(
    sql,
    'consents (user_id, policy_version, accepted_at, sealed)',
    users.map(({ id, mode, consent }) => [
      ...[id, consent.policyVersion, consent.acceptedAt],
      sealFields(seal, { of: 'consent', gallery: { appId, mode }, id }, [
        consent.ip,
        consent.userAgent,
        null,
      ]),
    ]),
  );
}

export function emailHash(vault: Pick<Vault, 'hash'>, email: string): string {
  return vault.hash('user-email', email.toLowerCase());
}

/** Stores an address, verified or not, and a name. */
export async function setPerson(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  { id, email, name, ...verification }: NewPerson & Verification,
): Promise<void> {
  const seal = await vault.sealer(sql, gallery.appId);
  await sql.run(
    'UPDATE users SET sealed = $1, email_hash = $2, email_verified = $3 WHERE id = $4',
    sealFields(seal, { of: 'user', gallery, id }, [email, name]),
    emailHash(vault, email),
    verificationOf(verification),
    id,
  );
}

export async function setVerified(
  sql: Sql,
  id: string,
  as: Exclude<keyof typeof VERIFICATION, 'none'> = 'verified',
): Promise<void> {
  await sql.run('UPDATE users SET email_verified = $1 WHERE id = $2', VERIFICATION[as], id);
}

/** @throws FaceInQuestion. Call it first, in the same transaction as the change. */
export async function refuseInQuestion(sql: Sql, id: string, { byFace }: OnBehalf): Promise<void> {
  if (!byFace) return;
  const row = await sql.get(
    'SELECT 1 FROM users WHERE id = $1 AND email_verified = $2',
    id,
    VERIFICATION.faceInQuestion,
  );
  if (row) throw new FaceInQuestion();
}

export async function setLastSignIn(sql: Sql, id: string, at: number): Promise<void> {
  await sql.run('UPDATE users SET last_sign_in_at = $1 WHERE id = $2', at, id);
}
