/** A mail server that accepts every message after a delay: the time that a real one takes could reveal an address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowMail {
  readonly url: string;
  /** Number of accepted messages. */
  accepted(): number;
  close(): void;
}

/** @param delay milliseconds before each message is accepted */
export async function slowMail(delay: number): Promise<SlowMail> {
  let accepted = 0;
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      accepted += 1;
      response.end();
    }, delay);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    accepted: () => accepted,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
