/**
 * Sends a code and answers at one fixed moment, whatever became of it: for an address that somebody has and for one that
 * nobody has alike, so that neither the answer nor its time tells which. Only a failed send shows, as the error that
 * users need to see. Test mode sends nothing and waits for nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../ports/mailer.ts';
import { MAIL_PATIENCE } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** A code that was stored and is to be sent; null: there is nobody to send one to. */
export type Stored = { readonly id: string; readonly message: Message } | null;

type Fate = 'done' | 'failed' | 'unavailable';

/**
 * @param store stores the code first, so that it is good when the message arrives
 * @throws Refusal email_unavailable, email_send_failed; and what `store` throws, at the same moment
 */
export async function deliver(deps: Deps, mode: Mode, store: () => Promise<Stored>): Promise<void> {
  if (mode === 'test') {
    await store();
    return;
  }
  const moment = delay(deps.settings.mailAnswerMs);
  const fate = deps.background.run(MAIL_PATIENCE, async signal => {
    const stored = await store();
    return stored ? send(deps, stored, signal) : 'done';
  });
  // Without a mailer there is nothing that could take long.
  const decided = deps.mailer ? Promise.race([fate, moment.then(() => 'done' as const)]) : fate;
  const known = await decided.finally(() => moment);
  if (known === 'failed')
    throw new Refusal('email_send_failed', 'The code could not be sent by email. Try again later.');
  if (known === 'unavailable')
    throw new Refusal('email_unavailable', 'This service is not set up to send email.');
}

/** A code whose message did not go out is of no use to anybody, so it is retired. */
async function send(
  { mailer, store }: Deps,
  stored: NonNullable<Stored>,
  signal: AbortSignal,
): Promise<Fate> {
  const sent = await mailer?.send(stored.message, signal).then(
    () => true,
    () => false,
  );
  if (sent) return 'done';
  await store.retireCode(stored.id);
  return mailer ? 'failed' : 'unavailable';
}
