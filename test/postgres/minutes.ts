/** Windows of a minute that nodes share. */
import * as assert from 'uvu/assert';
import { createSharedMinutes } from '../../src/adapters/postgres/minutes.ts';
import { NOW } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

const secrets = {
  hash: (purpose: string, value: string) => `${purpose} ${Buffer.from(value).toString('hex')}`,
};

export function minutes(test: Suite): void {
  const check = nodesOn(test);

  check('of many requests at once on two nodes each gets a number of its own', async ({ db, one, two }) => {
    const nodes = [one, two].map(driver => createSharedMinutes(driver, secrets));
    for (const [round, at] of [NOW, NOW + 60_000].entries()) {
      const counts = await Promise.all(
        Array.from({ length: 300 }, (_, i) => nodes[i % 2]?.count(`ip:${i % 3}`, at)),
      );
      for (const rest of [0, 1, 2]) {
        const mine = counts.filter((_, i) => i % 3 === rest);
        const numbers = mine.map(each => each?.count ?? 0).sort((a, b) => a - b);
        assert.equal(
          numbers,
          Array.from({ length: 100 }, (_, i) => i + 1),
          `round ${round}`,
        );
        assert.equal(new Set(mine.map(each => each?.endsAt)), new Set([at + 60_000]));
      }
    }
    const keys = await db.rows<{ key: string }>('SELECT key FROM minute_windows');
    assert.is(keys.length, 3);
    assert.ok(
      keys.every(({ key }) => !key.includes('ip:')),
      'addresses are hashed',
    );
    const [table] = await db.rows<{ kind: string }>(
      `SELECT relpersistence AS kind FROM pg_class WHERE relname = 'minute_windows'`,
    );
    assert.is(table?.kind, 'u', 'without a log');
  });
}
