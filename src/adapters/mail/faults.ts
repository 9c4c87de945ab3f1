/**
 * What went wrong with a message, in words that a log may hold: codes, and how to fix what an operator can. Texts of mail
 * servers repeat addresses, so none of them is repeated. Held by test/domain/mail-tls.test.ts.
 */

interface MailFault {
  readonly name?: string;
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const NO_STARTTLS =
  'the mail server offers no STARTTLS, and smtp:// requires it: use smtps://, or, to send mail unencrypted, add ?requireTLS=false to MAIL_URL';

/** The class of an error, and its codes where it has some. */
export function codesOf(error: unknown): string {
  const { name, code, responseCode } = error as MailFault;
  return [name, code, responseCode].filter(Boolean).join(' ');
}

/** How to fix it, when that is known. */
export function adviceOn(error: unknown): string | null {
  const { code, command, responseCode } = error as MailFault;
  return code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined ? NO_STARTTLS : null;
}
