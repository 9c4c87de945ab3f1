/**
 * Windows of a minute that all nodes share. What waits in one moment is counted by one statement; each request then
 * has a number of its own, so limits are exact. Keys are hashed: they hold addresses. The table has no log, so nothing
 * waits for a disk. Held by test/postgres/minutes.ts.
 */
import type { Counted, MinuteCounter } from '../../ports/minutes.ts';
import type { Secrets } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { textList } from './text-list.ts';

interface Waiting {
  readonly key: string;
  readonly now: number;
  answer(counted: Counted): void;
  fail(error: unknown): void;
}

interface Row {
  readonly key: string;
  readonly count: number;
  readonly ends_at: number;
}

/** In the order of the keys, so that two nodes do not wait for each other. */
const COUNT = `INSERT INTO minute_windows (key, count, ends_at)
  SELECT key, CAST(more AS BIGINT), CAST($3 AS BIGINT)
  FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) AS asked (key, more) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN minute_windows.ends_at <= $4 THEN excluded.count ELSE minute_windows.count + excluded.count END,
    ends_at = CASE WHEN minute_windows.ends_at <= $4 THEN excluded.ends_at ELSE minute_windows.ends_at END
  RETURNING key, count, ends_at`;

export function createSharedMinutes(driver: Driver, secrets: Secrets): MinuteCounter {
  let waiting: Waiting[] = [];
  let isCounting = false;

  async function countAll(): Promise<void> {
    isCounting = true;
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      const byKey = Map.groupBy(all, ({ key }) => key);
      // The latest moment: an earlier one would only keep a window open that has ended.
      const now = Math.max(...all.map(one => one.now));
      try {
        const keys = [...byKey.keys()];
        const rows = await driver.write(ROWS, sql =>
          sql.all<Row>(
            COUNT,
            textList(keys),
            textList(keys.map(key => String(byKey.get(key)?.length))),
            now + MINUTE,
            now,
          ),
        );
        for (const { key, count, ends_at: endsAt } of rows) {
          const mine = byKey.get(key) ?? [];
          for (const [place, { answer }] of mine.entries())
            answer({ count: count - mine.length + place + 1, endsAt });
        }
      } catch (error) {
        for (const { fail } of all) fail(error);
      }
    }
    isCounting = false;
  }

  return {
    count: (name, now) =>
      new Promise((answer, fail) => {
        waiting.push({ key: secrets.hash('minute-window', name), now, answer, fail });
        if (!isCounting) void countAll();
      }),
  };
}
