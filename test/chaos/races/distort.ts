/** Stands before a service and spoils some of its answers, so that a trial can be shown to see what it is made to see. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly body: string;
}

/** Asked when a request comes, and then what the client is told instead of the truth; null: the truth. */
export type Spoil = (asked: Passed) => (truth: PlainAnswer) => PlainAnswer | null;

export interface Distorted {
  readonly base: string;
  /** How many answers were spoilt. */
  spoilt(): number;
  close(): void;
}

export async function distort(base: string, spoil: Spoil): Promise<Distorted> {
  let spoilt = 0;
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = '', url: path = '' } = incoming;
    const body = Buffer.concat(parts);
    const decide = spoil({ method, path, body: body.toString() });
    const { answer, headers } = await forward(base, method, path, incoming.headers, body);
    const instead = decide(answer);
    if (instead) spoilt += 1;
    const { status, body: text } = instead ?? answer;
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, ...length });
    response.end(status === 204 ? undefined : text);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoilt: () => spoilt,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(base: string, method: string, path: string, headers: IncomingHttpHeaders, body: Buffer) {
  return new Promise<{ answer: PlainAnswer; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sending = request(`${base}${path}`, { method, headers }, async incoming => {
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part);
      const {
        'content-length': _,
        'transfer-encoding': __,
        connection: ___,
        'keep-alive': ____,
        ...kept
      } = incoming.headers;
      resolve({
        answer: { status: incoming.statusCode ?? 0, body: Buffer.concat(parts).toString() },
        headers: kept,
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** One more than may: the first refusal with this status, on paths that count, becomes a grant. */
export function oneMore(refusal: number, grant: number, counts: (asked: Passed) => boolean): Spoil {
  let granted: PlainAnswer = { status: grant, body: '{}' };
  let done = false;
  return asked => truth => {
    if (!counts(asked)) return null;
    if (truth.status === grant) granted = truth;
    if (done || truth.status !== refusal) return null;
    done = true;
    return granted;
  };
}
