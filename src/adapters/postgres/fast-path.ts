/**
 * The fast path of a match: records it in one statement, where the verbs of sql/store need about ten. So a node makes
 * one round trip, and no row stays locked while it waits. It changes nothing unless the user's row is as this node last
 * saw it, the data key is the newest, and challenge, plan and windows allow the match. Otherwise the verb in sql/store
 * decides. It runs under the gallery's locks, so only the challenge can change meanwhile, and the statement deletes
 * that first. New challenges are added in one statement for all that wait. Held by test/contract and
 * test/postgres/round-trips.test.ts.
 */

import { hash } from 'node:crypto';
import type { GalleryKey } from '../../ports/matcher.ts';
import {
  type Challenge,
  type EventType,
  fullAt,
  type SignIn,
  StoreUnavailable,
  type Window,
} from '../../ports/store.ts';
import { isUserNumber } from '../../ports/template-rows.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { dayOf } from '../../protocol/time.ts';
import { opening } from '../secrets/sealing.ts';
import { askedTogether } from '../sql/asked-together.ts';
import { IS_NEWEST_KEY } from '../sql/keys/vault.ts';
import { ofGallery, ROWS } from '../sql/scope.ts';
import type { FastPath, StoreContext } from '../sql/store/context.ts';
import { windowsOf } from '../sql/store/counters.ts';
import { newEventId } from '../sql/store/events.ts';
import { rememberNetwork } from '../sql/store/known-networks.ts';
import { clientOf, sealFields } from '../sql/store/personal.ts';
import { isOver, unexpired } from '../sql/store/unexpired.ts';
import { USER, type UserRow, user } from '../sql/store/users.ts';
import { textList } from './text-list.ts';

/** Users whose fields this node has opened. About 10 MB; beyond that the cache is cleared. */
const MOST_CACHED = 50_000;

const OVER = isOver('windows', '$10');

const USER_COLUMNS = USER.replaceAll(/\w+/g, 'users.$&');
const FIND = `SELECT ${USER_COLUMNS} FROM users JOIN templates t ON t.user_id = users.id
  WHERE users.app_id = $1 AND users.mode = $2 AND t.app_id = $1 AND t.mode = $2 AND t.sequence = $3`;

const NETWORK = rememberNetwork(
  { user: '$3', network: '$24', app: '$1', endsAt: '$25' },
  `$24 <> '' AND EXISTS (SELECT 1 FROM spent)`,
);

/**
 * No user: ''. An enrolment has consumed its challenge already: ''. Of the windows, the first `$14` must not be full;
 * of the others, those that are full are not counted. Returns the user's row as it was before.
 */
const RECORD = `WITH asked AS (
  SELECT * FROM unnest(CAST($11 AS TEXT[]), CAST($12 AS BIGINT[]), CAST($13 AS BIGINT[]), CAST($23 AS BIGINT[]))
    WITH ORDINALITY AS asked (key, full_at, ends_at, events, place)
), found AS (
  SELECT 1 ${IS_NEWEST_KEY('$6', '$1')}
    AND EXISTS (SELECT 1 FROM galleries WHERE app_id = $1 AND mode = $2)
    AND ($3 = '' OR EXISTS (
      SELECT 1 FROM users JOIN templates t ON t.user_id = users.id
      WHERE users.id = $3 AND users.app_id = $1 AND users.mode = $2 AND sha256(users.sealed) = $5
        AND t.app_id = $1 AND t.mode = $2 AND t.sequence = $4))
    AND ($7 < 0 OR $7 > COALESCE((SELECT auths FROM usage WHERE app_id = $1 AND mode = $2 AND month = $8), 0))
    AND NOT EXISTS (SELECT 1 FROM asked JOIN windows w ON w.key = asked.key
      WHERE asked.place <= $14 AND ${unexpired('w.ends_at', '$10')} AND w.ends_at <= asked.ends_at + ${MINUTE} AND w.count >= asked.full_at)
), consumed AS (
  DELETE FROM challenges WHERE id = $9 AND app_id = $1 AND mode = $2 AND ${unexpired('expires_at', '$10')}
    AND EXISTS (SELECT 1 FROM found) RETURNING id
), spent AS (
  SELECT id FROM consumed UNION ALL SELECT '' FROM found WHERE $9 = ''
), counted AS (
  INSERT INTO usage (app_id, mode, month, auths, enrolls, matches_ok, matches_failed)
  SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($8 AS TEXT), 1, 0, CAST($15 AS BIGINT), CAST($16 AS BIGINT) FROM spent
  ON CONFLICT (app_id, mode, month) DO UPDATE SET auths = usage.auths + 1,
    matches_ok = usage.matches_ok + excluded.matches_ok, matches_failed = usage.matches_failed + excluded.matches_failed
), limited AS (
  INSERT INTO windows (key, app_id, count, ends_at)
  SELECT key, CAST($1 AS TEXT), events, ends_at FROM asked, spent WHERE events > 0 ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${OVER} THEN excluded.count ELSE windows.count + excluded.count END,
    ends_at = CASE WHEN ${OVER} THEN excluded.ends_at ELSE windows.ends_at END
  WHERE ${OVER} OR windows.count < (SELECT full_at FROM asked WHERE asked.key = windows.key)
), seen AS (
  UPDATE users SET last_sign_in_at = $10 WHERE id = $3 AND $15 = 1 AND EXISTS (SELECT 1 FROM spent)
), known AS (
  ${NETWORK.add}
), forgotten AS (
  ${NETWORK.forget}
), noted AS (
  INSERT INTO auth_events (id, app_id, mode, user_id, type, at, sealed)
  SELECT CAST($17 AS TEXT), CAST($1 AS TEXT), CAST($2 AS TEXT), NULLIF(CAST($3 AS TEXT), ''), CAST($18 AS TEXT),
    CAST($10 AS BIGINT), CAST($19 AS BYTEA) FROM spent
), of_day AS (
  INSERT INTO event_days (app_id, mode, day, type, count)
  SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($20 AS BIGINT), CAST($18 AS TEXT), 1 FROM spent
  ON CONFLICT (app_id, mode, day, type) DO UPDATE SET count = event_days.count + 1
), measured AS (
  INSERT INTO distance_days (app_id, mode, day, outcome, bin, count)
  SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($20 AS BIGINT), CAST($22 AS TEXT), CAST($21 AS INTEGER), 1 FROM spent
  WHERE $21 >= 0
  ON CONFLICT (app_id, mode, day, outcome, bin) DO UPDATE SET count = distance_days.count + 1
)
SELECT ${USER_COLUMNS} FROM spent LEFT JOIN users ON users.id = $3`;

/** All that wait. An erased app gets none, and one that somebody is changing must not stop the others. */
const ADD_CHALLENGES = `INSERT INTO challenges (id, app_id, mode, expires_at)
  SELECT asked.id, asked.app_id, asked.mode, asked.expires_at
  FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[]), CAST($3 AS TEXT[]), CAST($4 AS BIGINT[]))
    AS asked (id, app_id, mode, expires_at)
  JOIN apps ON apps.id = asked.app_id FOR KEY SHARE OF apps SKIP LOCKED
  RETURNING id`;

interface CachedUser {
  readonly id: string;
  /** Of the sealed fields, which open. */
  readonly digest: Buffer;
}

const NO_USER: CachedUser = { id: '', digest: Buffer.alloc(0) };

/** A match, as much of it as is recorded in either case. */
interface Outcome extends Pick<SignIn, 'gallery' | 'at' | 'origin' | 'auth' | 'networkOf'> {
  readonly challengeId: string | null;
  /** The number of the user, if there is one. */
  readonly number: number | null;
  readonly type: EventType;
  /** The column that counts it. */
  readonly counts: 'matches_ok' | 'matches_failed' | null;
  readonly distanceBin: number | null;
  /** Must not be full. */
  readonly windows: (user: CachedUser) => readonly Window[];
  /** Counted unless full. */
  readonly more?: readonly Window[];
}

const nameOf = ({ appId, mode }: GalleryKey, number: number) => `${mode}:${appId}:${number}`;

export function createFastPath({
  driver,
  vault,
  random,
}: Pick<StoreContext, 'driver' | 'vault' | 'random'>): FastPath {
  const cache = new Map<string, CachedUser>();

  const opened = (gallery: GalleryKey, row: UserRow) =>
    opening(vault.keys(driver.read, gallery.appId), async opener => user(opener, gallery, row));

  /** Null: there is no such user, or the fields do not open. */
  async function load(name: string, gallery: GalleryKey, number: number): Promise<CachedUser | null> {
    const row = await driver.read.get<UserRow>(FIND, gallery.appId, gallery.mode, number);
    if (!row || !(await opened(gallery, row))) return null;
    if (cache.size >= MOST_CACHED) cache.clear();
    const loaded = { id: row.id, digest: hash('sha256', row.sealed, 'buffer') };
    cache.set(name, loaded);
    return loaded;
  }

  async function cachedUser(gallery: GalleryKey, number: number): Promise<CachedUser | null> {
    if (!isUserNumber(number)) return null;
    const name = nameOf(gallery, number);
    return cache.get(name) ?? load(name, gallery, number);
  }

  const addChallenge = askedTogether(async (challenges: readonly Challenge[]) => {
    const rows = await driver.writeOne<{ id: string }>(
      ROWS,
      ADD_CHALLENGES,
      textList(challenges.map(({ id }) => id)),
      textList(challenges.map(({ gallery }) => gallery.appId)),
      textList(challenges.map(({ gallery }) => gallery.mode)),
      textList(challenges.map(({ expiresAt }) => String(expiresAt))),
    );
    const added = new Set(rows.map(({ id }) => id));
    return challenges.map(({ id }) => added.has(id));
  });

  /** Null: nothing was recorded. The row has no user if there is none. */
  async function record(outcome: Outcome): Promise<UserRow | null> {
    const { gallery, at, auth, origin, number, type, counts, challengeId, distanceBin, more = [] } = outcome;
    const sealer = vault.knownSealer(gallery.appId);
    const cached = number === null ? NO_USER : await cachedUser(gallery, number);
    if (!sealer || !cached) return null;
    const limits = outcome.windows(cached);
    const windows = [...limits, ...more];
    if (windows.some(window => fullAt(window) < 1)) return null;
    const network = outcome.networkOf?.(cached.id);
    const id = newEventId(random, at);
    const [row] = await driver.writeOne<UserRow>(
      ofGallery(gallery),
      RECORD,
      gallery.appId,
      gallery.mode,
      cached.id,
      number ?? 0,
      cached.digest,
      sealer.keyId,
      auth.limit ?? -1,
      auth.month,
      challengeId ?? '',
      at,
      textList(windows.map(({ key }) => key)),
      textList(windows.map(window => String(fullAt(window)))),
      textList(windows.map(({ length }) => String(at + length))),
      limits.length,
      counts === 'matches_ok' ? 1 : 0,
      counts === 'matches_failed' ? 1 : 0,
      id,
      type,
      sealFields(sealer.seal, { of: 'event', gallery, id }, clientOf(origin)),
      dayOf(at),
      distanceBin ?? -1,
      counts === 'matches_ok' ? 'match' : 'no_match',
      textList(windows.map(({ events = 1 }) => String(events))),
      network?.network ?? '',
      network?.endsAt ?? 0,
    );
    if (!row && number !== null) cache.delete(nameOf(gallery, number));
    return row ?? null;
  }

  return {
    addChallenge,

    async failedMatch({ nearUser, during, failures, lockout, ...failed }) {
      const isMatch = during === 'match';
      const row = await record({
        ...failed,
        number: nearUser,
        type: isMatch ? 'match_failed' : 'enroll_face_known',
        counts: isMatch ? 'matches_failed' : null,
        windows: () => failures,
        more: nearUser !== null && lockout ? windowsOf(lockout) : [],
      });
      return row !== null;
    },

    async signIn({ user: number, matchesOf, failures, ...signIn }) {
      const row = await record({
        ...signIn,
        number,
        type: 'match',
        counts: 'matches_ok',
        windows: ({ id }) => {
          const window = matchesOf(id);
          return window ? [window, ...failures] : failures;
        },
      });
      if (!row) return null;
      const signedIn = await opened(signIn.gallery, row);
      // These bytes have opened before. The sign-in is recorded, so nothing must be tried again.
      if (!signedIn) throw new StoreUnavailable(new Error('the fields of a user no longer open'));
      return { ...signedIn, lastSignInAt: signIn.at };
    },
  };
}
