/** Users, events and statistics for operators, in SQL. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { DayCount, GalleryUsage, OperatingStore } from '../../../ports/store.ts';
import { DAY } from '../../../protocol/limits.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Sql } from '../driver.ts';
import type { StoreContext } from './context.ts';
import { eventQuery } from './event-query.ts';
import { NOT_IMPORTING } from './imports.ts';
import { type EventRow, event, PLACED, type PlacedRow, placed, placeUser } from './placed-rows.ts';
import { userFile } from './user-file.ts';
import { userPage } from './users.ts';

interface CountRow {
  app_id: string;
  mode: Mode;
  n: number;
}

export function operatingStore({ driver, vault }: StoreContext): OperatingStore {
  const { read } = driver;
  return {
    placeUser: id => placeUser(read, id),

    listPlacedUsers: async (gallery, after, limit) =>
      (await userPage<PlacedRow>(read, PLACED, gallery, after, limit)).map(placed),

    userFile: (id, withVectors) => driver.snapshot(sql => userFile(sql, vault, id, withVectors)),

    async listEvents(filter, before, limit) {
      const { text, values } = eventQuery(filter, before, limit);
      return (await read.all<EventRow>(text, ...values)).map(event);
    },

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

    async eventsPerDay(appId, since) {
      const rows = await read.all<DayCount>(
        `SELECT (at / ${DAY}) * ${DAY} AS day, mode, type, COUNT(*) AS count FROM auth_events
         WHERE at >= $1 AND ${NOT_IMPORTING} ${appId === null ? '' : 'AND app_id = $2'} GROUP BY 1, mode, type ORDER BY 1, mode, type`,
        ...(appId === null ? [since] : [since, appId]),
      );
      return rows;
    },
  };
}

function countsOf(sql: Sql, table: 'users' | 'templates', appId: string | null): Promise<CountRow[]> {
  return sql.all<CountRow>(
    `SELECT app_id, mode, COUNT(*) AS n FROM ${table} WHERE ${NOT_IMPORTING} ${appId === null ? '' : 'AND app_id = $1'}
     GROUP BY app_id, mode ORDER BY app_id, mode`,
    ...(appId === null ? [] : [appId]),
  );
}
