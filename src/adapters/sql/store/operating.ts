/** Users, events and statistics for operators, in SQL. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { DayCount, GalleryUsage, OperatingStore } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { dayOf } from '../../../protocol/time.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql, Value } from '../driver.ts';
import { ofGallery } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { distancesPerDay } from './distances.ts';
import { eventQuery } from './event-query.ts';
import { NOT_IMPORTING } from './imports.ts';
import { countLookAlikes, lookAlikes } from './look-alikes.ts';
import { events, listUsers, placeUser } from './placed-rows.ts';
import { unexpired } from './unexpired.ts';
import { userFile } from './user-file.ts';
import { searchUsers } from './user-search.ts';

interface CountRow {
  app_id: string;
  mode: Mode;
  n: number;
}

export function operatingStore({ driver, vault }: StoreContext): OperatingStore {
  const { read } = driver;
  return {
    placeUser: id => placeUser(read, vault, id),

    listUsers: (gallery, after, limit, { order = 'oldest', contains } = {}) =>
      opening(vault.keys(read, gallery.appId), opener =>
        contains === undefined
          ? listUsers(read, opener, gallery, after, limit, order)
          : searchUsers(read, opener, { gallery, contains, after, limit, order }),
      ),

    userFile: (id, withVectors) => driver.snapshot(sql => userFile(sql, vault, id, withVectors)),

    listEvents: (filter, from, limit, order = 'newest') =>
      events(read, vault, eventQuery(filter, from, limit, order)),

    async census(appId) {
      const [users, templates] = [
        await countsOf(read, 'users', appId),
        await countsOf(read, 'templates', appId),
      ];
      return users.map(({ app_id, mode, n }) => ({
        gallery: { appId: app_id, mode },
        users: n,
        templates: templates.find(other => other.app_id === app_id && other.mode === mode)?.n ?? 0,
      }));
    },

    usageIn: (month, appId) =>
      read
        .all<Omit<GalleryUsage, 'gallery'> & GalleryKey>(
          `SELECT app_id AS "appId", mode, auths, enrolls, matches_ok AS "matchesOk", matches_failed AS "matchesFailed"
           FROM usage WHERE month = $1 AND ${NOT_IMPORTING} ${appId === null ? '' : 'AND app_id = $2'} ORDER BY app_id, mode`,
          ...(appId === null ? [month] : [month, appId]),
        )
        .then(rows =>
          rows.map(({ appId: id, mode, ...counts }) => ({ gallery: { appId: id, mode }, ...counts })),
        ),

    countLookAlikes: (gallery, users, at) =>
      driver.write(ofGallery(gallery), sql => countLookAlikes(sql, vault, gallery, users, at)),
    lookAlikes: (since, least, limit) => lookAlikes(read, since, least, limit),

    windowsUnder: (appId, beginning, now) =>
      read
        .all<{ count: number; ends_at: number }>(
          `SELECT count, ends_at FROM windows WHERE app_id = $1 AND substr(key, 1, ${beginning.length}) = $2
             AND ends_at > $3 ORDER BY key`,
          appId,
          beginning,
          now,
        )
        .then(rows => rows.map(({ count, ends_at: endsAt }) => ({ count, endsAt }))),

    galleryWindows: async (kind, now) =>
      (
        await read.all<GalleryKey & { count: number }>(
          `SELECT g.app_id AS "appId", g.mode, w.count FROM galleries g
           JOIN windows w ON w.key = CAST($1 AS TEXT) || ':' || g.app_id || ':' || g.mode
           WHERE ${unexpired('w.ends_at', '$2')} ORDER BY g.app_id, g.mode`,
          kind,
          now,
        )
      ).map(({ count, ...gallery }) => ({ gallery, count })),

    eventsPerDay: ({ appId, mode, from, to }) => {
      const values: Value[] = [dayOf(from), dayOf(to)];
      const terms = [NOT_IMPORTING, 'day >= $1', 'day <= $2'];
      if (appId !== null) terms.push(`app_id = $${values.push(appId)}`);
      if (mode !== undefined) terms.push(`mode = $${values.push(mode)}`);
      return read.all<DayCount>(
        `SELECT day, mode, type, CAST(SUM(count) AS BIGINT) AS count FROM event_days
         WHERE ${terms.join(' AND ')} GROUP BY day, mode, type ORDER BY day, mode, type`,
        ...values,
      );
    },

    async appCounts(appIds, from, to) {
      if (appIds.length === 0) return [];
      const among = (after: number) =>
        `app_id IN (${appIds.map((_, at) => `$${after + at + 1}`).join(', ')})`;
      const [users, days] = await Promise.all([
        read.all<CountRow>(
          `SELECT app_id, mode, COUNT(*) AS n FROM users WHERE ${among(0)} GROUP BY app_id, mode`,
          ...appIds,
        ),
        read.all<{ app_id: string; day: number; n: number }>(
          `SELECT app_id, day, CAST(SUM(count) AS BIGINT) AS n FROM event_days
           WHERE day >= $1 AND day <= $2 AND mode = 'live' AND type IN ('enroll', 'match', 'email_code') AND ${among(2)}
           GROUP BY app_id, day`,
          dayOf(from),
          dayOf(to),
          ...appIds,
        ),
      ]);
      const counted = new Map(users.map(({ app_id, mode, n }) => [`${app_id}:${mode}`, n]));
      return appIds.map(appId => ({
        appId,
        users: { live: counted.get(`${appId}:live`) ?? 0, test: counted.get(`${appId}:test`) ?? 0 },
        auths: new Map(days.flatMap(({ app_id, day, n }) => (app_id === appId ? [[day, n]] : []))),
      }));
    },

    distancesPerDay: (gallery, from, to) => distancesPerDay(read, gallery, from, to),
  };
}

function countsOf(sql: Sql, table: 'users' | 'templates', appId: string | null): Promise<CountRow[]> {
  return sql.all<CountRow>(
    `SELECT app_id, mode, COUNT(*) AS n FROM ${table} WHERE ${NOT_IMPORTING} ${appId === null ? '' : 'AND app_id = $1'}
     GROUP BY app_id, mode ORDER BY app_id, mode`,
    ...(appId === null ? [] : [appId]),
  );
}
