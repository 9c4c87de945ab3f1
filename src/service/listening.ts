/**
 * Listens on the service's addresses. On a first start they are tried before anything is created, so that a port in use
 * leaves no database and no master secret behind. Held by test/cli/bad-starts.long.test.ts.
 */
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../config.ts';
import type { HttpServer } from '../http/server.ts';

type Who = 'api' | 'portal';

/** An address that cannot be listened on. */
export class ListenFault extends Error {
  readonly who: Who;
  readonly address: string;
  /** System error code: EADDRINUSE, EACCES, … */
  readonly code: string;

  constructor(who: Who, address: string, cause: unknown) {
    const code = String((cause as NodeJS.ErrnoException).code);
    super(`cannot listen on ${address}: ${code}`, { cause });
    this.who = who;
    this.address = address;
    this.code = code;
  }
}

/** @throws ListenFault */
export async function listenOr(
  who: Who,
  server: Pick<HttpServer, 'listen'>,
  host: string,
  port: number,
): Promise<AddressInfo> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    throw new ListenFault(who, addressOf(host, port).replace('http://', ''), error);
  }
}

/** Listens on both addresses for a moment, then closes them. @throws ListenFault */
export async function tryAddresses({ host, port, portalHost, portalPort }: Config): Promise<void> {
  const held: Server[] = [];
  const trial = {
    listen: (onHost: string, onPort: number) =>
      new Promise<AddressInfo>((resolve, reject) => {
        const server = createServer(socket => socket.destroy());
        server.once('error', reject);
        server.listen({ host: onHost, port: onPort }, () => {
          held.push(server);
          resolve(server.address() as AddressInfo);
        });
      }),
  };
  try {
    await listenOr('api', trial, host, port);
    await listenOr('portal', trial, portalHost, portalPort);
  } finally {
    await Promise.all(held.map(server => new Promise(done => server.close(done))));
  }
}

/** The HTTP address of a host and port. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
