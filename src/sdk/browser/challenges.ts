/**
 * The challenge of an enrollment, a sign-in or an addition of pictures. Before a capture it is fetched first, so that a
 * refused key or origin is found before the camera opens and the encoder is loaded. If the capture fails, the next call
 * uses it, while it is fresh. Held by test/sdk/browser-answers.test.ts.
 */
import { challengeIdIn } from './answers.ts';
import { isErrorOf } from './errors.ts';
import type { Settings } from './options.ts';
import { send } from './transport.ts';

/** In milliseconds from the request. The service accepts it for 60 seconds; the rest is for the journey. */
const FRESH = 45_000;

type Signal = AbortSignal | undefined;

export interface Challenges {
  /** Fetches a challenge, unless there is a fresh one. */
  prepare(signal: Signal): Promise<void>;
  /** A refused challenge means that nothing was done, so one retry is safe. After any other error it is not. */
  use(signal: Signal, work: (challengeId: string) => Promise<unknown>): Promise<unknown>;
}

export function challengesOf(settings: Settings): Challenges {
  let kept: { readonly id: string; readonly until: number } | undefined;
  const fresh = () => (kept && Date.now() < kept.until ? kept : undefined);

  async function fetched(signal: Signal) {
    const until = Date.now() + FRESH;
    const answer = await send(settings, { method: 'POST', path: '/v1/challenges', signal, repeatable: true });
    return { id: challengeIdIn(answer), until };
  }

  return {
    async prepare(signal) {
      if (!fresh()) kept = await fetched(signal);
    },
    async use(signal, work) {
      for (let last = false; ; last = true) {
        const own = fresh();
        // Another call must not use it too.
        kept = undefined;
        const { id } = own ?? (await fetched(signal));
        try {
          return await work(id);
        } catch (error) {
          if (last || !isErrorOf(error, 'challenge_invalid')) throw error;
        }
      }
    },
  };
}
