/**
 * What went wrong with a message, in words that a log may hold: codes, and how to fix what an operator can. Texts of mail
 * servers repeat addresses, so none of them is repeated. Held by test/cli/mail.test.ts and test/domain/mail-tls.test.ts.
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

/** What the words of a fault are looked through for; nothing of them is repeated. nodemailer keeps a system's code there alone. */
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
    'the certificate of the server was not accepted: it has expired, names another host than MAIL_URL, or is not signed by a known authority',
  ],
  [
    /wrong version number|SSL routines/i,
    'the server speaks no TLS at this port: use smtp:// for port 587 or 25, smtps:// for port 465',
  ],
  [
    /TIMEDOUT|TimeoutError|_TIMEOUT|EHOSTUNREACH|ENETUNREACH/,
    'the server did not answer in time: check host and port of MAIL_URL, and the firewalls in between',
  ],
];

/** How to fix it, when the server offers no encryption. */
export function tlsAdviceOn(error: unknown): string | null {
  const { code, command, responseCode } = error as MailFault;
  return code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined ? NO_STARTTLS : null;
}

/** What happened and how to fix it, when that is known. */
export function adviceOn(error: unknown): string | null {
  const tls = tlsAdviceOn(error);
  if (tls) return tls;
  const { code, command, responseCode } = error as MailFault;
  const answered = responseCode === undefined ? '' : ` (${responseCode})`;
  if (code === 'EAUTH' || (code === undefined && (responseCode === 401 || responseCode === 403)))
    return `the mail server rejected the login${answered}: check user and password of MAIL_URL, with special characters percent-encoded (@ as %40, # as %23, % as %25)`;
  if (code === 'EENVELOPE' && command === 'MAIL FROM')
    return `the mail server refused the sender${answered}: set MAIL_FROM to an address that it accepts`;
  if (code === 'EENVELOPE') return `the mail server refused the recipient${answered}`;
  if (code === 'EMESSAGE') return `the mail server refused the message${answered}`;
  if (code === undefined && responseCode !== undefined)
    return `the endpoint of MAIL_URL answered ${responseCode} instead of 2xx`;
  const words = wordsOf(error);
  return CAUSES.find(([cause]) => cause.test(words))?.[1] ?? null;
}

/** Of a fault and of what caused it: where there are several addresses, of each. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { name, message, cause } = error;
  const { code = '' } = error as MailFault;
  const parts = error instanceof AggregateError ? error.errors : [];
  return [name, code, message, wordsOf(cause), ...parts.map(wordsOf)].join(' ');
}
