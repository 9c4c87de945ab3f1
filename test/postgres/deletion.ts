/** Apps with many rows: erased a part at a time, and whatever interrupts that, to the end. */
import * as assert from 'uvu/assert';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import type { StoreContext } from '../../src/adapters/sql/store/context.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import type { ResealPlace } from '../../src/ports/store.ts';
import { count } from '../contract/engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  enrolment,
  FIRST,
  failedMatch,
  LIVE,
  NOW,
  OTHER,
  SECOND,
  signIn,
} from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn, type TwoNodes } from './given.ts';

const USERS = 2_500;
const EVENTS = 3_500;
const TABLES = [
  ...['users', 'consents', 'templates', 'windows', 'galleries', 'api_keys', 'challenges'],
  ...['outbox', 'outbox_heads'],
];

/** Notes how many rows each statement changes. */
const COUNTED = `CREATE TABLE counted (n BIGINT);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO counted SELECT COUNT(*) FROM old_rows; RETURN NULL; END $$;
  CREATE TRIGGER note_users AFTER DELETE ON users REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note();
  CREATE TRIGGER note_events AFTER UPDATE ON auth_events REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note()`;

/** More of everything than one part has. */
async function fill({ db, store }: TwoNodes): Promise<void> {
  const series = (most: number) => `generate_series(1, ${most}) AS n`;
  for (const text of [
    `INSERT INTO users (id, app_id, mode, email_hash, email_verified, created_at, sealed)
     SELECT 'many_' || n, '${FIRST}', 'live', 'hash' || n, 0, n % 7, '' FROM ${series(USERS)}`,
    `INSERT INTO consents (user_id, policy_version, accepted_at, sealed)
     SELECT 'many_' || n, 'p', 0, '' FROM ${series(USERS)}`,
    `INSERT INTO templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)
     SELECT 'tpl_' || n, '${FIRST}', 'live', 'many_' || n, n, 'enrolled', '', 0 FROM ${series(USERS)}`,
    `INSERT INTO windows (key, app_id, count, ends_at) SELECT 'key' || n, '${FIRST}', 1, 1 FROM ${series(USERS)}`,
    `INSERT INTO auth_events (id, app_id, mode, user_id, type, at, sealed)
     SELECT 'evt_' || n, '${FIRST}', 'live', 'many_' || n % ${USERS}, 'match', n % 5, 'sealed' FROM ${series(EVENTS)}`,
    `INSERT INTO outbox (id, app_id, mode, seq, type, at, user_id, sealed)
     SELECT 'told_' || n, '${FIRST}', 'live', n, 'user.enrolled', 0, 'many_' || n, '' FROM ${series(USERS)}`,
    `INSERT INTO outbox_heads (app_id, mode, seq) VALUES ('${FIRST}', 'live', ${USERS})`,
  ])
    await db.rows(text);
  await enrolled(store, { gallery: OTHER });
}

/** As a node leaves the app that dies after the first transaction of its deletion. */
async function interrupt({ db }: TwoNodes): Promise<void> {
  await db.rows(`UPDATE apps SET importing = 2 WHERE id = '${FIRST}'`);
  for (const table of ['api_keys', 'galleries'])
    await db.rows(`DELETE FROM ${table} WHERE app_id = '${FIRST}'`);
}

async function requireGone({ db, store }: TwoNodes): Promise<void> {
  for (const table of TABLES) {
    if (table === 'consents') assert.is(await count(db, 'consents'), 1, table);
    else assert.is(await count(db, table, `app_id = '${FIRST}'`), 0, table);
  }
  assert.is(await count(db, 'apps', `id = '${FIRST}'`), 0);
  assert.is(await count(db, 'data_keys', `owner = '${FIRST}'`), 0);
  const of = `app_id = '${FIRST}'`;
  assert.is(await count(db, 'auth_events', `${of} AND type = 'match'`), EVENTS, 'counts stay');
  assert.is(await count(db, 'auth_events', `${of} AND (user_id IS NOT NULL OR sealed IS NOT NULL)`), 0);
  assert.is(await count(db, 'users', `app_id = '${SECOND}'`), 1);
  assert.equal(
    (await store.listApps()).map(({ id }) => id),
    [SECOND],
  );
}

/** Whether the node keeps the newest key of the app: then it only asks which one is the newest. */
async function knowsKey({ vault, driver }: StoreContext, appId: string): Promise<boolean> {
  let isKnown = false;
  const get = async () => {
    throw new Error('read anew');
  };
  const all = async () => {
    isKnown = true;
    return get();
  };
  await vault.sealer({ ...driver.read, get, all }, appId).catch(() => undefined);
  return isKnown;
}

export function deletions(test: Suite): void {
  const check = nodesOn(test);

  check('an app with thousands of rows of each kind is gone, and its events are only counts', async given => {
    await fill(given);
    await given.db.rows(COUNTED);
    assert.is(await given.store.deleteApp(FIRST, NOW), true);
    await requireGone(given);
    const [most] = await given.db.rows<{ n: number }>('SELECT MAX(n) AS n FROM counted');
    assert.is(Number(most?.n), 1_000, 'rows that one statement changed');
    assert.is(await given.store.deleteApp(FIRST, NOW), false);
  });

  check('what a node that died left of one is not shown, and another node removes it', async given => {
    await fill(given);
    const { db, store } = given;
    await db.rows(`UPDATE apps SET importing = 2 WHERE id = '${FIRST}'`);
    assert.equal(
      (await store.listApps()).map(({ id }) => id),
      [SECOND],
    );
    assert.is(await store.placeUser('many_1'), null);
    await Promise.all([store.finishErasures(), (await db.open()).finishErasures()]);
    await requireGone(given);
  });

  check('who asks again after an interruption finds nothing, and nothing is left', async given => {
    await fill(given);
    await interrupt(given);
    assert.is(await given.store.deleteApp(FIRST, NOW), false);
    await requireGone(given);
  });

  check('another node forgets the keys of the app', async given => {
    const { db, store } = given;
    await fill(given);
    await db.rows(`UPDATE galleries SET sequence = ${USERS} WHERE app_id = '${FIRST}'`);
    const other = await openPostgresContext(locationAt(db.address, tempFolder()), systemRandom());
    try {
      const { store: later } = await openedOn(other);
      await enrolled(later);
      for (const id of [FIRST, SECOND]) await other.vault.sealer(other.driver.read, id);
      const sealers = () => Promise.all([FIRST, SECOND].map(id => knowsKey(other, id)));
      assert.equal(await sealers(), [true, true]);
      let isDeleting = true;
      const deletion = store.deleteApp(FIRST, NOW).finally(() => {
        isDeleting = false;
      });
      while (isDeleting) await later.settleErasures();
      await deletion;
      await later.settleErasures();
      assert.equal(await sealers(), [false, true]);
    } finally {
      await other.driver.close();
    }
  });

  check('another node forgets the keys that a rekeying has destroyed', async ({ db, store }) => {
    const other = await openPostgresContext(locationAt(db.address, tempFolder()), systemRandom());
    try {
      const { store: later } = await openedOn(other);
      await enrolled(later);
      await later.settleErasures();
      await other.vault.sealer(other.driver.read, FIRST);
      assert.is(await knowsKey(other, FIRST), true);
      assert.is(await store.beginRekey(FIRST), 'begun');
      for (let from: ResealPlace | null = { list: 0, after: null }; from; )
        from = (await store.reseal(FIRST, from, 1_000)).next;
      assert.is(await store.destroyOldKeys(FIRST), true);
      await later.settleErasures();
      assert.is(await knowsKey(other, FIRST), false);
    } finally {
      await other.driver.close();
    }
  });

  check('requests that were under way find an empty gallery, and add nothing to it', async given => {
    const { db, store } = given;
    await fill(given);
    await db.rows(`UPDATE galleries SET sequence = ${USERS} WHERE app_id = '${FIRST}'`);
    const known = await enrolled(store);
    const [id = ''] = await challenges(store, 1);
    // From now on this node knows the key.
    assert.is((await store.recordFailedMatch(failedMatch())).outcome, 'recorded');
    await interrupt(given);
    const [added, failed, matched, changed] = await Promise.all([
      store.enrol(enrolment({ sequence: 0 })),
      store.recordFailedMatch(failedMatch()),
      store.recordSignIn(signIn(known.number, id)),
      deleteUser(store, LIVE, known.user.id, NOW),
    ]);
    assert.equal([added.outcome, failed.outcome, changed], ['app_gone', 'app_gone', 0]);
    assert.ok(['app_gone', 'user_gone', 'challenge_invalid'].includes(matched.outcome), matched.outcome);
    await store.finishErasures();
    await requireGone(given);
  });
}
