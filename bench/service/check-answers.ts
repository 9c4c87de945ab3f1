/**
 * Checks a service's answers before it is measured: it must recognise some users of its gallery and reject a stranger.
 * The first request also waits until the gallery is loaded.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, ask } from './enrolled.ts';
import { emailOf, type Gallery } from './galleries.ts';

const CHECKED = 20;
/** Time for loading the gallery, which this trial does not measure. */
const LOADING_TIMEOUT_MS = 60_000;

/** @throws Error when an answer is not the right one */
export async function checkAnswers(
  address: string,
  { key, users, signers, people, stranger }: Omit<Gallery, 'folder'>,
): Promise<void> {
  const step = Math.max(1, Math.floor(signers.length / CHECKED));
  for (const [i, { person, userId }] of signers.entries()) {
    if (i % step !== 0) continue;
    const { status, body } = await signIn(address, key, people.genuine(person, 2));
    const found = body.user?.id === userId && body.user?.email === emailOf(person);
    if (status !== 200 || !found)
      throw new Error(`of ${users} users, user ${person} was not recognised: ${status}`);
  }
  const { status, body } = await signIn(address, key, people.stranger(stranger));
  if (body.error?.code !== 'no_match')
    throw new Error(`among ${users} users, a stranger was not rejected: ${status}`);
}

export async function signIn(address: string, key: string, descriptor: number[]): Promise<Answer> {
  const deadline = performance.now() + LOADING_TIMEOUT_MS;
  for (;;) {
    const challenge = await ask(`${address}/v1/challenges`, key);
    const answer = await ask(`${address}/v1/match`, key, {
      challenge_id: challenge.body.challenge_id,
      descriptors: [descriptor],
    });
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await delay(200);
  }
}
