/**
 * Describes mail failures in texts that may be logged: error codes, and how to fix the fault. Messages of mail servers
 * contain addresses, so they are never repeated. Held by test/cli/mail.test.ts and test/mail/tls.test.ts.
 */

interface MailFault {
  readonly name?: string;
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const NO_STARTTLS =
  'the mail server offers no STARTTLS, and smtp:// requires it: use smtps://, or, to send mail unencrypted, add ?requireTLS=false to MAIL_URL';

/** The class of an error, and its codes if it has any. */
export function codesOf(error: unknown): string {
  const { name, code, responseCode } = error as MailFault;
  return [name, code, responseCode].filter(Boolean).join(' ');
}

/**
 * Patterns to find in the text of an error: nodemailer puts system error codes only there. The text is not repeated.
 */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /ECONNREFUSED/,
    'the connection was refused (ECONNREFUSED): nothing listens there; check host and port of MAIL_URL',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EDNS/,
    'the host of MAIL_URL is not found (DNS): check its spelling and the name server of this machine',
  ],
  [
    /certificate|altnames|_CERT|CERT_|ERR_TLS_/i,
    'the certificate of the server was rejected: it has expired, is for another host than MAIL_URL, or is not signed by a known authority',
  ],
  [
    /wrong version number|SSL routines/i,
    'the server does not use TLS on this port: use smtp:// for port 587 or 25, smtps:// for port 465',
  ],
  [
    /TIMEDOUT|TimeoutError|_TIMEOUT|EHOSTUNREACH|ENETUNREACH/,
    'the server did not respond in time: check host and port of MAIL_URL, and firewalls',
  ],
];

/** Advice if the server offers no encryption. */
export function tlsAdviceOn(error: unknown): string | null {
  const { code, command, responseCode } = error as MailFault;
  return code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined ? NO_STARTTLS : null;
}

/** What happened and how to fix it, if known. */
export function adviceOn(error: unknown): string | null {
  const tls = tlsAdviceOn(error);
  if (tls) return tls;
  const { code, command, responseCode } = error as MailFault;
  const responded = responseCode === undefined ? '' : ` (${responseCode})`;
  if (code === 'EAUTH' || (code === undefined && (responseCode === 401 || responseCode === 403)))
    return `the mail server rejected the login${responded}: check user and password of MAIL_URL, with special characters percent-encoded (@ as %40, # as %23, % as %25)`;
  if (code === 'EENVELOPE' && command === 'MAIL FROM')
    return `the mail server refused the sender${responded}: set MAIL_FROM to an address that it accepts`;
  if (code === 'EENVELOPE') return `the mail server refused the recipient${responded}`;
  if (code === 'EMESSAGE') return `the mail server refused the message${responded}`;
  if (code === undefined && responseCode !== undefined)
    return `the endpoint of MAIL_URL responded ${responseCode} instead of 2xx`;
  const words = wordsOf(error);
  return CAUSES.find(([cause]) => cause.test(words))?.[1] ?? null;
}

/** The texts of an error, of its causes, and of all errors in an AggregateError. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { name, message, cause } = error;
  const { code = '' } = error as MailFault;
  const parts = error instanceof AggregateError ? error.errors : [];
  return [name, code, message, wordsOf(cause), ...parts.map(wordsOf)].join(' ');
}
