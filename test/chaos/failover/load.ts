/** The load of the crash trial through two nodes in turn: when each acknowledged a write, and when one refused. */
import { call } from '../../support/client.ts';
import { rowsAt } from '../../support/on-postgres.ts';
import { TEST_MASTER_SECRET } from '../../support/ready-database.ts';
import type { Running, TestApp } from '../../support/service.ts';
import { newContext } from '../crash/context.ts';
import { startLoad } from '../crash/load.ts';
import { journalIn, rowsIn } from '../crash/rows.ts';
import type { Cluster } from './cluster.ts';

/** A write that was acknowledged. */
export interface Acknowledged {
  readonly node: number;
  readonly sentAt: number;
  readonly at: number;
}

export type Load = ReturnType<typeof createLoad>;

export function createLoad(
  cluster: Cluster,
  nodes: readonly { readonly base: string; readonly dataDir: string }[],
  given: { readonly app: TestApp; readonly mail: string; readonly clients: number; readonly seed: number },
  say: (line: string) => void,
) {
  const { app, mail, clients, seed } = given;
  const acknowledged: Acknowledged[] = [];
  const refused: number[] = [];
  const rows = async () => {
    const url = await cluster.primaryUrl();
    const journal = new Set(nodes.flatMap(({ dataDir }) => [...journalIn(dataDir)]));
    return rowsIn(sql => rowsAt(url, sql, []) as never[], TEST_MASTER_SECRET, journal);
  };
  const context = newContext({ app, dataDir: mail, mail, rows }, seed, say);
  let turn = 0;
  context.around = async (method, path, sent) => {
    const node = turn++ % nodes.length;
    const sentAt = performance.now();
    const answer = await call({ base: nodes[node]?.base } as Running, method, path, sent);
    const at = performance.now();
    if (answer.status >= 500) refused.push(at);
    else if (answer.status < 300 && method !== 'GET') acknowledged.push({ node, sentAt, at });
    return answer;
  };
  return { context, acknowledged, refused, start: () => startLoad(context, clients) };
}
