/**
 * The load generator, a process of its own: a number of connections, each in a closed loop of units. A unit is a
 * bodyless POST and a POST with a body that carries the first one's challenge. Every answer is checked; one that is
 * not what a unit must get makes the trial fail. Works on jobs that the parent sends, and answers each with a Report.
 */
import { Client } from 'undici';

export interface Job {
  readonly address: string;
  readonly paths: readonly [empty: string, full: string];
  readonly headers: Record<string, string>;
  /** JSON without the challenge: `,"descriptors":…}`. Taken in turn. */
  readonly bodies: readonly string[];
  /** A text that each second answer must hold, by body. */
  readonly expected: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Report {
  readonly units: number;
  readonly wrong: number;
  readonly seconds: number;
  /** Milliseconds from a unit's first byte to its last: median, 95th and 99th percentile. */
  readonly latency: readonly [number, number, number];
  /** Share of its core that the generator used: near 1, it is the generator that was measured. */
  readonly busy: number;
}

process.on('message', async (job: Job) => process.send?.(await run(job)));

async function run(job: Job): Promise<Report> {
  const clients = Array.from({ length: job.connections }, () => new Client(job.address));
  const latencies: number[] = [];
  let wrong = 0;
  let next = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const end = began + job.seconds * 1_000;
  const loop = async (client: Client) => {
    while (performance.now() < end) {
      const start = performance.now();
      const turn = next++ % job.bodies.length;
      const challenge =
        /"challenge_id":"(\w+)"/.exec(await post(client, job.paths[0], job.headers, null))?.[1] ?? '';
      const answer = await post(
        client,
        job.paths[1],
        job.headers,
        `{"challenge_id":"${challenge}"${job.bodies[turn]}`,
      );
      if (!answer.includes(job.expected[turn] as string)) wrong += 1;
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(clients.map(loop));
  const seconds = (performance.now() - began) / 1_000;
  const used = process.cpuUsage(cpu);
  await Promise.all(clients.map(client => client.close()));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    units: latencies.length,
    wrong,
    seconds,
    latency: [at(0.5), at(0.95), at(0.99)],
    busy: (used.user + used.system) / 1e6 / seconds,
  };
}

/** One POST, by the lowest interface of the client: the answer's text. */
function post(
  client: Client,
  path: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    client.dispatch(
      {
        path,
        method: 'POST',
        headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
        body,
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => {
          text += chunk.toString('latin1');
        },
        onResponseEnd: () => resolve(text),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}
