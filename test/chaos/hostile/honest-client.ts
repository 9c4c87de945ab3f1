/**
 * A process of its own: an honest client that signs in again and again while others attack. Each sign-in comes on new
 * connections from an address of its own, so that no limit is his, and what he waits for is the service alone.
 */
import { request } from 'node:http';
import { syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { type Json, parsed } from '../../support/client.ts';

export interface HonestJob {
  readonly base: string;
  readonly key: string;
  readonly origin: string;
  readonly people: number;
}

export interface HonestReport {
  readonly tried: number;
  readonly succeeded: number;
  /** Milliseconds of each sign-in, a challenge and a match. */
  readonly took: number[];
  readonly faults: string[];
}

const CLIENTS = 2;
const PAUSE_MS = 25;
const PATIENCE_MS = 30_000;
const faces = syntheticFaces(23);
const users: string[] = [];
let job: HonestJob;
let addresses = 0;
let report = fresh();
let stopped = false;
/** Until the first report: warms the service up. */
let hurried = true;
const clients: Promise<void>[] = [];

process.on('disconnect', () => process.exit());
process.on('message', async (message: HonestJob | 'report' | 'stop') => {
  if (message === 'stop') {
    stopped = true;
    await Promise.all(clients);
    process.send?.(report, () => process.disconnect?.());
  } else if (message === 'report') {
    process.send?.(report);
    report = fresh();
    hurried = false;
  } else {
    job = message;
    for (let person = 0; person < job.people; person++) users.push(await enroll(person));
    process.send?.('enrolled');
    for (let n = 0; n < CLIENTS; n++) clients.push(client(n));
  }
});

function fresh() {
  return { tried: 0, succeeded: 0, took: [] as number[], faults: [] as string[] } satisfies HonestReport;
}

async function client(first: number): Promise<void> {
  for (let turn = first; !stopped; turn += CLIENTS) {
    const person = turn % users.length;
    const began = performance.now();
    try {
      const found = await faceCall('/v1/match', { descriptors: [faces.genuine(person, 1)] }, 200);
      if (found.user.id !== users[person]) throw new Error('signed in as somebody else');
      report.succeeded++;
      report.took.push(performance.now() - began);
    } catch (error) {
      report.faults.push((error as Error).message);
    }
    report.tried++;
    if (!hurried) await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
}

async function enroll(person: number): Promise<string> {
  const consent = { policy_version: 'chaos', accepted: true };
  const of = { email: `honest${person}@example.com`, descriptors: [faces.genuine(person)], consent };
  return (await faceCall('/v1/enroll', of, 201)).user.id;
}

async function faceCall(path: string, of: object, status: number): Promise<Json> {
  const from = `127.1.${(addresses >> 8) & 255}.${1 + (addresses++ & 127)}`;
  const { challenge_id } = await post('/v1/challenges', undefined, from, 200);
  return post(path, { challenge_id, ...of }, from, status);
}

function post(path: string, json: object | undefined, localAddress: string, wanted: number): Promise<Json> {
  const { hostname: host, port } = new URL(job.base);
  const headers = { origin: job.origin, 'x-svc-key': job.key, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sending = request(
      { host, port, path, method: 'POST', headers, localAddress, agent: false },
      incoming => {
        let text = '';
        incoming.setEncoding('utf8').on('data', part => {
          text += part;
        });
        incoming.on('error', reject);
        incoming.on('end', () => {
          if (incoming.statusCode === wanted) resolve(parsed(text));
          else reject(new Error(`${path} answered ${incoming.statusCode} ${text.slice(0, 200)}`));
        });
      },
    );
    sending.setTimeout(PATIENCE_MS, () =>
      sending.destroy(new Error(`${path}: no answer in ${PATIENCE_MS} ms`)),
    );
    sending.on('error', reject);
    sending.end(json && JSON.stringify(json));
  });
}
