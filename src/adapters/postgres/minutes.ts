/**
 * Windows of a minute that all nodes share. What waits in one moment is counted by one statement; each request then
 * has a number of its own, so limits are exact. Keys are hashed: they hold addresses. The table has no log, so nothing
 * waits for a disk. Held by test/postgres/minutes.ts.
 */
import type { Counted, MinuteCounter } from '../../ports/nodes.ts';
import type { Secrets } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { askedTogether } from '../sql/asked-together.ts';
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { isOver } from '../sql/store/unexpired.ts';
import { textList } from './own-words.ts';

interface Request {
  readonly key: string;
  readonly now: number;
}

interface Row {
  readonly key: string;
  readonly count: number;
  readonly ends_at: number;
}

const OVER = isOver('minute_windows', '$4');

/** In the order of the keys, so that two nodes do not wait for each other. */
const COUNT = `INSERT INTO minute_windows (key, count, ends_at)
  SELECT key, CAST(more AS BIGINT), CAST($3 AS BIGINT)
  FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) AS asked (key, more) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${OVER} THEN excluded.count ELSE minute_windows.count + excluded.count END,
    ends_at = CASE WHEN ${OVER} THEN excluded.ends_at ELSE minute_windows.ends_at END
  RETURNING key, count, ends_at`;

/** Windows of one kind are counted in one statement, those of several in the same order everywhere. */
const kindOf = (key: string) => key.slice(0, key.indexOf(':'));

export function createSharedMinutes(driver: Driver, secrets: Secrets): MinuteCounter {
  async function count(requests: readonly Request[]): Promise<Counted[]> {
    const more = new Map<string, number>();
    for (const { key } of requests) more.set(key, (more.get(key) ?? 0) + 1);
    // The latest moment: an earlier one would only keep a window open that has ended.
    const now = Math.max(...requests.map(request => request.now));
    const rows = await driver.writeOne<Row>(
      ROWS,
      COUNT,
      textList([...more.keys()]),
      textList([...more.values()].map(String)),
      now + MINUTE,
      now,
    );
    const windows = new Map(
      rows.map(row => [row.key, { endsAt: row.ends_at, last: row.count - (more.get(row.key) ?? 0) }]),
    );
    return requests.map(({ key }) => {
      const window = windows.get(key) as { endsAt: number; last: number };
      window.last += 1;
      return { count: window.last, endsAt: window.endsAt };
    });
  }

  const kinds = new Map<string, (request: Request) => Promise<Counted>>();
  return {
    count(name, now) {
      const kind = kindOf(name);
      const known = kinds.get(kind);
      const counting = known ?? askedTogether(count);
      if (!known) kinds.set(kind, counting);
      return counting({ key: secrets.hash('minute-window', name), now });
    },
  };
}
