/** Two hundred milliseconds on each statement: limits stay exact, and what waits does not fill the memory. */
import { startDetour } from '../../support/detour.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { MB, memoryOf } from '../../support/process-figures.ts';
import { type Figure, figure, none, some, told } from '../../support/trial.ts';
import { kinds } from '../races/setup.ts';
import { BUILT_IN } from '../races/trial.ts';
import type { Node } from './cluster.ts';
import { noSums, onCluster, QUICK_LIMITS } from './races.ts';

const LATE_MS = 200;
/** Requests of a burst: two to ten times the limit. */
const MOST = 60;
const MEMORY_MB = 150;

export async function playSlow(server: PostgresServer): Promise<Figure[]> {
  const detours = await Promise.all([0, 1, 2].map(() => startDetour(server.port, LATE_MS)));
  const each = (n: number, url: string) => ({ DATABASE_URL: detours[n]?.through(url) ?? '' });
  const wrong: string[] = [];
  let [exact, refused, rise] = [0, 0, 0];
  try {
    await onCluster(server, { env: BUILT_IN, each }, MOST, noSums(), async (setupOf, { nodes }) => {
      const before = nodes.map(megabytes);
      for (const limit of QUICK_LIMITS) {
        // Held, and no lock, which would only add to the wait.
        const setup = setupOf(1);
        const { requests, spent = 0 } = await limit.burst(setup);
        const counts = kinds(await setup.send(requests.slice(0, MOST)));
        const accepted = sum(counts, limit.fine) + spent;
        const failed = counts['503 service_unavailable'] ?? 0;
        const known = [...limit.fine, limit.refused ?? '429 rate_limited', '503 service_unavailable'];
        const isOdd = Object.keys(counts).some(kind => !known.includes(kind));
        if (accepted > limit.limit || (accepted < limit.limit && failed === 0) || isOdd)
          wrong.push(`${limit.name}: ${JSON.stringify(counts)}`);
        else if (accepted === limit.limit) exact += 1;
        refused += failed;
      }
      rise = Math.max(...nodes.map((node, n) => megabytes(node) - (before[n] ?? 0)));
    });
  } finally {
    for (const detour of detours) detour.close();
  }
  const when = `${LATE_MS} ms a statement`;
  const most = `${rise.toFixed(0)} MB`;
  return [
    none(`${when}: limits passed over, or too few without a 503`, wrong),
    some(`${when}: limits exact, of ${QUICK_LIMITS.length}`, exact),
    told(`${when}: requests refused for want of a connection or a lock (503)`, refused),
    figure(
      `${when}: most memory that a node ever had, less before`,
      `under ${MEMORY_MB} MB`,
      most,
      rise < MEMORY_MB,
    ),
  ];
}

const sum = (counts: Readonly<Record<string, number>>, some: readonly string[]) =>
  some.reduce((total, kind) => total + (counts[kind] ?? 0), 0);

/** The most that it ever had. */
const megabytes = ({ program }: Node) => memoryOf(program.pid, 'VmHWM') / MB;
