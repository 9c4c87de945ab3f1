/** What the scheduled jobs do, in SQL. */
import type { RetentionStore, UserPlace } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { eraseUser } from './erasure.ts';

interface PlaceRow {
  id: string;
  app_id: string;
  mode: Mode;
}

export function retentionStore(context: StoreContext): RetentionStore {
  const { driver, random } = context;
  return {
    async usersEnrolledBefore(mode, moment, limit) {
      const rows = await driver.read.all<PlaceRow>(
        'SELECT id, app_id, mode FROM users WHERE mode = $1 AND created_at <= $2 ORDER BY created_at LIMIT $3',
        mode,
        moment,
        limit,
      );
      return rows.map(place);
    },

    async usersIdleSince(moment, limit) {
      const rows = await driver.read.all<PlaceRow>(
        `SELECT id, app_id, mode FROM users
         WHERE mode IN ('live', 'test') AND created_at <= $1 AND COALESCE(last_sign_in_at, created_at) <= $1 LIMIT $2`,
        moment,
        limit,
      );
      return rows.map(place);
    },

    async deleteUsers(users, at, events = 'anonymous') {
      const erased = await writeAndForget(context, async sql => {
        let count = 0;
        for (const { gallery, id } of users) {
          if (await eraseUser(sql, random, gallery, id, at, events)) count += 1;
        }
        return count;
      });
      await driver.scrub(erased === 0);
      return erased;
    },

    deleteEvents: (before, limit) =>
      driver.write(sql =>
        sql.run(
          'DELETE FROM auth_events WHERE id IN (SELECT id FROM auth_events WHERE at < $1 ORDER BY at LIMIT $2)',
          before,
          limit,
        ),
      ),

    deleteOutlived: now =>
      driver.write(async sql => {
        const tokens = await sql.run('DELETE FROM revoked_tokens WHERE expires_at <= $1', now);
        const codes = await sql.run('DELETE FROM email_codes WHERE expires_at <= $1', now);
        return tokens + codes + (await sql.run('DELETE FROM windows WHERE ends_at <= $1', now));
      }),

    async jobRuns() {
      const rows = await driver.read.all<{ name: string; last_run: number }>(
        'SELECT name, last_run FROM jobs',
      );
      return new Map(rows.map(row => [row.name, row.last_run]));
    },

    async recordJobRun(name, at) {
      await driver.write(sql =>
        sql.run(
          'INSERT INTO jobs (name, last_run) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last_run = $2',
          name,
          at,
        ),
      );
    },
  };
}

function place(row: PlaceRow): UserPlace {
  return { id: row.id, gallery: { appId: row.app_id, mode: row.mode } };
}
