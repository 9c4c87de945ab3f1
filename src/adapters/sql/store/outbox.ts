/**
 * The outbox in SQL. `tell` writes an event in the transaction of what it tells, and is called by the verbs themselves. A
 * row is sealed and bound to its place, so one that was planted, moved or changed is not read. Held by
 * test/contract/outbox.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { ComingToken, OutboxEvent, OutboxStore, Revocation } from '../../../ports/store.ts';
import { SECOND, TOKEN_LIFETIME_SECONDS } from '../../../protocol/limits.ts';
import type { Told } from '../../../protocol/outbox.ts';
import { iso } from '../../../protocol/time.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { tokensCountFrom } from '../keys/meta.ts';
import type { Vault } from '../keys/vault.ts';
import type { StoreContext } from './context.ts';
import type { EventTools } from './events.ts';
import { openFields, sealFields, type Telling } from './personal.ts';

/** What a restore adds to every counter: no reader's place is ahead of what comes. */
const RESTORED_AHEAD = 1_000_000_000;
const TOKEN_LIFETIME = TOKEN_LIFETIME_SECONDS * SECOND;
/** Opening each takes microseconds, and others have their turn between pages. */
const PAGE = 500;
/** Galleries whose places are read in one statement. */
const BATCH = 1_024;
const NOTHING = new Uint8Array();
const ROW = 'id, seq, type, at, sealed';

/** A row of the outbox. */
export interface OutboxRow {
  readonly id: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly sealed: Uint8Array;
}

/** Begins with the time, so that new rows are added at the end of the index, and old ones are found by it. */
const idAt = (at: number, rest: string) => `evt_${at.toString(36).padStart(9, '0')}${rest}`;

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
  const id = idAt(at, random.bytes(8).toString('hex'));
  // A key that somebody has altered: sign-ins go on, and nobody can be told of them.
  const seal = await vault.sealerOrNull(sql, appId);
  await sql.run(
    `INSERT INTO outbox_heads (app_id, mode, seq) VALUES ($1, $2, 1)
     ON CONFLICT (app_id, mode) DO UPDATE SET seq = outbox_heads.seq + 1`,
    appId,
    mode,
  );
  await sql.run(
    `INSERT INTO outbox (id, type, at, sealed, user_id, revokes_until, app_id, mode, seq) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       (SELECT seq FROM outbox_heads WHERE app_id = $7 AND mode = $8))`,
    id,
    type,
    at,
    seal ? sealFields(seal, { of: 'outbox', gallery, id }, [type, at, data]) : NOTHING,
    type === 'user.deleted' ? null : data.user_id,
    revocationOf({ ...told, at })?.expiresAt ?? null,
    appId,
    mode,
  );
}

/** The first second whose tokens are good again. */
export const nextSecond = (at: number) => (Math.floor(at / SECOND) + 1) * SECOND;

function revocationOf({ type, data, at }: Told & { readonly at: number }): Revocation | null {
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

/** Of few sizes, filled up with the first: engines keep a statement for each. */
function batches<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [];
  const some = items.slice(0, BATCH);
  const size = 2 ** Math.ceil(Math.log2(some.length));
  return [
    Array.from({ length: size }, (_, at) => some[at] ?? (some[0] as Item)),
    ...batches(items.slice(BATCH)),
  ];
}

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

/** For a restored database, in its own transaction. */
export async function leapAhead(sql: Sql): Promise<void> {
  await sql.run(
    `INSERT INTO outbox_heads (app_id, mode, seq) SELECT app_id, mode, ${RESTORED_AHEAD} FROM galleries WHERE true
     ON CONFLICT (app_id, mode) DO UPDATE SET seq = outbox_heads.seq + ${RESTORED_AHEAD}`,
  );
}

export function pruneOutbox(sql: Sql, before: number, limit: number): Promise<number> {
  return sql.run(
    'DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE id < $1 ORDER BY id LIMIT $2)',
    idAt(Math.max(0, before), ''),
    limit,
  );
}

/** What does not open is left out. */
export async function openedEvents(
  vault: Pick<Vault, 'keys'>,
  sql: Sql,
  gallery: GalleryKey,
  rows: readonly OutboxRow[],
): Promise<OutboxEvent[]> {
  if (rows.length === 0) return [];
  return opening(vault.keys(sql, gallery.appId), async opener =>
    rows.flatMap(row => {
      const fields = openFields<Telling>(opener, { of: 'outbox', gallery, id: row.id }, row.sealed);
      const [type, at, data] = fields ?? [];
      if (type !== row.type || at !== row.at) return [];
      return [{ id: row.id, seq: row.seq, at, type, data } as OutboxEvent];
    }),
  );
}

export function outboxStore({ driver, memory, vault }: StoreContext): OutboxStore {
  const { read } = driver;

  const opened = (gallery: GalleryKey, rows: readonly OutboxRow[]) =>
    openedEvents(vault, read, gallery, rows);

  const newestOf = async ({ appId, mode }: GalleryKey) =>
    (
      await read.get<{ seq: number }>(
        'SELECT seq FROM outbox_heads WHERE app_id = $1 AND mode = $2',
        appId,
        mode,
      )
    )?.seq ?? 0;

  const allBefore = () => memory.recall('tokens-count-from', () => tokensCountFrom(read));

  return {
    async outboxState({ appId, mode }) {
      const newest = await newestOf({ appId, mode });
      const first = await read.get<{ seq: number | null }>(
        'SELECT MIN(seq) AS seq FROM outbox WHERE app_id = $1 AND mode = $2',
        appId,
        mode,
      );
      return { newest, oldest: first?.seq ?? null };
    },

    async outboxEvents(gallery, after, limit, types) {
      const { appId, mode } = gallery;
      const ofTypes = types ? `AND type IN (${types.map((_, at) => `$${at + 5}`).join(', ')})` : '';
      const events: OutboxEvent[] = [];
      for (let [from, count] = [after, limit]; ; count = PAGE) {
        const rows = await read.all<OutboxRow>(
          `SELECT ${ROW} FROM outbox WHERE app_id = $1 AND mode = $2 AND seq > $3 ${ofTypes} ORDER BY seq LIMIT $4`,
          ...[appId, mode, from, count, ...(types ?? [])],
        );
        events.push(...(await opened(gallery, rows)));
        if (events.length >= limit || rows.length < count) return events.slice(0, limit);
        from = rows.at(-1)?.seq ?? from;
      }
    },

    async outboxEvent(gallery, id) {
      const { appId, mode } = gallery;
      const row = await read.get<OutboxRow>(
        `SELECT ${ROW} FROM outbox WHERE id = $1 AND app_id = $2 AND mode = $3`,
        id,
        appId,
        mode,
      );
      return (await opened(gallery, row ? [row] : []))[0] ?? null;
    },

    async revocations(gallery, after, now) {
      const { appId, mode } = gallery;
      const all = (await allBefore()) * SECOND;
      const newest = await newestOf(gallery);
      const revocations: Revocation[] = [];
      if (all > (after?.all ?? 0) && all + TOKEN_LIFETIME > now)
        revocations.push({ kind: 'all', issuedBefore: all, expiresAt: all + TOKEN_LIFETIME });
      for (let from = after?.seq ?? 0; ; ) {
        const rows = await read.all<OutboxRow>(
          `SELECT ${ROW} FROM outbox WHERE app_id = $1 AND mode = $2 AND seq > $3 AND seq <= $4
             AND revokes_until IS NOT NULL AND revokes_until > $5 ORDER BY seq LIMIT ${PAGE}`,
          ...[appId, mode, from, newest, now],
        );
        for (const event of await opened(gallery, rows)) {
          const revocation = revocationOf(event);
          if (revocation) revocations.push(revocation);
        }
        if (rows.length < PAGE) break;
        from = rows.at(-1)?.seq ?? newest;
      }
      return { revocations, place: { seq: Math.max(newest, after?.seq ?? 0), all } };
    },

    async outboxPlaces(galleries) {
      const all = (await allBefore()) * SECOND;
      const rows = (
        await Promise.all(
          batches(galleries).map(some =>
            read.all<{ app_id: string; mode: string; seq: number }>(
              `SELECT app_id, mode, seq FROM outbox_heads WHERE (app_id, mode) IN
                 (VALUES ${some.map((_, at) => `($${2 * at + 1}, $${2 * at + 2})`).join(', ')})`,
              ...some.flatMap(({ appId, mode }) => [appId, mode]),
            ),
          ),
        )
      ).flat();
      const heads = new Map(rows.map(({ app_id, mode, seq }) => [`${app_id}\0${mode}`, seq]));
      return galleries.map(({ appId, mode }) => ({ seq: heads.get(`${appId}\0${mode}`) ?? 0, all }));
    },
  };
}
