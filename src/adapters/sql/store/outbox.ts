/**
 * The outbox in SQL. `tell` writes an event in the transaction of what it tells, and is called by the verbs themselves.
 * A row is sealed and bound to its place and all that is beside it but its number, so one that was planted, moved or
 * changed is not read. Held by test/contract/outbox.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import { type ComingToken, newOutboxId, type Revocation } from '../../../ports/store.ts';
import { SECOND, TOKEN_LIFETIME_SECONDS } from '../../../protocol/limits.ts';
import type { Told } from '../../../protocol/outbox.ts';
import { iso, sortable } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';
import { latestMoment } from '../keys/meta.ts';
import type { EventTools } from './events.ts';
import { NOT_IMPORTING } from './imports.ts';
import { sealFields, toldRow } from './personal.ts';

/** What a restore adds to every counter: no reader's place is ahead of what comes. */
const RESTORED_AHEAD = 1_000_000_000;
export const TOKEN_LIFETIME = TOKEN_LIFETIME_SECONDS * SECOND;
const NOTHING = new Uint8Array();
/** When the event with this id happened. */
export const eventTime = (id: string) => Number.parseInt(id.slice(4, 13), 36);

export async function tell(
  sql: Sql,
  { vault, random }: EventTools,
  gallery: GalleryKey,
  at: number,
  told: Told,
): Promise<void> {
  const { appId, mode } = gallery;
  const { type, data } = told;
  const row = {
    ...{ id: newOutboxId(random, at), type, at },
    user_id: type === 'user.deleted' ? null : data.user_id,
    revokes_until: revocationOf({ ...told, at })?.expiresAt ?? null,
  };
  // A key that somebody has altered: sign-ins go on, and nobody can be told of them.
  const seal = await vault.sealerOrNull(sql, appId);
  const sealed = seal ? sealFields(seal, toldRow(gallery, row), [data]) : NOTHING;
  // Nothing may come between: another step of the same transaction would take the same number.
  await Promise.all([
    sql.run(
      `INSERT INTO outbox_heads (app_id, mode, seq) VALUES ($1, $2, 1)
       ON CONFLICT (app_id, mode) DO UPDATE SET seq = outbox_heads.seq + 1`,
      appId,
      mode,
    ),
    sql.run(
      `INSERT INTO outbox (id, type, at, sealed, user_id, revokes_until, app_id, mode, seq) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
         (SELECT seq FROM outbox_heads WHERE app_id = $7 AND mode = $8))`,
      row.id,
      type,
      at,
      sealed,
      row.user_id,
      row.revokes_until,
      appId,
      mode,
    ),
  ]);
}

/** The first second whose tokens are good again. */
const nextSecond = (at: number) => (Math.floor(at / SECOND) + 1) * SECOND;

export function revocationOf({ type, data, at }: Told & { readonly at: number }): Revocation | null {
  const ofUser = (issuedBefore: number): Revocation => ({
    kind: 'user',
    userId: data.user_id,
    issuedBefore,
    expiresAt: issuedBefore + TOKEN_LIFETIME,
  });
  switch (type) {
    case 'user.signed_out':
      return { kind: 'token', jti: data.jti, expiresAt: Date.parse(data.expires_at) };
    case 'user.tokens_revoked':
      return ofUser(Date.parse(data.issued_before));
    case 'user.deleted':
      return ofUser(nextSecond(at));
    default:
      return null;
  }
}

/** A token that a step gives may have been made in the second before it. */
export const issuedAt = ({ expiresAt }: ComingToken) => expiresAt - TOKEN_LIFETIME;

export const tokenData = ({ jti, expiresAt }: ComingToken) => ({ jti, expires_at: iso(expiresAt) });

export const tellSignIn = (
  sql: Sql,
  tools: EventTools,
  gallery: GalleryKey,
  at: number,
  userId: string,
  method: 'face' | 'email_code',
  token: ComingToken,
) =>
  tell(sql, tools, gallery, at, {
    type: 'user.signed_in',
    data: { user_id: userId, method, ...tokenData(token) },
  });

/** Tells that the user's tokens from before a moment are revoked; of its second, they are not. */
export const tellRevoked = (
  sql: Sql,
  tools: EventTools,
  gallery: GalleryKey,
  at: number,
  userId: string,
  issuedBefore: number,
) => {
  const issued_before = iso(Math.floor(issuedBefore / SECOND) * SECOND);
  return tell(sql, tools, gallery, at, {
    type: 'user.tokens_revoked',
    data: { user_id: userId, issued_before },
  });
};

/** A first verification: of the address, and so of nobody who signed in before. */
export async function tellVerified(
  ...[sql, tools, gallery, at, userId, issuedBefore]: Parameters<typeof tellRevoked>
) {
  await tell(sql, tools, gallery, at, { type: 'user.email_verified', data: { user_id: userId } });
  await tellRevoked(sql, tools, gallery, at, userId, issuedBefore);
}

/**
 * For a restored database, in its own transaction. The time since the backup is added too, in milliseconds: when the
 * same backup is restored a second time, that is ahead of the first.
 */
export async function leapAhead(sql: Sql, now: number): Promise<void> {
  const since = Math.max(0, now - ((await latestMoment(sql)) ?? now));
  await sql.run(
    `INSERT INTO outbox_heads (app_id, mode, seq)
     SELECT app_id, mode, CAST($1 AS BIGINT) FROM galleries WHERE ${NOT_IMPORTING}
     ON CONFLICT (app_id, mode) DO UPDATE SET seq = outbox_heads.seq + excluded.seq`,
    RESTORED_AHEAD + since,
  );
}

/** What somebody erases meanwhile is passed over: to wait for it could be to wait for each other. */
export const OLD = 'SELECT id FROM outbox WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED';

export function pruneOutbox(sql: Sql, before: number, limit: number): Promise<number> {
  return sql.run(`DELETE FROM outbox WHERE id IN (${OLD})`, `evt_${sortable(Math.max(0, before))}`, limit);
}
