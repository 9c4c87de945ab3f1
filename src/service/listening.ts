/**
 * Listens on the service's addresses. On a first start they are tried before anything is created, so that a port in use
 * leaves no database and no master secret behind. Held by test/cli/bad-starts.long.test.ts.
 */
import { type AddressInfo, createServer } from 'node:net';
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

/**
 * Where the portal listens. It is opened as http://localhost, which browsers may look up as ::1: whoever listened there
 * would get its visitors.
 */
export function portalHosts(host: string): string[] {
  return host === '127.0.0.1' || host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
}

/** The machine has no such address. */
const ABSENT: readonly string[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];
/** A free port of one address may be in use on the other. */
const ATTEMPTS = 20;

type Listening = Pick<HttpServer, 'listen'> & { close(patience?: number): Promise<void> };

/**
 * Listens on all of the portal's addresses, on one port. The second may be missing on this machine, but not in use.
 * @param make one server for each address
 * @throws ListenFault
 */
export async function listenPortal<Some extends Listening>(
  make: () => Some,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly servers: readonly Some[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Some[] = [];
    let chosen = port;
    try {
      for (const each of portalHosts(host)) {
        const server = make();
        const at = await listenOr('portal', server, each, chosen).catch(fault => {
          if (servers.length > 0 && ABSENT.includes(fault.code)) return null;
          throw fault;
        });
        if (at === null) continue;
        chosen = at.port;
        servers.push(server);
      }
      return { port: chosen, servers };
    } catch (fault) {
      await Promise.all(servers.map(server => server.close(0)));
      const mayDiffer = port === 0 && (fault as ListenFault).code === 'EADDRINUSE';
      if (!mayDiffer || attempt === ATTEMPTS) throw fault;
    }
  }
}

/** The portal's origin, as operators open it. */
export function portalUrlOf({ portalUrl, portalHost }: PortalPlace, port: number): string {
  if (portalUrl !== null) return portalUrl;
  // localhost does not lead to other loopback addresses. Passkeys do not work there.
  const isLocal = portalHosts(portalHost).length > 1 || portalHost === '::1';
  return isLocal ? `http://localhost:${port}` : addressOf(portalHost, port);
}

type PortalPlace = Pick<Config, 'portalUrl' | 'portalHost'>;

/** Listens on all addresses for a moment, then closes them. @throws ListenFault */
export async function tryAddresses({ host, port, portalHost, portalPort }: Config): Promise<void> {
  const api = trial();
  const portal = [];
  try {
    await listenOr('api', api, host, port);
    portal.push(...(await listenPortal(trial, portalHost, portalPort)).servers);
  } finally {
    await Promise.all([api, ...portal].map(server => server.close()));
  }
}

/** A server that closes every connection. */
function trial(): Listening {
  const server = createServer(socket => socket.destroy());
  return {
    listen: (host, port) =>
      new Promise<AddressInfo>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => resolve(server.address() as AddressInfo));
      }),
    close: () => new Promise(done => server.close(() => done())),
  };
}

/** The HTTP address of a host and port. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
