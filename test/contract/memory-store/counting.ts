/** Windows, the usage of a month, and the audit trail. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import {
  type AuthCount,
  type AuthRefused,
  type EventOrigin,
  type EventType,
  fullAt,
  type KnownNetwork,
  type Lockout,
  type MatchOutcome,
  type OwnedWindow,
  type UsageCounts,
  type Window,
  type WindowState,
} from '../../../src/ports/store.ts';
import { DAY, NETWORKS_PER_USER } from '../../../src/protocol/limits.ts';
import { dayOf } from '../../../src/protocol/time.ts';
import { by, type Data, galleryOf } from './data.ts';

export function peekWindow(
  { windows }: Data,
  key: string,
  now: number,
  length = Number.POSITIVE_INFINITY,
): WindowState | null {
  const open = windows.get(key);
  return open && open.endsAt > now && open.endsAt <= now + length + 60_000
    ? { count: open.count, endsAt: open.endsAt }
    : null;
}

export function fullWindow(data: Data, window: Window, now: number): WindowState | null {
  const open = peekWindow(data, window.key, now, window.length);
  return open && open.count >= fullAt(window) ? open : null;
}

export function takeWindow(data: Data, appId: string | null, window: Window, now: number) {
  const open = peekWindow(data, window.key, now, window.length);
  const endsAt = open?.endsAt ?? now + window.length;
  const { events = 1 } = window;
  const before = open?.count ?? 0;
  if (before >= fullAt(window) || (appId !== null && !data.apps.get(appId))) return { taken: false, endsAt };
  const owner = data.windows.get(window.key)?.appId ?? appId ?? '';
  if (events > 0) data.windows.set({ key: window.key, appId: owner, count: before + events, endsAt });
  return { taken: true, endsAt };
}

export function takeWindows(data: Data, windows: readonly OwnedWindow[], now: number) {
  const ends = windows.map(window => {
    const opens = fullAt(window) > 0 && (window.appId === null || data.apps.get(window.appId));
    return fullWindow(data, window, now)?.endsAt ?? (opens ? null : now + window.length);
  });
  const full = ends.findIndex(end => end !== null);
  if (full >= 0) return { taken: false as const, full, endsAt: Math.max(...ends.map(end => end ?? 0)) };
  for (const window of windows) takeWindow(data, window.appId, window, now);
  return { taken: true as const };
}

function windowsOf({ longer, ...window }: Lockout): Window[] {
  return longer ? [window, longer] : [window];
}

/** False: in none. */
export function countFailure(data: Data, appId: string, lockout: Lockout, now: number): boolean {
  return windowsOf(lockout)
    .map(window => takeWindow(data, appId, window, now).taken)
    .includes(true);
}

export function lockedUntil(data: Data, lockout: Lockout, now: number): number | null {
  const ends = windowsOf(lockout).flatMap(window => fullWindow(data, window, now)?.endsAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

export function moveFailures(data: Data, appId: string, from: string, to: string, now: number): void {
  const isMoved = (key: string) => key === from || key.startsWith(`${from}:`);
  for (const moved of data.windows.where(row => isMoved(row.key) && row.endsAt > now)) {
    const key = to + moved.key.slice(from.length);
    const own = peekWindow(data, key, now);
    const endsAt = Math.max(moved.endsAt, own?.endsAt ?? 0);
    data.windows.delete(moved);
    data.windows.set({ key, appId, count: moved.count + (own?.count ?? 0), endsAt });
  }
}

/** Keeps the latest networks of the user. */
export function rememberNetwork(data: Data, appId: string, userId: string, known: KnownNetwork): void {
  const { knownNetworks } = data;
  const before = knownNetworks.get(userId, known.network);
  if (!before || before.endsAt < known.endsAt - DAY) knownNetworks.set({ userId, appId, ...known });
  const others = knownNetworks.where(row => row.userId === userId && row.network !== known.network);
  const surplus = others
    .sort(
      by(
        row => -row.endsAt,
        row => row.network,
      ),
    )
    .slice(NETWORKS_PER_USER - 1);
  for (const row of surplus) knownNetworks.delete(row);
}

export function usageOf({ usage }: Data, { appId, mode }: GalleryKey, month: string): UsageCounts {
  const { auths, enrolls, matchesOk, matchesFailed } = usage.get(appId, mode, month) ?? {
    auths: 0,
    enrolls: 0,
    matchesOk: 0,
    matchesFailed: 0,
  };
  return { auths, enrolls, matchesOk, matchesFailed };
}

export function countAuth(
  data: Data,
  gallery: GalleryKey,
  { month, limit }: AuthCount,
  also: 'enrolls' | 'matchesOk' | null = null,
): AuthRefused | null {
  if (!data.apps.get(gallery.appId)) return { outcome: 'app_gone' };
  const before = usageOf(data, gallery, month);
  if (limit !== null && before.auths >= limit) return { outcome: 'plan_limit', used: before.auths };
  const more = also ? { [also]: before[also] + 1 } : {};
  data.usage.set({ ...galleryOf(gallery), month, ...before, auths: before.auths + 1, ...more });
  return null;
}

export function countFailedMatch(data: Data, gallery: GalleryKey, month: string): void {
  const before = usageOf(data, gallery, month);
  data.usage.set({ ...galleryOf(gallery), month, ...before, matchesFailed: before.matchesFailed + 1 });
}

export function addEvent(
  data: Data,
  gallery: GalleryKey,
  type: EventType,
  at: number,
  userId: string | null = null,
  origin: EventOrigin | null = null,
): void {
  const id = `evt_${data.random.bytes(12).toString('hex')}`;
  const liveness = origin?.liveness === undefined ? null : JSON.stringify(origin.liveness);
  const who = { ip: origin?.ip ?? null, userAgent: origin?.userAgent ?? null, liveness };
  data.authEvents.insert({ id, ...galleryOf(gallery), userId, type, at, ...who });
  const day = dayOf(at);
  const count = data.eventDays.get(gallery.appId, gallery.mode, String(day), type)?.count ?? 0;
  data.eventDays.set({ ...galleryOf(gallery), day, type, count: count + 1 });
}

export function countDistance(
  data: Data,
  gallery: GalleryKey,
  outcome: MatchOutcome,
  bin: number,
  at: number,
): void {
  const day = dayOf(at);
  const { appId, mode } = gallery;
  const count = data.distanceDays.get(appId, mode, String(day), outcome, String(bin))?.count ?? 0;
  data.distanceDays.set({ appId, mode, day, outcome, bin, count: count + 1 });
}
