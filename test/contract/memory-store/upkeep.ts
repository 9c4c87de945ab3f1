/** What scheduled jobs and operators ask. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type {
  EventFilter,
  EventRecord,
  OperatingStore,
  PlacedUser,
  RetentionStore,
} from '../../../src/ports/store.ts';
import { LOOK_ALIKES_KEPT } from '../../../src/protocol/limits.ts';
import { dayOf } from '../../../src/protocol/time.ts';
import { peekWindow } from './counting.ts';
import {
  by,
  type Data,
  type Event,
  type EventDay,
  galleryOf,
  inGallery,
  type Sync,
  type User,
} from './data.ts';
import { eraseUser } from './erasure.ts';
import { galleryState, opened } from './galleries.ts';
import { findByNumber, findUser, userPage, userRecord } from './users.ts';

const lastSeen = (user: User) => user.lastSignInAt ?? user.createdAt;
const placeOf = (user: User) => ({ id: user.id, gallery: galleryOf(user) });

export function retentionVerbs(data: Data): Sync<RetentionStore> {
  const { users, jobs } = data;
  return {
    usersEnrolledBefore: (mode, moment, limit) =>
      users
        .where(user => user.mode === mode && user.createdAt <= moment)
        .sort(by(user => user.createdAt))
        .slice(0, limit)
        .map(placeOf),
    usersIdleSince: (moment, limit) =>
      users
        .where(user => lastSeen(user) <= moment)
        .slice(0, limit)
        .map(placeOf),
    // An import is not a verb: it writes to a driver.
    dropUnfinishedImports: () => 0,
    deleteUsers: (places, at, { events, idleSince } = {}) =>
      places.filter(({ gallery, id }) => {
        const user = findUser(data, gallery, id);
        const isSpared = user && idleSince !== undefined && lastSeen(user) > idleSince;
        return !isSpared && eraseUser(data, gallery, id, at, events);
      }).length,
    settleErasures: () => undefined,
    finishErasures: () => undefined,
    deleteEvents(before, limit) {
      for (const days of [data.eventDays, data.distanceDays])
        days.deleteWhere((row: { day: number }) => row.day < dayOf(before));
      const old = data.authEvents.where(event => event.at < before).sort(by(event => event.at));
      const gone = old.slice(0, limit);
      for (const event of gone) data.authEvents.delete(event);
      return gone.length;
    },
    deleteExpired(now, limit) {
      const hasEnded = (row: { expiresAt: number }) => row.expiresAt <= now;
      let deleted = data.revokedTokens.deleteWhere(hasEnded, limit);
      deleted += data.emailCodes.deleteWhere(hasEnded, limit - deleted);
      deleted += data.windows.deleteWhere(row => row.endsAt <= now, limit - deleted);
      return deleted + data.knownNetworks.deleteWhere(row => row.endsAt <= now, limit - deleted);
    },
    pruneRemovals(before, limit) {
      const old = data.removedTemplates
        .where(row => row.removedAt < before)
        .sort(
          by(
            row => row.removedAt,
            row => row.sequence,
          ),
        )
        .slice(0, limit);
      for (const row of old) {
        const state = galleryState(data, row);
        data.galleries.set({ ...state, prunedTo: Math.max(state.prunedTo, row.sequence) });
        data.removedTemplates.delete(row);
      }
      return old.length;
    },
    pruneErasures: before => data.erasures.deleteWhere(row => row.erasedAt < before),
    knownTime: () => data.knownTime,
    raiseKnownTime(moment, most) {
      data.knownTime ??= moment;
      if (moment - data.knownTime <= most) data.knownTime = Math.max(data.knownTime, moment);
      return data.knownTime;
    },
    setKnownTime(moment) {
      data.knownTime = moment;
    },
    endOverlong: now => void data.emailCodes.deleteWhere(code => code.expiresAt > now + 3_660_000),
    jobRuns: () => new Map(jobs.where().map(row => [row.name, row.lastRun])),
    recordJobRun: (name, lastRun) => jobs.set({ name, lastRun }),
  };
}

function eventRecord({ appId, mode, liveness, ...event }: Event): EventRecord {
  return { ...event, gallery: { appId, mode }, liveness: liveness === null ? null : JSON.parse(liveness) };
}

function isWanted({ appId, mode, userId, type, since, until }: EventFilter, event: Event): boolean {
  return (
    (appId === undefined || event.appId === appId) &&
    (mode === undefined || event.mode === mode) &&
    (userId === undefined || event.userId === userId) &&
    (type === undefined || event.type === type) &&
    (since === undefined || event.at >= since) &&
    (until === undefined || event.at < until)
  );
}

export function operatingVerbs(data: Data): Sync<OperatingStore> {
  const { users, templates, authEvents } = data;
  const place = by<GalleryKey>(
    row => row.appId,
    row => row.mode,
  );
  const oldestEvent = by<Pick<EventRecord, 'at' | 'id'>>(
    event => event.at,
    event => event.id,
  );
  const placed = (user: User): PlacedUser => ({
    gallery: galleryOf(user),
    user: userRecord(user),
    templateCount: templates.where(row => row.userId === user.id).length,
  });
  const isOf = (appId: string | null) => (row: GalleryKey) => appId === null || row.appId === appId;

  return {
    placeUser(id) {
      const user = users.get(id);
      return user ? placed(user) : null;
    },
    listPlacedUsers: (gallery, after, limit, order) =>
      userPage(data, gallery, after, limit, order).map(placed),
    searchUsers: (gallery, contains, after, limit, order) =>
      userPage(data, gallery, after, Number.MAX_SAFE_INTEGER, order)
        .filter(({ email, name }) =>
          [email, name].some(text => text.toLowerCase().includes(contains.toLowerCase())),
        )
        .slice(0, limit)
        .map(placed),
    userFile(id, withVectors) {
      const user = users.get(id);
      if (!user) return null;
      const { userId: _, ...consent } = data.consents.get(id) ?? { userId: null };
      const isTheirs = (row: { userId: string | null }) => row.userId === id;
      return {
        ...placed(user),
        consent: 'policyVersion' in consent ? consent : null,
        templates: templates
          .where(isTheirs)
          .sort(by(row => row.sequence))
          .map(row => ({
            ...{ id: row.id, origin: row.origin, createdAt: row.createdAt },
            vector: withVectors ? (opened(data, row)?.vector ?? null) : null,
          })),
        events: authEvents.where(isTheirs).sort(oldestEvent).map(eventRecord),
        codes: data.emailCodes
          .where(isTheirs)
          .sort(by(code => code.kind))
          .map(({ kind, expiresAt, wrong, newEmail }) => ({ kind, expiresAt, wrong, newEmail })),
      };
    },
    listEvents: (filter, before, limit) =>
      authEvents
        .where(event => isWanted(filter, event) && (before === null || oldestEvent(event, before) < 0))
        .sort((a, b) => oldestEvent(b, a))
        .slice(0, limit)
        .map(eventRecord),
    eventsAfter: (filter, after, limit) =>
      authEvents
        .where(event => isWanted(filter, event) && oldestEvent(event, after) > 0)
        .sort(oldestEvent)
        .slice(0, limit)
        .reverse()
        .map(eventRecord),
    census(appId) {
      const counts = new Map<string, { gallery: GalleryKey; users: number; templates: number }>();
      for (const user of users.where(isOf(appId)).sort(place)) {
        const gallery = galleryOf(user);
        const name = JSON.stringify(gallery);
        const own = templates.where(inGallery(gallery)).length;
        counts.set(name, { gallery, users: (counts.get(name)?.users ?? 0) + 1, templates: own });
      }
      return [...counts.values()];
    },
    usageIn: (month, appId) =>
      data.usage
        .where(row => row.month === month && isOf(appId)(row))
        .sort(place)
        .map(({ appId: id, mode, month: _, ...counts }) => ({ gallery: { appId: id, mode }, ...counts })),
    countLookAlikes(gallery, numbers, at) {
      const [one, two] = numbers.map(number => findByNumber(data, gallery, number));
      if (!one || !two || one.id === two.id) return;
      const isLater = one.createdAt - two.createdAt || (numbers[0] ?? 0) - (numbers[1] ?? 0);
      const [younger, older] = isLater > 0 ? [one, two] : [two, one];
      const count = (data.lookAlikes.get(younger.id, older.id)?.count ?? 0) + 1;
      const pair = { youngerId: younger.id, olderId: older.id };
      data.lookAlikes.set({ ...galleryOf(gallery), ...pair, count, lastAt: at });
      const pairs = data.lookAlikes.where(inGallery(gallery)).sort(by(row => -row.lastAt));
      const last = pairs[LOOK_ALIKES_KEPT - 1]?.lastAt ?? Number.NEGATIVE_INFINITY;
      for (const row of pairs) if (row.lastAt < last) data.lookAlikes.delete(row);
    },
    lookAlikes: (since, least, limit) =>
      data.lookAlikes
        .where(row => row.lastAt >= since && row.count >= least)
        .sort(
          by(
            row => -row.count,
            row => row.youngerId,
            row => row.olderId,
          ),
        )
        .slice(0, limit)
        .map(({ youngerId: younger, olderId: older, count, ...row }) => ({
          gallery: galleryOf(row),
          ...{ younger, older, count },
        })),
    windowsUnder: (appId, beginning, now) =>
      data.windows
        .where(row => row.appId === appId && row.key.startsWith(beginning) && row.endsAt > now)
        .sort(by(row => row.key))
        .map(({ count, endsAt }) => ({ count, endsAt })),
    galleryWindows: (kind, now) =>
      data.galleries
        .where(() => true)
        .sort(place)
        .flatMap(({ appId, mode }) => {
          const open = peekWindow(data, `${kind}:${appId}:${mode}`, now);
          return open ? [{ gallery: { appId, mode }, count: open.count }] : [];
        }),
    distancesPerDay: (gallery, from, to) =>
      data.distanceDays
        .where(row => inGallery(gallery)(row) && row.day >= dayOf(from) && row.day <= dayOf(to))
        .map(({ day, outcome, bin, count }) => ({ day, outcome, bin, count }))
        .sort(
          by(
            row => row.day,
            row => row.outcome,
            row => row.bin,
          ),
        ),
    eventsPerDay({ appId, mode: only, from, to }) {
      const isAsked = (row: EventDay) =>
        row.day >= dayOf(from) && row.day <= dayOf(to) && (only === undefined || row.mode === only);
      const days = Map.groupBy(
        data.eventDays.where(row => isAsked(row) && isOf(appId)(row)),
        ({ day, mode, type }) => JSON.stringify([day, mode, type]),
      );
      return [...days]
        .map(([name, rows]) => {
          const [day, mode, type] = JSON.parse(name);
          return { day, mode, type, count: rows.reduce((sum, row) => sum + row.count, 0) };
        })
        .sort(
          by(
            row => row.day,
            row => row.mode,
            row => row.type,
          ),
        );
    },
  };
}
