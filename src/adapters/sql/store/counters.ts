/**
 * Rate-limit windows and monthly usage. Each count is one conditional statement, so limits are exact under any burst.
 */

import type { GalleryKey } from '../../../ports/matcher.ts';
import type {
  AuthCount,
  AuthRefused,
  Lockout,
  OwnedWindow,
  UsageCounts,
  Window,
  WindowState,
} from '../../../ports/store.ts';
import { fullAt } from '../../../ports/store.ts';
import { DAY } from '../../../protocol/limits.ts';
import type { Sql, Transaction } from '../driver.ts';
import { isOver, latestEnd, unexpired } from './unexpired.ts';

const OVER = isOver('windows', '$4');

interface WindowRow {
  count: number;
  ends_at: number;
}

/** @param appId owner of the window, which is deleted with the app and not created for an erased app; null: no owner */
export async function takeWindow(
  sql: Sql,
  appId: string | null,
  window: Window,
  now: number,
): Promise<{ taken: boolean; endsAt: number }> {
  const { events = 1 } = window;
  if (events === 0) {
    const full = await fullWindow(sql, window, now);
    return { taken: !full && fullAt(window) > 0, endsAt: full?.endsAt ?? now + window.length };
  }
  if (fullAt(window) > 0) {
    const row = await sql.get<WindowRow>(
      `INSERT INTO windows (key, app_id, count, ends_at)
       SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($6 AS BIGINT), CAST($3 AS BIGINT)
       WHERE $2 = '' OR EXISTS (SELECT 1 FROM apps WHERE id = $2 FOR KEY SHARE)
       ON CONFLICT (key) DO UPDATE SET
         app_id = CASE WHEN ${OVER} THEN $2 ELSE windows.app_id END,
         count = CASE WHEN ${OVER} THEN $6 ELSE windows.count + $6 END,
         ends_at = CASE WHEN ${OVER} THEN $3 ELSE windows.ends_at END
       WHERE ${OVER} OR windows.count < $5
       RETURNING count, ends_at`,
      window.key,
      appId ?? '',
      now + window.length,
      now,
      fullAt(window),
      events,
    );
    if (row) return { taken: true, endsAt: row.ends_at };
  }
  const open = await peekWindow(sql, window.key, now, window.length);
  return { taken: false, endsAt: open?.endsAt ?? now + window.length };
}

/** Of windows that refused. */
export interface Full {
  /** The index of the first one. */
  readonly full: number;
  /** When the last one ends. */
  readonly endsAt: number;
}

/**
 * Takes each window. In the order of their keys, so that two transactions do not wait for each other; each is locked
 * by its count, so nothing needs to be locked before. @returns null if none refused
 */
export async function takeEach(sql: Sql, windows: readonly OwnedWindow[], now: number): Promise<Full | null> {
  const inKeyOrder = [...windows.entries()].sort(([, a], [, b]) => (a.key < b.key ? -1 : 1));
  const tried = await Promise.all(
    inKeyOrder.map(async ([place, window]) => ({
      place,
      ...(await takeWindow(sql, window.appId, window, now)),
    })),
  );
  const full = tried.filter(({ taken }) => !taken);
  if (full.length === 0) return null;
  return {
    full: Math.min(...full.map(({ place }) => place)),
    endsAt: Math.max(...full.map(({ endsAt }) => endsAt)),
  };
}

/** Takes all windows or none. One alone has nothing to undo. */
export async function takeWindows(
  sql: Transaction,
  windows: readonly OwnedWindow[],
  now: number,
): Promise<{ taken: true } | ({ taken: false } & Full)> {
  const take = () => takeEach(sql, windows, now);
  const full = await (windows.length > 1 ? sql.attempt(take, refused => !refused) : take());
  return full ? { taken: false, ...full } : { taken: true };
}

export function ownedBy({ appId }: GalleryKey, windows: readonly Window[]): OwnedWindow[] {
  return windows.map(window => ({ ...window, appId }));
}

function windowsOf({ longer, ...window }: Lockout): Window[] {
  return longer ? [window, longer] : [window];
}

/** Counts a failure in each window that is not full. @returns false if all are full or the app was erased */
export async function countFailure(sql: Sql, appId: string, lockout: Lockout, now: number): Promise<boolean> {
  const taken = await Promise.all(windowsOf(lockout).map(window => takeWindow(sql, appId, window, now)));
  return taken.some(each => each.taken);
}

/** When the last full window ends; null: none is full. */
export async function lockedUntil(sql: Sql, lockout: Lockout, now: number): Promise<number | null> {
  const full = await Promise.all(windowsOf(lockout).map(window => fullWindow(sql, window, now)));
  const ends = full.flatMap(state => state?.endsAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Moves the counted failures from one key to another, with those of each network. */
export async function moveFailures(
  sql: Sql,
  appId: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const networks = `SELECT key FROM windows WHERE app_id = $1 AND substr(key, 1, ${from.length + 1}) = $2`;
  const ofNetworks = await sql.all<{ key: string }>(networks, appId, `${from}:`);
  for (const key of [from, ...ofNetworks.map(row => row.key)]) {
    const failures = await peekWindow(sql, key, now, DAY);
    if (!failures) continue;
    await addToWindow(sql, appId, to + key.slice(from.length), failures, now);
    await sql.run('DELETE FROM windows WHERE key = $1', key);
  }
}

/** Adds the count of another window, and keeps the later end. */
async function addToWindow(
  sql: Sql,
  appId: string,
  key: string,
  other: WindowState,
  now: number,
): Promise<void> {
  const own = await peekWindow(sql, key, now, DAY);
  await sql.run(
    `INSERT INTO windows (key, app_id, count, ends_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (key) DO UPDATE SET count = $3, ends_at = $4`,
    key,
    appId,
    other.count + (own?.count ?? 0),
    Math.max(other.endsAt, own?.endsAt ?? 0),
  );
}

export async function peekWindow(
  sql: Sql,
  key: string,
  now: number,
  length: number,
): Promise<WindowState | null> {
  const row = await sql.get<WindowRow>(
    `SELECT count, ends_at FROM windows WHERE key = $1 AND ${unexpired('ends_at', '$2')} AND ends_at <= $3`,
    key,
    now,
    latestEnd(now, length),
  );
  return row ? { count: row.count, endsAt: row.ends_at } : null;
}

/** State of the window if it has no room, otherwise null. */
export async function fullWindow(sql: Sql, window: Window, now: number): Promise<WindowState | null> {
  const open = await peekWindow(sql, window.key, now, window.length);
  return open && open.count >= fullAt(window) ? open : null;
}

export async function usageOf(sql: Sql, { appId, mode }: GalleryKey, month: string): Promise<UsageCounts> {
  const row = await sql.get<{ auths: number; enrolls: number; matches_ok: number; matches_failed: number }>(
    `SELECT auths, enrolls, matches_ok, matches_failed FROM usage
     WHERE app_id = $1 AND mode = $2 AND month = $3`,
    appId,
    mode,
    month,
  );
  return {
    auths: row?.auths ?? 0,
    enrolls: row?.enrolls ?? 0,
    matchesOk: row?.matches_ok ?? 0,
    matchesFailed: row?.matches_failed ?? 0,
  };
}

type UsageColumn = 'enrolls' | 'matches_ok' | 'matches_failed';

/**
 * Counts one auth and one of the detailed counts. Refused if the plan is used up, or if the app was erased meanwhile:
 * a running request must not leave traces of it. Of an app that is being erased, the galleries are gone already.
 */
export async function countAuth(
  sql: Sql,
  gallery: GalleryKey,
  auth: AuthCount,
  also: UsageColumn | null,
): Promise<AuthRefused | null> {
  const { appId, mode } = gallery;
  const one = (column: UsageColumn) => (column === also ? 1 : 0);
  if (auth.limit === null || auth.limit > 0) {
    const counted = await sql.run(
      `INSERT INTO usage (app_id, mode, month, auths, enrolls, matches_ok, matches_failed)
       SELECT app_id, mode, CAST($3 AS TEXT), 1, CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT)
       FROM galleries WHERE app_id = $1 AND mode = $2
       ON CONFLICT (app_id, mode, month) DO UPDATE SET
         auths = usage.auths + 1, enrolls = usage.enrolls + $4,
         matches_ok = usage.matches_ok + $5, matches_failed = usage.matches_failed + $6
       WHERE $7 < 0 OR usage.auths < $7`,
      appId,
      mode,
      auth.month,
      one('enrolls'),
      one('matches_ok'),
      one('matches_failed'),
      auth.limit ?? -1,
    );
    if (counted === 1) return null;
  }
  const isThere = await sql.get('SELECT 1 FROM galleries WHERE app_id = $1 AND mode = $2', appId, mode);
  return isThere
    ? { outcome: 'plan_limit', used: (await usageOf(sql, gallery, auth.month)).auths }
    : { outcome: 'app_gone' };
}
