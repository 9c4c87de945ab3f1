/**
 * The calls trial: the cost of one search through the matcher's port, messages between threads included, for several
 * numbers of concurrent callers. Meant to run on one core (`taskset -c 0`), where waiting and working cannot overlap.
 */
import { createMatcher } from '../src/adapters/wasm/pool.ts';
import { packTemplates } from '../src/ports/template-rows.ts';
import { syntheticFaces } from '../src/sdk/browser/testing.ts';
import { MARGIN, THRESHOLD, unit } from './engines.ts';
import { median } from './measure.ts';
import type { Row } from './table.ts';

const SIZES = [10, 1000];
const CONCURRENCY = [1, 16, 64];
const SEARCHES = 8000;
const ROUNDS = 5;

const faces = syntheticFaces(7);

export async function calls(): Promise<Row[]> {
  const matcher = await createMatcher({ threads: 1, threshold: THRESHOLD, margin: MARGIN });
  const rows: Row[] = [];
  for (const n of SIZES) {
    const key = { appId: String(n), mode: 'test' as const };
    const added = Array.from({ length: n }, (_, i) => ({
      sequence: i + 1,
      user: i + 1,
      vector: unit(faces.genuine(i)),
    }));
    await matcher.apply(key, { from: 0, to: 1, removed: [], added: packTemplates(added) });
    const probes = Array.from({ length: 256 }, (_, i) => faces.genuine(i % n, 1));
    let wrong = 0;
    const caller = async (first: number, count: number) => {
      for (let i = first; i < first + count; i++) {
        const found = await matcher.search(key, [probes[i % 256] as number[]]);
        if (found.best?.user !== ((i % 256) % n) + 1) wrong++;
      }
    };
    for (const concurrency of CONCURRENCY) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const share = SEARCHES / concurrency;
        const start = performance.now();
        await Promise.all(Array.from({ length: concurrency }, (_, i) => caller(i * 3, share)));
        if (round > 0) times.push(((performance.now() - start) * 1000) / SEARCHES);
      }
      rows.push({
        n,
        q: 1,
        threads: 1,
        concurrency,
        median_us: median(times),
        mismatches: `${wrong}/${SEARCHES * (ROUNDS + 1)}`,
      });
    }
    if (wrong > 0) throw new Error(`${wrong} searches named the wrong user`);
  }
  await matcher.close();
  return rows;
}
