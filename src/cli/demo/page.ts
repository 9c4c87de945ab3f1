/**
 * The browser's side of the demo: sends what a page sends, with synthetic faces instead of a camera. It uses another
 * loopback address if the machine has them, so that the demo does not consume the request limit of 127.0.0.1.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { KEY_HEADER_NAME } from '../../brand.ts';

const ORIGIN = 'http://localhost:3000';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads responses like a script in a page
  readonly body: any;
}

export interface Page {
  /** Sends a request that needs no challenge. */
  post(path: '/v1/email-codes' | '/v1/email-codes/verify', fields: object): Promise<Answer>;
  /** Gets a challenge and sends it with the fields. */
  send(path: '/v1/enroll' | '/v1/match', fields: object): Promise<Answer>;
  close(): Promise<void>;
}

export async function openPage(address: string, key: string, say: (line: string) => void): Promise<Page> {
  const dispatcher = await ownAddress(address);
  const closing = new AbortController();

  async function post(path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await request(`${address}${path}`, {
        method: 'POST',
        dispatcher,
        headers: {
          origin: ORIGIN,
          [KEY_HEADER_NAME]: key,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
      });
      const parsed = await answer.body.json();
      if (answer.statusCode !== 429) return { status: answer.statusCode, body: parsed };
      const seconds = Number(answer.headers['retry-after'] ?? 1);
      say(`    Rate limit reached: continuing in ${seconds} s.`);
      await delay(seconds * 1_000, undefined, { signal: closing.signal });
    }
  }

  return {
    post,
    async send(path, fields) {
      const challenge = await post('/v1/challenges');
      if (challenge.status !== 200) return challenge;
      return post(path, { challenge_id: challenge.body.challenge_id, ...fields });
    },
    close: () => {
      closing.abort();
      return dispatcher.close();
    },
  };
}

async function ownAddress(address: string): Promise<Dispatcher> {
  const localAddress = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
  const agent = new Agent({ localAddress });
  try {
    await (await request(`${address}/health`, { dispatcher: agent })).body.dump();
    return agent;
  } catch {
    await agent.close();
    return new Agent();
  }
}
