/** The server ends the connection of a write that waits for a lock: it is refused, and the process goes on. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { ofGallery } from '../../src/adapters/sql/scope.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { LIVE } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { holding, nodesOn } from './given.ts';

export function terminated(test: Suite): void {
  const check = nodesOn(test);

  check(
    'a write whose connection ends while it waits for a lock is refused, and later ones work',
    async given => {
      const { one, two } = given;
      // One that nobody waits for ends the process of a node.
      const rejections: unknown[] = [];
      const note = (error: unknown) => void rejections.push(error);
      process.on('unhandledRejection', note);
      for (let round = 0; round < 5; round++) {
        const release = await holding(one, ofGallery(LIVE));
        const waiting = two
          .write(ofGallery(LIVE), sql => sql.get('SELECT 1'))
          .then(
            () => 'written',
            error => error,
          );
        const kill = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        for (let ended = 0; ended === 0; await delay(5)) ended = (await one.read.all(kill)).length;
        assert.instance(await waiting, StoreUnavailable);
        await release();
        await two.write(ofGallery(LIVE), sql => sql.get('SELECT 1'));
      }
      process.off('unhandledRejection', note);
      assert.equal(rejections, []);
    },
  );
}
