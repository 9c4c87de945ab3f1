/** A database that the tools of its server have restored: whoever was erased since is there again, until this has run. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { addErasures, readErasures } from '../../src/adapters/journal/erasure-journal.ts';
import { type AfterRestore, afterRestore } from '../../src/adapters/postgres/after-restore.ts';
import { openPostgresContext, openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { erasureHash } from '../../src/adapters/sql/store/erasure.ts';
import { knownIn } from '../../src/adapters/sqlite/given-erasures.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { count } from '../contract/engine.ts';
import { challenges, enrolled, FIRST, LIVE, NOW, OTHER, SECOND, takeWindow } from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

const quietly: AfterRestore = {
  now: NOW + 5_000,
  erasures: null,
  acceptGap: false,
  onProgress: () => undefined,
};

export function afterRestores(test: Suite): void {
  const check = nodesOn(test);

  check(
    'who was erased since is erased again, moments are over, and tokens of before count no more',
    async given => {
      const { db, store } = given;
      const folder = tempFolder();
      const location = locationAt(db.address, folder);
      const context = await openPostgresContext(location, systemRandom());
      try {
        const [ana, ben] = [await enrolled(store), await enrolled(store)];
        const other = await enrolled(store, { gallery: OTHER });
        await challenges(store, 3);
        await takeWindow(store, FIRST, { key: 'window', limit: 5, length: 100_000 }, NOW);
        const refused = (what: RegExp, request = quietly) =>
          afterRestore(context, 'the database', location.erasuresFile, request, knownIn).then(
            () => assert.unreachable(),
            (error: Error) => assert.match(error.message, what),
          );
        await refused(/no journal of erasures .*--erasures.*--accept-gap/);
        await context.nodes?.report({ name: 'node-b', version: '1', lagMs: 0, settings: null }, Date.now);
        await refused(/in use by node-b: stop all nodes/, { ...quietly, acceptGap: true });
        await context.nodes?.leave();
        assert.is(await count(db, 'challenges'), 3, 'nothing has changed');

        const hashes = [ana.user.id, SECOND].map(id => ({
          hash: erasureHash(context.vault, id),
          at: NOW + 1,
        }));
        const start = async () => (await openPostgresStore(location, systemRandom())).store.close();
        await start();
        await addErasures(location.erasuresFile, hashes.slice(0, 1));
        const early = await start().catch(error => error);
        assert.match(early.message, /lacks 1 of the erasures in .*: run "after-restore"/);
        assert.is((await store.findUser(LIVE, { id: ana.user.id }))?.id, ana.user.id, 'nothing has changed');
        const theirs = join(folder, 'node-b.jsonl');
        await addErasures(theirs, hashes.slice(1));
        const killed = () => {
          throw new Error('killed');
        };
        await refused(/killed/, { ...quietly, erasures: theirs, onProgress: killed });
        assert.is((await store.findUser(LIVE, { id: ana.user.id }))?.id, ana.user.id, 'not yet erased again');
        const between = await start().catch(error => error);
        assert.match(between.message, /lacks 1 of the erasures in .*: run "after-restore"/);
        const last = { ...quietly, erasures: theirs };
        const settled = await afterRestore(context, 'the database', location.erasuresFile, last, knownIn);
        assert.equal(
          [settled.erasedAgain, settled.tokensCountFrom],
          // The app went before it was killed.
          [1, Math.floor(quietly.now / 1_000) + 1],
        );
        assert.is(await store.findUser(LIVE, { id: ana.user.id }), null);
        assert.is(await store.findUser(OTHER, { id: other.user.id }), null);
        assert.is((await store.findUser(LIVE, { id: ben.user.id }))?.id, ben.user.id);
        assert.equal(
          (await store.listApps()).map(({ id }) => id),
          [FIRST],
          'another handle sees it at once',
        );
        // It was killed once, so the counter moved twice.
        const { newest } = await store.outboxState(LIVE);
        assert.ok(newest > 2_000_000_000 && newest < 2_100_000_000, `${newest}`);
        const [newestEvent] = (await store.outboxEvents(LIVE, 0, 9)).slice(-1);
        assert.equal(
          [newestEvent?.type, newestEvent?.seq, newestEvent?.data.user_id],
          ['user.deleted', newest, ana.user.id],
        );
        for (const table of ['challenges', 'windows']) assert.is(await count(db, table), 0, table);
        assert.equal(await db.rows(`SELECT value FROM meta WHERE name = 'restored_at'`), [
          { value: String(settled.tokensCountFrom) },
        ]);
        const known = new Set(readErasures(location.erasuresFile).map(({ hash }) => hash));
        assert.ok(
          hashes.every(({ hash }) => known.has(hash)),
          'both are in the journal of this node',
        );
        await start();
        // As a journal that a command has written from the restored database.
        await refused(/knows no erasure that the database lacks: .*--erasures.*--accept-gap/);
      } finally {
        await context.driver.close();
      }
    },
  );
}
