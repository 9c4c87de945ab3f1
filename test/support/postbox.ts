/** A mail endpoint that keeps what it is given, so that a trial reads codes as people do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mail } from './service.ts';

export interface Postbox {
  readonly url: string;
  /** Oldest first; only those to one address, when it is given. */
  mails(to?: string): Mail[];
  close(): void;
}

export async function openPostbox(): Promise<Postbox> {
  const byAddress = new Map<string, Mail[]>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const mail: Mail = JSON.parse(Buffer.concat(parts).toString());
    byAddress.set(mail.to, [...(byAddress.get(mail.to) ?? []), mail]);
    response.end();
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    mails: to => (to === undefined ? [...byAddress.values()].flat() : [...(byAddress.get(to) ?? [])]),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
