/** Statements that look a row up by its key do not read all rows that have not ended. */
import * as assert from 'uvu/assert';
import { unexpired } from '../../src/adapters/sql/store/unexpired.ts';
import { NOW } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

const ROWS = 5_000;
const MINUTE = 60_000;

export function unexpiredRows(test: Suite): void {
  const check = nodesOn(test);

  check('a window is found by its key, though statistics know only windows that have ended', async given => {
    const { db, one } = given;
    const fill = (name: string, endsAt: number) =>
      db.rows(
        `INSERT INTO windows (key, app_id, count, ends_at)
         SELECT '${name}:' || n, '', 1, ${endsAt} + n FROM generate_series(1, ${ROWS}) AS n`,
      );
    await fill('ended', NOW - MINUTE);
    await db.rows('ANALYZE windows');
    await fill('open', NOW + MINUTE);
    const planOf = async (condition: string) => {
      const rows = await one.read.all(
        `EXPLAIN SELECT 1 FROM unnest(CAST('{open:1,open:2}' AS TEXT[])) AS asked (key)
         JOIN windows w ON w.key = asked.key AND ${condition}`,
      );
      return JSON.stringify(rows);
    };
    assert.match(await planOf(`w.ends_at > ${NOW}`), 'windows_by_end', 'what a plain comparison leads to');
    const plan = await planOf(unexpired('w.ends_at', String(NOW)));
    assert.match(plan, 'windows_pkey');
    assert.not.match(plan, 'windows_by_end');
  });
}
