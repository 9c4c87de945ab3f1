/** The work of the scheduled jobs, in SQL. */
import type { Prunable, RetentionStore } from '../../../ports/store.ts';
import { DAY, HOUR, OPERATOR_SESSION_IDLE } from '../../../protocol/limits.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { dayOf } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';
import { latestMoment, setErasuresReach, setKnownTime } from '../keys/meta.ts';
import { OPERATORS, ofGalleries, ROWS, SERVICE } from '../scope.ts';
import { appendDone, pruneAudit } from './audit.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { pruneDeliveries } from './dropped-events.ts';
import { erase, eraseUser, finishErasures } from './erasure.ts';
import { pruneRemovals } from './galleries.ts';
import { discardInterrupted, NOT_IMPORTING } from './imports.ts';
import { pruneOutbox } from './outbox.ts';
import { erasedSinceCompaction } from './rebuilds.ts';
import { SLACK } from './unexpired.ts';
import { refuseInQuestion } from './users.ts';

interface PlaceRow {
  id: string;
  app_id: string;
  mode: Mode;
}

/** How far the known time may lag behind. */
const KNOWN_TIME_STEP = 30_000;

/** Table, key, and condition of the rows that are over at a moment. */
type Ending = readonly [table: string, key: string, isOver: string];

const ENDING: Readonly<
  Record<
    Exclude<Prunable, 'events' | 'removals' | 'audit' | 'outbox' | 'deliveries' | 'erasures'>,
    readonly Ending[]
  >
> = {
  challenges: [['challenges', 'id', 'expires_at <= $1']],
  expired: [
    ['revoked_tokens', 'jti', 'expires_at <= $1'],
    ['email_codes', 'id', 'expires_at <= $1'],
    ['windows', 'key', 'ends_at <= $1'],
    ['minute_windows', 'key', 'ends_at <= $1'],
    ['known_networks', 'network', 'ends_at <= $1'],
  ],
  operators: [
    ['operator_sessions', 'id', `(ends_at <= $1 OR seen_at <= $1 - ${OPERATOR_SESSION_IDLE})`],
    ['operator_links', 'id', 'expires_at <= $1'],
    ['ceremonies', 'browser', 'expires_at <= $1'],
  ],
};

/** Rows that end by themselves: table, column with the end, and more than any of them lasts. */
const LASTING = [
  ['challenges', 'expires_at', HOUR],
  ['email_codes', 'expires_at', HOUR],
  ['operator_sessions', 'ends_at', DAY],
  ['operator_links', 'expires_at', 7 * DAY],
  ['ceremonies', 'expires_at', HOUR],
] as const;
/** An API key works on for at most this long after it was rolled. */
const LONGEST_ROLL = 7 * DAY;

export function retentionStore(context: StoreContext): RetentionStore {
  const { driver } = context;
  let resumed = false;
  return {
    async agedUsers(by, moment, limit) {
      const chosen =
        by === 'idle'
          ? `mode IN ('live', 'test') AND created_at <= $1 AND COALESCE(last_sign_in_at, created_at) <= $1
               AND ${NOT_IMPORTING}`
          : `mode = $3 AND created_at <= $1 AND ${NOT_IMPORTING} ORDER BY created_at`;
      const rows = await driver.read.all<PlaceRow>(
        `SELECT id, app_id, mode FROM users WHERE ${chosen} LIMIT $2`,
        moment,
        limit,
        ...(by === 'idle' ? [] : [by.enrolled]),
      );
      return rows.map(row => ({ id: row.id, gallery: { appId: row.app_id, mode: row.mode } }));
    },

    dropUnfinishedImports: signal => discardInterrupted(context, signal),

    deleteUsers: (users, at, { events, reason = 'operator', idleSince = null, ...by } = {}, entry) =>
      erase(context, ofGalleries(users.map(({ gallery }) => gallery)), async sql => {
        let erased = 0;
        for (const { gallery, id } of users) {
          await refuseInQuestion(sql, id, by);
          if (idleSince !== null && !(await isIdle(sql, id, idleSince))) continue;
          if (await eraseUser(sql, context, gallery, id, at, reason, events)) erased += 1;
        }
        if (erased > 0) await appendDone(sql, context.vault, entry);
        return erased;
      }),

    async settleErasures() {
      // An earlier process may have been killed before an outstanding rebuild.
      if (!resumed && driver.file && (await erasedSinceCompaction(driver.read))) driver.file.oweCompaction();
      resumed = true;
      await context.memory.recall('owners of keys', async () => {
        await context.vault.forgetGone(driver.read);
        return true;
      });
      await context.writeJournal();
      await driver.scrub(true);
    },

    finishErasures: () => finishErasures(context),

    prune: (what, moment, limit) => {
      if (what === 'erasures') return pruneErasures(context, moment);
      if (what === 'deliveries') return pruneDeliveries(context, moment, limit);
      return driver.write(what === 'audit' ? OPERATORS : ROWS, sql => {
        if (what === 'events') return pruneEvents(sql, moment, limit);
        if (what === 'removals') return pruneRemovals(sql, moment, limit);
        if (what === 'outbox') return pruneOutbox(sql, moment, limit);
        if (what === 'audit') return pruneAudit(sql, context.vault, moment, limit);
        return pruneEnded(sql, ENDING[what], moment, limit);
      });
    },

    knownTime: () => latestMoment(driver.read),

    async setKnownTime(moment, most, entry) {
      if (most === null) {
        await driver.write(SERVICE, async sql => {
          await setKnownTime(sql, moment);
          await appendDone(sql, context.vault, entry);
        });
        return moment;
      }
      const before = await latestMoment(driver.read);
      // Not at every call: a write takes the disk.
      if (before !== null && moment - before < KNOWN_TIME_STEP) return before;
      return driver.write(SERVICE, async sql => {
        const known = (await latestMoment(sql)) ?? moment;
        const raised = moment - known > most ? known : Math.max(known, moment);
        await setKnownTime(sql, raised);
        return raised;
      });
    },

    endOverlong: now =>
      writeAndForget(context, SERVICE, async sql => {
        for (const [table, end, longest] of LASTING)
          await sql.run(`DELETE FROM ${table} WHERE ${end} > $1`, now + longest + SLACK);
        await sql.run('UPDATE api_keys SET ends_at = $1 WHERE ends_at > $2', now, now + LONGEST_ROLL + SLACK);
        // Otherwise all tokens would count as revoked until then.
        const second = Math.ceil(now / 1_000);
        await sql.run(
          `UPDATE meta SET value = $1 WHERE name = 'restored_at' AND CAST(value AS BIGINT) > CAST($2 AS BIGINT)`,
          String(second),
          String(second + SLACK / 1_000),
        );
      }),

    async jobRuns() {
      const rows = await driver.read.all<{ name: string; last_run: number }>(
        'SELECT name, last_run FROM jobs',
      );
      return new Map(rows.map(row => [row.name, row.last_run]));
    },

    async recordJobRun(name, at) {
      await driver.write(ROWS, sql =>
        sql.run(
          'INSERT INTO jobs (name, last_run) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last_run = $2',
          name,
          at,
        ),
      );
    },
  };
}

/** Checked again at the erasure: the user may have signed in since the list was made. */
async function isIdle(sql: Sql, id: string, since: number): Promise<boolean> {
  const row = await sql.get(
    'SELECT 1 FROM users WHERE id = $1 AND COALESCE(last_sign_in_at, created_at) <= $2',
    id,
    since,
  );
  return row !== undefined;
}

async function pruneErasures({ driver, pruneJournal }: StoreContext, before: number): Promise<number> {
  const forgotten = await driver.write(SERVICE, async sql => {
    const rows = await sql.run('DELETE FROM erasures WHERE erased_at < $1 AND journaled = 1', before);
    if (rows > 0) await setErasuresReach(sql, before);
    return rows;
  });
  return Math.max(forgotten, await pruneJournal(before));
}

async function pruneEvents(sql: Sql, before: number, limit: number): Promise<number> {
  for (const table of ['event_days', 'distance_days'])
    await sql.run(`DELETE FROM ${table} WHERE day < $1`, dayOf(before));
  return sql.run(
    'DELETE FROM auth_events WHERE id IN (SELECT id FROM auth_events WHERE at < $1 ORDER BY at LIMIT $2)',
    before,
    limit,
  );
}

async function pruneEnded(sql: Sql, tables: readonly Ending[], now: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const [table, key, isOver] of tables)
    deleted += await sql.run(
      // What others hold is in use again: to wait for it could be to wait for each other.
      `DELETE FROM ${table} WHERE ${key} IN
         (SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      now,
      limit - deleted,
    );
  return deleted;
}
