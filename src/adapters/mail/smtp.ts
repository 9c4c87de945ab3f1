/** Mail by SMTP, over a few connections that are kept open. nodemailer encodes subject and text. */
import { createTransport } from 'nodemailer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { Mailer } from '../../ports/mailer.ts';

/** At once: mail servers take it ill when there are many. */
const CONNECTIONS = 10;
const PATIENCE_MS = 10_000;
/** Longest encoded word of a header. */
const ENCODED_WORD = 52;

/** @param requireTls hangs up on a server that offers no STARTTLS, before anything is said to it */
export function smtpMailer(url: string, requireTls: boolean, from: string): Mailer {
  const transport = createTransport({
    url,
    requireTLS: requireTls,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
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
        // Takes a message that waits out of the queue, and hangs up on the server that has a part of one.
        signal,
      });
    },
    // A server that answers byte by byte would hold a connection open, and the process with it.
    close: () => transport.close({ force: true }),
  };
}

/** A subject that looks encoded would be decoded by whoever reads it: encoded once more it reads as it was meant. */
function literal(subject: string): string {
  return subject.includes('=?') ? encodeWord(subject, 'Q', ENCODED_WORD) : subject;
}
