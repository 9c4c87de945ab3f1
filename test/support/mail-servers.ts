/** Mail servers for tests: each keeps what arrives and does with it as the test says, now or when the test says so. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Verdict = 'accept' | 'refuse';

export interface Arrived {
  /** Every recipient of the envelope. */
  readonly to: string[];
  readonly from: string;
  /** The name in EHLO. */
  readonly greeting?: string;
  readonly subject: string;
  readonly text: string;
  /** As it came over the wire. */
  readonly source: string;
  readonly headers: Record<string, string[]>;
}

export interface MailServer {
  readonly url: string;
  /** What has arrived so far, refused messages included. */
  readonly arrived: Arrived[];
  /** Decides on each message; a promise keeps the sender waiting. */
  decide: (message: Arrived) => Verdict | Promise<Verdict>;
  /** Waits for the message of this number, counted from 0. */
  message(index: number): Promise<Arrived>;
  close(): Promise<void>;
}

/** What a server says when it refuses: with everything in it that a log must not repeat. */
const complaint = (message: Arrived) =>
  `cannot deliver ${(message.text.match(/\d{6}/g) ?? []).join(' ')} to ${message.to.join(' ')}`;

export async function smtpMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: async (stream, session, answer) => {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      const { mailFrom, rcptTo } = session.envelope;
      const arrived: Arrived = {
        ...readMessage(Buffer.concat(parts)),
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(one => one.address),
        greeting: String(session.hostNameAppearsAs),
      };
      const verdict = await keep(arrived);
      if (verdict === 'accept') answer(null, 'kept');
      else answer(Object.assign(new Error(complaint(arrived)), { responseCode: 550 }));
    },
  });
  // A client that gives up is no fault of the test.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const { keep, parts } = keeper(`smtp://127.0.0.1:${port}`, () => {
    return new Promise(resolve => server.close(() => resolve()));
  });
  return parts;
}

export async function httpMailServer(path = '/send'): Promise<MailServer> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const source = Buffer.concat(parts).toString();
    const { to, ...message } = JSON.parse(source);
    const headers = listed(request.headers);
    const arrived: Arrived = { ...message, to: [to].flat(), source, headers };
    const wanted = request.method === 'POST' && request.url === path;
    const verdict = wanted ? await keep(arrived) : 'refuse';
    response.statusCode = verdict === 'accept' ? 202 : 500;
    response.end(verdict === 'accept' ? '' : complaint(arrived));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { keep, parts } = keeper(`http://127.0.0.1:${port}${path}`, () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  });
  return parts;
}

function keeper(url: string, close: () => Promise<void>) {
  const parts: MailServer = {
    url,
    arrived: [],
    decide: () => 'accept',
    async message(index) {
      for (let left = 500; left > 0; left--) {
        const found = parts.arrived[index];
        if (found) return found;
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      throw new Error(`message ${index} has not arrived`);
    },
    close,
  };
  const keep = async (message: Arrived) => {
    parts.arrived.push(message);
    return parts.decide(message);
  };
  return { keep, parts };
}

const listed = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()]));

/** A message of one part: header lines unfolded, subject and text decoded. */
export function readMessage(bytes: Buffer): Pick<Arrived, 'subject' | 'text' | 'source' | 'headers'> {
  const source = bytes.toString('latin1');
  const end = source.indexOf('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of source
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
  }
  const encoding = headers['content-transfer-encoding']?.[0]?.toLowerCase();
  const body = decodedBody(source.slice(end + 4), encoding);
  return { source, headers, subject: words(headers.subject?.[0] ?? ''), text: body.toString('utf8') };
}

function decodedBody(body: string, encoding = '7bit'): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return encoding === 'quoted-printable' ? quoted(body.replace(/=\r\n/g, '')) : Buffer.from(body, 'latin1');
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** The encoded words of RFC 2047. */
export function words(header: string): string {
  return header
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) => {
      const bytes =
        kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quoted(text.replace(/_/g, ' '));
      return bytes.toString('latin1');
    })
    .replace(/[\x80-\xff]+/g, text => Buffer.from(text, 'latin1').toString('utf8'));
}
