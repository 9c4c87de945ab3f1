/**
 * The portal with 100,000 users and 1.2 million events: how long the internal API and the pages take, what the export
 * needs, and what all of it costs sign-ins. Answers are compared with the database first; a wrong one stops the trial.
 * The service has both cores, and shares the second one with the load generator and the browser.
 */
import { listening, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import type { Row } from '../table.ts';
import { makeData } from './data.ts';
import { exported, waiting } from './export.ts';
import type { Figure } from './figure.ts';
import { signIn } from './operator.ts';
import { pages } from './pages.ts';
import { requests } from './requests.ts';
import { beside, costOfNumbers } from './sign-ins.ts';

const OPERATORS = 20;
/** As a small server has them: searches of operators run on a thread of their own. */
const CORES = '0,1';

export async function portal(): Promise<Row[]> {
  const data = await makeData();
  const server = startService(data.folder, CORES);
  try {
    const [address, side] = await Promise.all([
      listening(server, /"portal":"([^"]+)"/),
      sideOf(data.gallery, server),
    ]);
    const operators = [];
    for (let i = 0; i < OPERATORS; i++) operators.push(await signIn(address, data.folder, `operator${i}`));
    const [operator] = operators as [(typeof operators)[0]];
    const figures: Figure[] = [...(await requests(data, operator))];
    console.error('requests are measured; now the export, the pages and sign-ins');
    figures.push(await waiting(data, operator, server), await exported(data, operator, server));
    figures.push(...(await pages(address, data, operator)));
    const { figure, cpuMicros } = await beside(data, operators, side);
    await stop(server);
    return [...figures, figure, costOfNumbers(data, cpuMicros)].map(rowOf);
  } finally {
    await stop(server);
  }
}

function rowOf({ name, wanted, median, worst, most }: Figure): Row {
  return { what: name, wanted, median, worst, met: worst <= most ? 'yes' : 'no' };
}
