/** What the messages say. The code comes first, so that it shows in a preview; the subject never holds it. */
import type { Message } from '../../ports/mailer.ts';
import { utcDay } from '../time.ts';

/**
 * Whoever enrolls first with an address has their face on it. So while it is unproven, its owner is told since when.
 * @param enrolledAt of a user whose address is unproven; null once it is proven
 */
export function signInMessage(appName: string, to: string, code: string, enrolledAt: number | null): Message {
  return {
    to,
    subject: `Your code to sign in to ${appName}`,
    text: `${code} is your code to sign in to ${appName}.
${enrolledAt === null ? '' : faceNotice(appName, enrolledAt)}
It is good for 10 minutes and for one use. Do not pass it on.
If you did not ask for it, you can ignore this message.
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
    text: `${code} is the code that makes this your email address for ${appName}.

It is good for 15 minutes and for one use. Do not pass it on.
If you did not ask for it, you can ignore this message: nothing changes.
`,
  };
}

/** To the old address, once the change is made. It does not name the new one. */
export function emailChangedMessage(appName: string, to: string): Message {
  return {
    to,
    subject: `Your email address for ${appName} was changed`,
    text: `The account that this address had with ${appName} has another email address now.

If that was not you, ask ${appName} for help soon.
`,
  };
}
