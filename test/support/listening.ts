/** An HTTP server on a port of its own, for as long as a test needs it. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closing } from './closing.ts';

export interface Listening {
  /** Its address, without a slash at the end. */
  readonly base: string;
  close(): Promise<void>;
}

export async function listening(handle: RequestListener): Promise<Listening & AsyncDisposable> {
  const server = createServer(handle);
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return closing({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  });
}
