/** How SQLite reads for an operator beside a running service: by an index, newest first, and not through whole tables. */
import * as assert from 'uvu/assert';
import { eventQuery } from '../../src/adapters/sql/store/event-query.ts';
import { PAGE } from '../../src/adapters/sql/store/galleries.ts';
import { OLD } from '../../src/adapters/sql/store/outbox.ts';
import { eventsAfter, OLDEST, placesOf, REVOKING } from '../../src/adapters/sql/store/outbox-reading.ts';
import { PLACED } from '../../src/adapters/sql/store/placed-rows.ts';
import type { EventFilter, EventPosition } from '../../src/ports/store.ts';
import { contractOn, type TestDatabase } from '../contract/engine.ts';
import { FIRST, NOW } from '../contract/fixtures.ts';
import { sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

async function planOf(db: TestDatabase, text: string): Promise<string> {
  const rows = await db.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text.replace(/\$\d+/g, '1')}`);
  return rows.map(({ detail }) => detail).join('\n');
}

export function sqlitePlans(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('events are read by the index of users, or by that of time from its end', async ({ db }) => {
    const position = { at: NOW, id: 'evt_1' };
    const rows: [EventFilter, EventPosition | null, string][] = [
      [{}, null, 'auth_events_by_time'],
      [{ appId: FIRST, mode: 'live', type: 'match' }, null, 'auth_events_by_gallery'],
      [{ appId: FIRST, mode: 'live' }, null, 'auth_events_by_gallery'],
      [{ appId: FIRST, mode: 'test', since: 1 }, position, 'auth_events_by_gallery'],
      [{ appId: FIRST, since: 1, until: 2 }, position, 'auth_events_by_gallery'],
      [{ mode: 'test', type: 'match' }, null, 'auth_events_by_time'],
      [{}, position, 'auth_events_by_time'],
      [{ userId: 'usr_1', since: 1 }, position, 'auth_events_by_user'],
      [{ userId: 'usr_1' }, null, 'auth_events_by_user'],
      [{ appId: FIRST, mode: 'live', type: 'match', userId: 'usr_1' }, null, 'auth_events_by_user'],
    ];
    for (const [filter, before, index] of rows) {
      const plan = await planOf(db, eventQuery(filter, before, 50, 'newest').text);
      const what = `${JSON.stringify(filter)}: ${plan}`;
      assert.ok(plan.includes(`USING INDEX ${index}`), what);
      // All events of a user may be put in order, and the newest of every type.
      const isOneList =
        index === 'auth_events_by_time' ||
        (index === 'auth_events_by_gallery' && filter.mode !== undefined && filter.type !== undefined);
      if (isOneList) assert.not.match(plan, /TEMP B-TREE FOR ORDER BY/, what);
      if (before ?? filter.since) assert.match(plan, /SEARCH auth_events/, what);
      assert.not.match(plan, /SCAN auth_events(?! USING INDEX)/, what);
    }
  });

  check('people are found by their keys, and their templates counted by an index', async ({ db }) => {
    const plans = [
      [`SELECT ${PLACED} FROM users WHERE id = $1`, /SEARCH users USING INDEX sqlite_autoindex_users/],
      [
        `SELECT ${PLACED} FROM users WHERE app_id = $1 AND mode = $2 AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT $5`,
        /SEARCH users USING INDEX users_by_age/,
      ],
    ] as const;
    for (const [text, wanted] of plans) {
      const plan = await planOf(db, text);
      assert.match(plan, wanted);
      assert.match(plan, /SEARCH templates USING COVERING INDEX templates_by_user/);
      assert.not.match(plan, /SCAN|TEMP B-TREE/);
    }
  });

  check('a page of a gallery is read in its order, and what it looks up is in the index', async ({ db }) => {
    const plan = await planOf(
      db,
      `SELECT ${PAGE} FROM templates
       WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4 ORDER BY sequence LIMIT $5`,
    );
    assert.match(plan, /^SEARCH templates USING INDEX sqlite_autoindex_templates_2/);
    assert.match(plan, /SEARCH e USING COVERING INDEX templates_by_user \(user_id=\? AND origin=\?\)/);
    assert.not.match(plan, /SCAN|TEMP B-TREE/);
  });

  check(
    'what apps are told is read from its place on, and what is old found at the beginning',
    async ({ db }) => {
      for (const [text, wanted] of [
        [
          eventsAfter(),
          /SEARCH outbox USING INDEX sqlite_autoindex_outbox_2 \(app_id=\? AND mode=\? AND seq>/,
        ],
        [eventsAfter('AND type IN (1, 1)'), /SEARCH outbox USING INDEX sqlite_autoindex_outbox_2/],
        [REVOKING, /SEARCH outbox USING INDEX outbox_revocations \(app_id=\? AND mode=\? AND seq>/],
        [OLDEST, /SEARCH outbox USING COVERING INDEX/],
        [OLD.replace(/ FOR .*/, ''), /SEARCH outbox USING COVERING INDEX sqlite_autoindex_outbox_1 \(id</],
        [placesOf(4), /SEARCH outbox_heads USING INDEX sqlite_autoindex_outbox_heads_1/],
        ['DELETE FROM outbox WHERE user_id = $1', /SEARCH outbox USING .*INDEX outbox_by_user/],
      ] as const) {
        const plan = await planOf(db, text);
        assert.match(plan, wanted, text);
        assert.not.match(plan, /SCAN outbox|TEMP B-TREE/, text);
      }
    },
  );

  check('counting and the events of some days stay within an index', async ({ db }) => {
    for (const table of ['users', 'templates'])
      assert.match(
        await planOf(db, `SELECT app_id, mode, COUNT(*) FROM ${table} GROUP BY app_id, mode`),
        /^SCAN \w+ USING COVERING INDEX/,
      );
    const days = 'SELECT mode, type, COUNT(*) FROM auth_events WHERE at >= $1 GROUP BY 1, 2';
    assert.match(await planOf(db, days), /SEARCH auth_events USING INDEX auth_events_by_time/);
  });
}
