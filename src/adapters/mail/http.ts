/** Sends mail through an HTTP endpoint: one JSON POST per message. 2xx means accepted. Redirects are not followed. */
import { Agent, request } from 'undici';
import type { Mailer } from '../../ports/mailer.ts';

/** Messages sent at the same time; others wait. */
const CONNECTIONS = 100;

export function httpMailer(address: string, from: string): Mailer {
  const url = new URL(address);
  const user = [url.username, url.password].map(decodeURIComponent).join(':');
  url.username = '';
  url.password = '';
  const authorization =
    user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
  const dispatcher = new Agent({ connections: CONNECTIONS });
  return {
    async send({ to, subject, text }, signal) {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ from, to, subject, text }),
        signal,
        dispatcher,
      });
      await body.dump();
      if (statusCode < 200 || statusCode > 299) throw new MailRefused(statusCode);
    },
    close: () => void dispatcher.destroy(),
  };
}

class MailRefused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super('the endpoint did not accept the message');
    this.name = 'MailRefused';
    this.responseCode = responseCode;
  }
}
