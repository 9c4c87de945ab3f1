/** Whoever seals holds the key: no other one is made, so that none is destroyed, until what was sealed is committed. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { SIGNING_KEYS, type Store } from '../../src/ports/store.ts';
import { DAY } from '../../src/protocol/limits.ts';
import { enrolled, FIRST, LIVE, NOW, signingKey } from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn, WAITING } from './given.ts';

/** A driver whose transactions stop before their commit, from `stop` on. */
function stopping(driver: Driver) {
  let gate: { reached: PromiseWithResolvers<void>; open: PromiseWithResolvers<void> } | null = null;
  const held: Driver = {
    ...driver,
    write: (scope, work) =>
      driver.write(scope, async sql => {
        const answer = await work(sql);
        if (gate) {
          // However long the other node takes.
          await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
          gate.reached.resolve();
          await gate.open.promise;
        }
        return answer;
      }),
  };
  return {
    held,
    stop() {
      gate = { reached: Promise.withResolvers(), open: Promise.withResolvers() };
      return gate.reached.promise;
    },
    go() {
      gate?.open.resolve();
      gate = null;
    },
  };
}

export function sealing(test: Suite): void {
  const check = nodesOn(test);

  check('another key waits for whoever seals with the one before', async ({ db, store }) => {
    const context = await openPostgresContext(locationAt(db.address, tempFolder()), systemRandom());
    const { held, stop, go } = stopping(context.driver);
    const other = (await openedOn({ ...context, driver: held })).store;
    const running: Promise<unknown>[] = [];
    try {
      const { user } = await enrolled(store);
      await store.addSigningKey(signingKey('one'), null);
      const key = signingKey('two', NOW + 2 * DAY);
      const acts: [owner: string, what: string, seal: (store: Store) => Promise<unknown>][] = [
        [FIRST, 'an enrolment', one => enrolled(one)],
        [FIRST, 'another name', one => one.updateUser(LIVE, user.id, { name: 'Other' })],
        [
          SIGNING_KEYS,
          'a signing key',
          one => one.addSigningKey(key, { now: NOW, keep: DAY, revokeOld: true }),
        ],
      ];
      const keys = () => db.rows<{ owner: string }>('SELECT owner FROM data_keys');
      for (const [owner, what, seal] of acts) {
        const before = (await keys()).length;
        const reached = stop();
        const sealed = seal(other);
        running.push(sealed.catch(() => undefined));
        await reached;
        let isOver = false;
        const begun = store.beginRekey(owner).finally(() => {
          isOver = true;
        });
        running.push(begun.catch(() => undefined));
        while (!isOver && (await db.rows(WAITING)).length === 0) await delay(5);
        assert.is(isOver, false, `${what}: the other node waits`);
        assert.is((await keys()).length, before);
        go();
        await sealed;
        assert.ok(['begun', 'resumed'].includes(await begun), what);
      }
    } finally {
      go();
      await Promise.all(running);
      await context.driver.close();
    }
  });
}
