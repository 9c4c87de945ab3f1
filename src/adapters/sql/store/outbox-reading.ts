/**
 * Reads the outbox. What is answered is durable, and a row that does not open is left out: it was planted, moved or
 * changed. Held by test/contract/outbox.ts and revocations.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { OutboxEvent, OutboxStore, Revocation } from '../../../ports/store.ts';
import { SECOND } from '../../../protocol/limits.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { tokensCountFrom } from '../keys/meta.ts';
import type { Vault } from '../keys/vault.ts';
import type { StoreContext } from './context.ts';
import { revocationOf, TOKEN_LIFETIME } from './outbox.ts';
import { openFields, type Telling, type ToldColumns, toldRow } from './personal.ts';

/** Opening each takes microseconds, and others have their turn between pages. */
const PAGE = 500;
/** Galleries whose places are read in one statement. */
const BATCH = 1_024;
const ROW = 'id, seq, type, at, user_id, revokes_until, sealed';

/** A row of the outbox. */
export interface OutboxRow extends ToldColumns {
  readonly seq: number;
  readonly sealed: Uint8Array;
}

/**
 * With the app and the mode as $1 and $2, a place as $3 and a count as $4. Not beyond the newest: a row was moved
 * there.
 */
export const eventsAfter = (also = '') =>
  `SELECT ${ROW} FROM outbox WHERE app_id = $1 AND mode = $2 AND seq > $3
   AND seq <= (SELECT seq FROM outbox_heads WHERE app_id = $1 AND mode = $2) ${also} ORDER BY seq LIMIT $4`;

/** A condition on the type. @param first number of the first value */
export const ofTypes = (types: readonly string[] = [], first: number) =>
  types.length > 0 ? `AND type IN (${types.map((_, at) => `$${first + at}`).join(', ')})` : '';

/** From a place ($3) to another ($4), those that still matter at a moment ($5). */
export const REVOKING = `SELECT ${ROW} FROM outbox WHERE app_id = $1 AND mode = $2 AND seq > $3 AND seq <= $4
  AND revokes_until IS NOT NULL AND revokes_until > $5 ORDER BY seq LIMIT ${PAGE}`;

export const OLDEST = 'SELECT MIN(seq) AS seq FROM outbox WHERE app_id = $1 AND mode = $2';

/** With the user as $1. */
const OF_USER = `SELECT ${ROW} FROM outbox WHERE user_id = $1 ORDER BY seq`;

/** Rows that do not open were planted, moved or changed. */
export async function openedEvents(
  vault: Pick<Vault, 'keys'>,
  sql: Sql,
  gallery: GalleryKey,
  rows: readonly OutboxRow[],
): Promise<OutboxEvent[]> {
  if (rows.length === 0) return [];
  return opening(vault.keys(sql, gallery.appId), async opener =>
    rows.flatMap(row => {
      const [data] = openFields<Telling>(opener, toldRow(gallery, row), row.sealed) ?? [];
      const { id, seq, type, at } = row;
      return data ? [{ id, seq, type, at, data } as OutboxEvent] : [];
    }),
  );
}

/** What others hear, or heard, of a user. */
export const toldOf = async (sql: Sql, vault: Vault, gallery: GalleryKey, userId: string) =>
  openedEvents(vault, sql, gallery, await sql.all<OutboxRow>(OF_USER, userId));

export function outboxStore({ driver, memory, vault }: StoreContext): OutboxStore {
  const { read } = driver;
  const openedIn = (gallery: GalleryKey, rows: readonly OutboxRow[]) =>
    openedEvents(vault, read, gallery, rows);

  const newestOf = async ({ appId, mode }: GalleryKey) =>
    (
      await read.get<{ seq: number }>(
        'SELECT seq FROM outbox_heads WHERE app_id = $1 AND mode = $2',
        appId,
        mode,
      )
    )?.seq ?? 0;

  const allBefore = async () =>
    SECOND * (await memory.recall('tokens-count-from', () => tokensCountFrom(read)));

  /** Nobody hears of what a crash may undo, or has seen a number that would be given again. */
  async function durably<Answer>(reading: () => Promise<Answer>): Promise<Answer> {
    const answer = await reading();
    await driver.settled();
    return answer;
  }

  return {
    outboxState: gallery =>
      durably(async () => {
        const newest = await newestOf(gallery);
        const first = await read.get<{ seq: number | null }>(OLDEST, gallery.appId, gallery.mode);
        return { newest, oldest: first?.seq ?? null };
      }),

    outboxEvents: ({ appId, mode }, after, limit, types = []) =>
      durably(async () => {
        const text = eventsAfter(ofTypes(types, 5));
        const events: OutboxEvent[] = [];
        for (let from = after; ; ) {
          const wanted = limit - events.length;
          const rows = await read.all<OutboxRow>(text, appId, mode, from, wanted, ...types);
          events.push(...(await openedIn({ appId, mode }, rows)));
          const last = rows.at(-1);
          if (!last || rows.length < wanted || events.length === limit) return events;
          from = last.seq;
        }
      }),

    outboxEvent: (gallery, id) =>
      durably(async () => {
        const { appId, mode } = gallery;
        const row = await read.get<OutboxRow>(
          `SELECT ${ROW} FROM outbox WHERE id = $1 AND app_id = $2 AND mode = $3`,
          id,
          appId,
          mode,
        );
        return (await openedIn(gallery, row ? [row] : []))[0] ?? null;
      }),

    revocations: (gallery, after, now) =>
      durably(async () => {
        const { appId, mode } = gallery;
        const all = await allBefore();
        const newest = await newestOf(gallery);
        const revocations: Revocation[] = [];
        if (all > (after?.all ?? 0) && all + TOKEN_LIFETIME > now)
          revocations.push({ kind: 'all', issuedBefore: all, expiresAt: all + TOKEN_LIFETIME });
        for (let from = after?.seq ?? 0; ; ) {
          const rows = await read.all<OutboxRow>(REVOKING, appId, mode, from, newest, now);
          for (const event of await openedIn(gallery, rows)) {
            const revocation = revocationOf(event);
            if (revocation) revocations.push(revocation);
          }
          const last = rows.at(-1);
          if (!last || rows.length < PAGE) break;
          from = last.seq;
        }
        return { revocations, place: { seq: Math.max(newest, after?.seq ?? 0), all } };
      }),

    async outboxPlaces(galleries) {
      const all = await allBefore();
      const placesIn = (some: readonly GalleryKey[]) =>
        read.all<GalleryRow>(placesOf(some.length), ...some.flatMap(({ appId, mode }) => [appId, mode]));
      const rows = (await Promise.all(batches(galleries).map(placesIn))).flat();
      const heads = new Map(rows.map(({ app_id, mode, seq }) => [`${app_id}:${mode}`, seq]));
      return galleries.map(({ appId, mode }) => ({ seq: heads.get(`${appId}:${mode}`) ?? 0, all }));
    },
  };
}

interface GalleryRow {
  readonly app_id: string;
  readonly mode: string;
  readonly seq: number;
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

/** Of so many galleries, each with two values. */
export function placesOf(size: number): string {
  const places = Array.from({ length: size }, (_, at) => `($${2 * at + 1}, $${2 * at + 2})`);
  return `SELECT app_id, mode, seq FROM outbox_heads WHERE (app_id, mode) IN (VALUES ${places.join(', ')})`;
}
