/**
 * Sends a code, and answers at one fixed moment, whatever happened. Registered and unregistered addresses get the
 * same answer at the same time. Only a failed send differs: users need to see that error. Test mode sends nothing and
 * does not wait.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../ports/mailer.ts';
import { MAIL_PATIENCE } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import { utcDay } from '../../protocol/time.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** A stored code that is to be sent. Null: there is no recipient. */
export type Stored = { readonly id: string; readonly message: Message } | null;

type SendResult = 'done' | 'failed' | 'unavailable';

/**
 * @param store stores the code first, so that it is valid when the message arrives
 * @throws Refusal email_unavailable, email_send_failed; and what `store` throws, at the same moment
 */
export async function deliver(deps: Deps, mode: Mode, store: () => Promise<Stored>): Promise<void> {
  if (mode === 'test') {
    await store();
    return;
  }
  const moment = delay(deps.settings.mailAnswerMs);
  const result = deps.background.run(MAIL_PATIENCE, async signal => {
    const stored = await store();
    return stored ? send(deps, stored, signal) : 'done';
  });
  // Without a mailer, nothing takes long.
  const decided = deps.mailer ? Promise.race([result, moment.then(() => 'done' as const)]) : result;
  const known = await decided.finally(() => moment);
  if (known === 'failed')
    throw new Refusal('email_send_failed', 'The code could not be sent by email. Try again later.');
  if (known === 'unavailable')
    throw new Refusal('email_unavailable', 'This service is not set up to send email.');
}

/** Sends the message. If that fails, the code is withdrawn, because nobody can receive it. */
async function send(
  { mailer, store }: Deps,
  stored: NonNullable<Stored>,
  signal: AbortSignal,
): Promise<SendResult> {
  const sent = await mailer?.send(stored.message, signal).then(
    () => true,
    () => false,
  );
  if (sent) return 'done';
  await store.retireCode(stored.id);
  return mailer ? 'failed' : 'unavailable';
}

/**
 * In all texts the code comes first, so that a preview shows it. The subject never contains it.
 *
 * The first person to enroll with an address has their face on the account. So while the address is unverified, the
 * message tells its owner when that was.
 * @param enrolledAt of a user with an unverified address; null once it is verified
 */
export function signInMessage(appName: string, to: string, code: string, enrolledAt: number | null): Message {
  return {
    to,
    subject: `Your code to sign in to ${appName}`,
    text: `${code} is your code to sign in to ${appName}.
${enrolledAt === null ? '' : faceNotice(appName, enrolledAt)}
It is valid for 10 minutes and can be used once. Do not share it.
If you did not request it, you can ignore this message.
`,
  };
}

function faceNotice(appName: string, enrolledAt: number): string {
  return `
A face was enrolled with this address on ${utcDay(enrolledAt)} (UTC). Entering the code confirms that face.
If that was not you, do not enter the code, and tell ${appName} that the account is not yours.
`;
}

export function emailChangeMessage(appName: string, to: string, code: string): Message {
  return {
    to,
    subject: `Confirm your new email address for ${appName}`,
    text: `${code} is your code to confirm this email address for ${appName}.

It is valid for 15 minutes and can be used once. Do not share it.
If you did not request it, you can ignore this message: nothing changes.
`,
  };
}

/** To the old address, once the change is made. It does not name the new one. */
export function emailChangedMessage(appName: string, to: string): Message {
  return {
    to,
    subject: `Your email address for ${appName} was changed`,
    text: `Your ${appName} account now has a different email address.

If you did not change it, contact ${appName} as soon as possible.
`,
  };
}
