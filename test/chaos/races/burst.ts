/**
 * Many requests that are really under way together. Each is written but for its last byte, on a connection of its own;
 * when the service has had them all, so that every credential is checked and every limit of the headers taken, the last
 * bytes follow in one go. Requests without a body are given one, which the service ignores. Beyond `parallel` requests
 * wait for a free connection.
 *
 * Even then the first may be committed before the second is looked at. So the database may be locked against writing for
 * a moment: every request then reads what it reads before any of them writes, and whoever checks first and marks later
 * is found out. test/chaos/races/races.long.test.ts holds it.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Headers, type Json, parsed } from '../../support/client.ts';

export interface BurstRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly json?: unknown;
  /** The client's address, as the trusted proxy reports it. */
  readonly ip?: string;
}

export interface Reply {
  /** `200`, `429 rate_limited`; `0 …` when there was no answer, and why. */
  readonly kind: string;
  readonly status: number;
  readonly json: Json;
}

const PATIENCE_MS = 60_000;
/** For the service to take in what is written, beyond two answers to others. */
const SETTLE_MS = 15;
/** A service gives up a write that waits for much longer. */
const LONGEST_LOCK_MS = 1_000;

/** As fast as they can; but for their last byte first; and with the database locked until all have come. */
export type Way = 'plain' | 'held' | 'locked';
/** Locks the database against writing, until its answer is called. */
export type Lock = () => (() => unknown) | Promise<() => unknown>;

export type BurstSender = ReturnType<typeof openBurstSender>;

/** @param bases of the nodes that share a burst, usually one */
export function openBurstSender(bases: readonly string[], parallel: number, lock: Lock) {
  const agent = new Agent({ keepAlive: true, maxSockets: Math.ceil(parallel / bases.length) });
  const probes = new Agent({ keepAlive: true, maxSockets: 1 });
  const places = bases.map(base => new URL(base));
  // Kinds of requests follow each other in short cycles, and each node is to get all of them.
  const placeOf = (n: number) => places[(n + Math.floor(n / places.length)) % places.length] as URL;
  // Of no route, so that its answer needs no database.
  const probed = { method: 'GET', path: '/none', headers: {} };

  /** Sends a request; a held one but for its last byte, which `release` sends. */
  function load(one: BurstRequest, { hostname: host, port }: URL, held: boolean, by = agent) {
    const { method, path, ip } = one;
    const body = Buffer.from(one.json === undefined ? '{}' : JSON.stringify(one.json));
    const headers: Headers = { ...one.headers, 'content-length': String(body.length) };
    if (one.json !== undefined) headers['content-type'] = 'application/json';
    if (ip !== undefined) headers['x-forwarded-for'] = ip;
    const reply = Promise.withResolvers<Reply>();
    const flushed = Promise.withResolvers<number>();
    const sending = request({ host, port, method, path, headers, agent: by }, incoming => {
      take(incoming).then(reply.resolve, error => reply.resolve(unanswered(error)));
    });
    sending.setTimeout(PATIENCE_MS, () => sending.destroy(new Error('no answer in time')));
    sending.on('error', error => {
      reply.resolve(unanswered(error));
      flushed.resolve(0);
    });
    if (held) sending.write(body.subarray(0, -1), error => flushed.resolve(error ? 0 : 1));
    else sending.end(body);
    const release = () => sending.end(body.subarray(-1));
    return { reply: reply.promise, flushed: flushed.promise, release };
  }

  /** When the service has taken in what was sent to it before. */
  async function settled(): Promise<void> {
    for (let probe = 0; probe < 2; probe++)
      await Promise.all(places.map(place => load(probed, place, false, probes).reply));
    await delay(SETTLE_MS);
  }

  return {
    async send(burst: readonly BurstRequest[], how: Way) {
      const held = how === 'plain' ? 0 : parallel;
      const all = burst.map((one, n) => load(one, placeOf(n), n < held));
      const first = all.slice(0, held);
      let together = 0;
      if (how !== 'plain') {
        for (const flushed of await Promise.all(first.map(one => one.flushed))) together += flushed;
        await settled();
        const unlock = how === 'locked' ? await lock() : () => undefined;
        for (const one of first) one.release();
        if (how === 'locked') await Promise.race([settled(), delay(LONGEST_LOCK_MS)]);
        await unlock();
      }
      const replies = await Promise.all(all.map(one => one.reply));
      // So many requests the service had, but for their last byte, when the last bytes followed.
      return { replies, together };
    },
    close() {
      agent.destroy();
      probes.destroy();
    },
  };
}

async function take(incoming: IncomingMessage): Promise<Reply> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const status = incoming.statusCode ?? 0;
  const json = parsed(Buffer.concat(parts).toString());
  const code = json?.error?.code;
  let kind = [status, code].filter(Boolean).join(' ');
  if (status >= 400 && typeof code !== 'string') kind += ' outside the envelope';
  const wait = incoming.headers['retry-after'] ?? '';
  if (code === 'rate_limited' && !/^[1-9]\d*$/.test(wait)) kind += ' without Retry-After';
  return { kind, status, json };
}

function unanswered(error: Error): Reply {
  return { kind: `0 ${error.message}`, status: 0, json: undefined };
}
