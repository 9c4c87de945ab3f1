/** Enrols users over HTTP, for trials with a few thousand users, and sends requests to the API. */
import { loadConfig } from '../../src/config.ts';
import { createApp } from '../../src/domain/operating/apps.ts';
import { createKey } from '../../src/domain/operating/keys.ts';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { openAdmin } from '../../src/service/data.ts';

export const ORIGIN = 'https://bench.example';

export const FACES = syntheticFaces(11);

export interface SignIns {
  /** Bodies of match requests, without the challenge. */
  readonly bodies: string[];
  /** For each, the user id that the answer must contain. */
  readonly expected: string[];
}

/** A live key of an app without a monthly limit. */
export async function liveKey(env: Record<string, string>): Promise<string> {
  const admin = await openAdmin(loadConfig(env));
  const app = await createApp(admin.deps, { name: 'Bench', allowedOrigins: [ORIGIN], plan: 'unlimited' });
  const { key } = await createKey(admin.deps, app.id, 'publishable', 'live');
  await admin.close();
  return key;
}

export async function enrollAll(address: string, key: string, users: number): Promise<SignIns> {
  const signIns: SignIns = { bodies: [], expected: [] };
  for (let person = 0; person < users; person++) {
    const challenge = await post(`${address}/v1/challenges`, key);
    const { user } = await post(`${address}/v1/enroll`, key, {
      challenge_id: challenge.challenge_id,
      email: `user${person}@example.com`,
      descriptors: [FACES.genuine(person)],
      consent: { policy_version: 'bench', accepted: true },
    });
    signIns.bodies.push(`,"descriptors":[${JSON.stringify(FACES.genuine(person, 1))}]}`);
    signIns.expected.push(user.id);
  }
  return signIns;
}

async function post(url: string, key: string, body?: object): Promise<Answer['body']> {
  const answer = await ask(url, key, body);
  if (answer.status >= 300)
    throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
export type Answer = { readonly status: number; readonly body: any };

export async function ask(url: string, key: string, body?: object): Promise<Answer> {
  const headers = { origin: ORIGIN, 'x-svc-key': key, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
}
