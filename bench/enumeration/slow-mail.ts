/** A mail server that takes every message, after a while: what a real one costs is what could give an address away. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowMail {
  readonly url: string;
  /** Messages taken. */
  taken(): number;
  close(): void;
}

/** @param delay milliseconds before each message is taken */
export async function slowMail(delay: number): Promise<SlowMail> {
  let taken = 0;
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      taken += 1;
      response.end();
    }, delay);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    taken: () => taken,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
