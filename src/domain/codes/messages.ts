/** The email texts. The code comes first, so that a preview shows it. The subject never contains it. */
import type { Message } from '../../ports/mailer.ts';
import { utcDay } from '../time.ts';

/**
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
