/** Sends mail by SMTP over a few open connections. nodemailer encodes subject and text. */
import { createTransport } from 'nodemailer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { Mailer } from '../../ports/mailer.ts';

/** Connections at the same time. Mail servers dislike many. */
const CONNECTIONS = 10;
const TIMEOUT_MS = 10_000;
/** Maximum length of an encoded word in a header. */
const ENCODED_WORD = 52;

export interface SmtpRoute {
  readonly kind: 'smtp';
  readonly url: string;
  /** Disconnect from a server without STARTTLS before sending anything. */
  readonly requireTls: boolean;
  /** The name of this machine in EHLO. Absent: nodemailer takes the one of the system. */
  readonly name?: string;
}

export function smtpMailer({ url, requireTls, name }: SmtpRoute, from: string): Mailer {
  const transport = createTransport({
    url,
    requireTLS: requireTls,
    ...(name !== undefined && { name }),
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }, signal) {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject: literal(subject),
        text,
        // On abort, a waiting message leaves the queue, and one that is being sent is cut off.
        signal,
      });
    },
    // A server that responds byte by byte would keep the connection and the process open.
    close: () => transport.close({ force: true }),
  };
}

/** Mail programs would decode a subject that looks encoded, so it is encoded once more. */
function literal(subject: string): string {
  return subject.includes('=?') ? encodeWord(subject, 'Q', ENCODED_WORD) : subject;
}
