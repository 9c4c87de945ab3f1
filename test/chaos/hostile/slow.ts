/** Those who take their time: with headers, with bodies, with reading answers, with saying anything at all. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Account, drip, newAccount, type Strike, strike } from './attack.ts';
import type { Target } from './target.ts';

/** Of src/http/server.ts; Node.js looks for late connections every 30 s (`connectionsCheckingInterval`). */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_MS = 30_000;
/** Beyond the limit, for a busy machine. */
const GRACE_MS = 5_000;
const DRIP_MS = 1_000;
const RESETS_MS = 500;

const half = 'POST /v1/challenges HTTP/1.1\r\nHost: slow.example\r\nX-Slow: ';

function keyHeaders({ app }: Target): string {
  return `Host: slow.example\r\nX-Svc-Key: ${app.live.pk}\r\nOrigin: ${app.origin}\r\n`;
}

export async function slowSenders(target: Target): Promise<Account[]> {
  const late = { headers: HEADERS_MS + CHECK_MS, body: REQUEST_MS + CHECK_MS, idle: KEEP_ALIVE_MS };
  const all: Account[] = [];
  const many = async (name: string, count: number, limitMs: number, begin: Strike['begin']) => {
    const account = newAccount(`${name}: ended within ${limitMs / 1_000} s`, ({ held, endedAfter }) => [
      held > 0 ? `${held} held too long` : '',
      Math.max(...endedAfter, 0) > limitMs + GRACE_MS ? 'ended too late' : '',
    ]);
    all.push(account);
    const one = () => strike(target.base, account, { begin, patienceMs: limitMs + 2 * GRACE_MS });
    await Promise.all(Array.from({ length: count }, one));
  };
  const say = (text: string, then?: (socket: Socket) => () => void) =>
    ((socket: Socket) => {
      socket.write(text);
      return then?.(socket);
    }) satisfies Strike['begin'];
  const byteByByte = (socket: Socket) => drip(socket, DRIP_MS, () => 'a');
  const body = `POST /v1/match HTTP/1.1\r\n${keyHeaders(target)}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  await Promise.all([
    many('500 send headers a byte at a time', 500, late.headers, say(half, byteByByte)),
    many('500 send bodies a byte at a time', 500, late.body, say(body, byteByByte)),
    many('1,000 never say anything', 1_000, late.headers, say('')),
    many(
      '1,000 say nothing after one request',
      1_000,
      late.idle,
      say('GET /v1/app HTTP/1.1\r\nHost: slow.example\r\n\r\n'),
    ),
    many('200 half-closed in the middle of a request', 200, 1_000, socket => {
      socket.end(half);
      return undefined;
    }),
    many('200 reset in the middle of a body', 200, 1_000, socket => {
      socket.write(body);
      const timer = setTimeout(() => socket.resetAndDestroy(), RESETS_MS);
      return () => clearTimeout(timer);
    }),
  ]);
  return all;
}

const READERS = 250;
/** Answers of 60 KB each: together more than the kernel keeps for a connection that is not read. */
const ASKED = 60;
const HOLD_MS = 120_000;
const document = 'GET /openapi.json HTTP/1.1\r\nHost: slow.example\r\n\r\n';

/** Held longer than any timeout of the server, and than the kernel takes a little more now and then; then the service must have let go of those who never read. */
export async function slowReaders(target: Target): Promise<Account[]> {
  let still = 0;
  const never = newAccount(
    `${READERS} ask ${ASKED} times for 60 KB and never read: let go within 120 s`,
    () => [still > 0 ? `${still} still held by the service` : ''],
  );
  const slowly = newAccount(`${READERS} ask ${ASKED} times for 60 KB and read 64 KB a second: served`);
  const ports = new Set<number>();
  const all = Promise.all(
    [never, slowly].flatMap(account =>
      Array.from({ length: READERS }, () =>
        strike(target.base, account, {
          patienceMs: HOLD_MS + GRACE_MS,
          begin: socket => {
            socket.pause();
            socket.write(document.repeat(ASKED));
            if (account === never) ports.add(socket.localPort ?? 0);
            if (account === never) return undefined;
            socket.on('data', () => socket.pause());
            const timer = setInterval(() => socket.resume(), DRIP_MS);
            return () => clearInterval(timer);
          },
        }),
      ),
    ),
  );
  await new Promise(resolve => setTimeout(resolve, HOLD_MS));
  still = heldBy(target, ports);
  await all;
  return [never, slowly];
}

/**
 * How many connections from these ports the service has open. A client that does not read sees no end, so the kernel is
 * asked: in its table of connections 01 is an established one.
 */
function heldBy({ base }: Target, ports: ReadonlySet<number>): number {
  const own = Number(new URL(base).port);
  const port = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local, remote, state]) => state === '01' && port(local) === own && ports.has(port(remote)))
    .length;
}

/** As few bytes as possible that make the service hold as many as possible. */
export async function unreadDocuments(target: Target): Promise<Account[]> {
  const account = newAccount('10 send 1,500 requests for 60 KB at once, some 70 KB each, and never read');
  await Promise.all(
    Array.from({ length: 10 }, () =>
      strike(target.base, account, {
        patienceMs: 20_000,
        begin: socket => {
          socket.pause();
          socket.write(document.repeat(1_500));
          return undefined;
        },
      }),
    ),
  );
  return [account];
}
