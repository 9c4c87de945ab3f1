/**
 * The unit that the load generator counts: a bodyless POST, and a POST with a body that carries the challenge of the
 * first one's answer. The answer is checked; by the lowest interface of the client, so that the generator costs little.
 */
import { Client } from 'undici';
import type { Job } from './load.ts';

/** @param turn which of the job's bodies is sent @returns whether the answer was what the unit must get */
export async function unit(client: Client, job: Job, turn: number): Promise<boolean> {
  const first = await post(client, job.paths[0], job.headers, null);
  const challenge = /"challenge_id":"(\w+)"/.exec(first)?.[1] ?? '';
  const body = `{"challenge_id":"${challenge}"${job.bodies[turn]}`;
  return (await post(client, job.paths[1], job.headers, body)).includes(job.expected[turn] as string);
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
