/** Stands between a node and its database: late, silent, or away. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `silent` takes everything and passes nothing on; `closed` ends every connection; `garbled` replaces what tells of a
 * commit by bytes that mean nothing.
 */
export type Line = 'open' | 'silent' | 'closed' | 'garbled';

/** A message of a kind that there is not. */
const GARBAGE = Buffer.from([0x7f, 0, 0, 0, 4]);

export interface Detour {
  /** The address of the database through this. */
  through(url: string): string;
  /** How late everything arrives that the node sends, so each statement. */
  lateMs: number;
  /** Round trips so far: what is sent while something else is still late is none of its own. */
  readonly trips: number;
  /** Of a silent line nothing is passed on later either: its connections end when it opens. */
  set(line: Line): void;
  close(): void;
}

export async function startDetour(
  databasePort: number,
  lateMs = 0,
  { host = '127.0.0.1', port: wanted = 0 } = {},
): Promise<Detour> {
  let line: Line = 'open';
  let trips = 0;
  let tripEnds = 0;
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer(node => {
    if (line === 'closed') {
      node.destroy();
      return;
    }
    const database = connect(databasePort, '127.0.0.1');
    let before = Promise.resolve();
    pass(node, database, chunk => {
      const now = performance.now();
      const due = now + detour.lateMs;
      if (now >= tripEnds) {
        trips += 1;
        // A timer may fire a moment early.
        tripEnds = due - 2;
      }
      before = before
        .then(() => delay(Math.max(0, due - performance.now())))
        .then(() => void database.write(chunk));
    });
    pass(database, node, chunk => {
      if (line === 'garbled' && chunk.includes('COMMIT')) node.end(GARBAGE);
      else node.write(chunk);
    });
  });

  function pass(from: Socket, to: Socket, onward: (chunk: Buffer) => void): void {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      if (line !== 'silent') onward(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const detour: Detour = {
    lateMs,
    get trips() {
      return trips;
    },
    through(url) {
      const address = new URL(url);
      address.port = String(port);
      return address.href;
    },
    set(next) {
      if (line === 'silent' || next === 'closed') endAll();
      line = next;
    },
    close() {
      server.close();
      endAll();
    },
  };
  return detour;
}
