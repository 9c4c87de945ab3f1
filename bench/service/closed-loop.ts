/** Load as fast as it is answered: every connection begins its next unit when the last one is answered. */
import { connect, type Job, type Units, unit } from './unit.ts';

export async function closedLoop(job: Job): Promise<Units> {
  const clients = connect(job);
  const latencies: number[] = [];
  let wrong = 0;
  let next = 0;
  const end = performance.now() + job.seconds * 1_000;
  await Promise.all(
    clients.map(async client => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        if (!(await unit(client, job, next++ % job.bodies.length))) wrong += 1;
        latencies.push(performance.now() - start);
      }
      await client.close();
    }),
  );
  return { latencies, wrong, late: [] };
}
