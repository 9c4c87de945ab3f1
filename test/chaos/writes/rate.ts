/** One request after the other on each of some connections, for some time. Only the status of an answer is looked at. */
import { Agent, request } from 'node:http';
import type { Headers } from '../../support/client.ts';

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly json?: unknown;
}

export interface Rate {
  readonly answered: number;
  /** Answers other than 2xx, and requests without one. */
  readonly bad: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

/** @param next the next request of a connection */
export async function rateOf(
  base: string,
  connections: number,
  seconds: number,
  next: (connection: number) => Shot,
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname: host, port } = new URL(base);
  const times: number[] = [];
  let bad = 0;
  const began = performance.now();
  const end = began + seconds * 1_000;

  function send({ method, path, headers, json }: Shot): Promise<number> {
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const more: Headers = body
      ? { 'content-type': 'application/json', 'content-length': String(body.length) }
      : {};
    return new Promise(resolve => {
      const sending = request(
        { host, port, method, path, headers: { ...headers, ...more }, agent },
        answer => {
          answer.on('error', () => resolve(0));
          answer.on('end', () => resolve(answer.statusCode ?? 0));
          answer.resume();
        },
      );
      sending.on('error', () => resolve(0));
      sending.end(body);
    });
  }

  async function client(_: unknown, connection: number): Promise<void> {
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await send(next(connection));
      if (status >= 200 && status < 300) times.push(performance.now() - sent);
      else bad += 1;
    }
  }

  await Promise.all(Array.from({ length: connections }, client));
  const took = (performance.now() - began) / 1_000;
  agent.destroy();
  const sorted = times.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { answered: times.length, bad, perSecond: times.length / took, median: at(0.5), p99: at(0.99) };
}
