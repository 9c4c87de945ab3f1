/**
 * The unit that the load generator counts: a POST without a body, and a POST with a body that contains the challenge
 * from the first answer. The second answer is checked. Uses undici's lowest interface, to keep the generator cheap.
 */
import { Client } from 'undici';

export interface Job {
  readonly address: string;
  readonly paths: readonly [empty: string, full: string];
  readonly headers: Record<string, string>;
  /** Keys of several apps, by body. Without them, the key is in the headers. */
  readonly keys?: readonly string[];
  /** JSON without the challenge: `,"descriptors":…}`. Used in turn. */
  readonly bodies: readonly string[];
  /** Text that the answer to the second request must contain, by body. */
  readonly expected: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Units per second, at seeded times. Without it, each connection begins its next unit when the last is answered. */
  readonly open?: { readonly rate: number; readonly seed: number };
}

export interface Units {
  readonly latencies: number[];
  readonly wrong: number;
  /** How many milliseconds late each unit began; empty if units have no scheduled times. */
  readonly late: number[];
}

/** @param turn index of the job's body @returns whether the answer was right */
export async function unit(client: Client, job: Job, turn: number): Promise<boolean> {
  const key = job.keys?.[turn];
  const headers = key === undefined ? job.headers : { ...job.headers, 'x-svc-key': key };
  const first = await post(client, job.paths[0], headers, null);
  const challenge = /"challenge_id":"(\w+)"/.exec(first)?.[1] ?? '';
  const body = `{"challenge_id":"${challenge}"${job.bodies[turn]}`;
  return (await post(client, job.paths[1], headers, body)).includes(job.expected[turn] as string);
}

export function connect({ address, connections }: Job): Client[] {
  return Array.from({ length: connections }, () => new Client(address));
}

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
