/** Connections that mean harm, and an account of what the service made of each. */
import { connect, type Socket } from 'node:net';
import { answerReader } from './answers.ts';

const CONNECT_MS = 10_000;

/** Of one kind of attack. */
export interface Account {
  readonly name: string;
  connections: number;
  readonly answers: Map<string, number>;
  /** Milliseconds from its beginning to its end of each connection that the service ended. */
  readonly endedAfter: number[];
  /** Connections that the service still held when the attacker lost patience. */
  held: number;
  /** Connections that were never had. */
  unconnected: number;
  /** What is wrong with what the service did. */
  faults(): string[];
}

export function newAccount(name: string, judge: (account: Account) => readonly string[] = () => []): Account {
  const account: Account = {
    ...{ name, connections: 0, answers: new Map(), endedAfter: [], held: 0, unconnected: 0 },
    faults: () => judge(account).filter(Boolean),
  };
  return account;
}

export interface Strike {
  /** Local address to come from. */
  readonly from?: string;
  /** Begins to send. What it returns is called when the connection is over. */
  readonly begin: (socket: Socket) => (() => void) | undefined;
  /** Sends the next request when one was answered. */
  readonly again?: (socket: Socket) => void;
  /** After so many answers the attacker leaves; never, when not given. */
  readonly answers?: number;
  readonly patienceMs: number;
}

/** One connection, to its end. */
export function strike(base: string, account: Account, of: Strike): Promise<void> {
  const { hostname: host, port } = new URL(base);
  return new Promise(done => {
    let over = false;
    let began = 0;
    let cease: (() => void) | undefined;
    let answered = 0;
    account.connections++;
    const socket = connect({ host, port: Number(port), ...(of.from && { localAddress: of.from }) });
    const end = (note: () => void) => {
      if (over) return;
      over = true;
      note();
      clearTimeout(timer);
      cease?.();
      socket.destroy();
      done();
    };
    const ended = () =>
      end(() => {
        if (began === 0) account.unconnected++;
        else account.endedAfter.push(performance.now() - began);
      });
    let timer = setTimeout(ended, CONNECT_MS);
    const read = answerReader(kind => {
      account.answers.set(kind, (account.answers.get(kind) ?? 0) + 1);
      if (++answered === of.answers) end(() => undefined);
      else of.again?.(socket);
    });
    socket.on('connect', () => {
      clearTimeout(timer);
      began = performance.now();
      timer = setTimeout(() => end(() => account.held++), of.patienceMs);
      cease = of.begin(socket);
    });
    socket.on('data', read);
    socket.on('end', ended);
    socket.on('error', ended);
    socket.on('close', ended);
  });
}

/** `again` and again by `parallel` attackers for a time. */
export async function keepUp(seconds: number, parallel: number, again: () => Promise<void>): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      do await again();
      while (performance.now() < end);
    }),
  );
}

/** Sends a little every so often. @returns what ends it */
export function drip(socket: Socket, everyMs: number, next: () => string | Uint8Array): () => void {
  const timer = setInterval(() => {
    if (socket.writable && !socket.writableNeedDrain) socket.write(next());
  }, everyMs);
  return () => clearInterval(timer);
}

export function summaryOf({ answers, connections, endedAfter, held, unconnected }: Account): string {
  const kinds = [...answers].map(([kind, count]) => `${count} × ${kind}`);
  const longest = Math.max(...endedAfter, 0) / 1_000;
  const more = [
    endedAfter.length > 0 ? `${endedAfter.length} ended, the last after ${longest.toFixed(1)} s` : '',
    held > 0 ? `${held} still open` : '',
    unconnected > 0 ? `${unconnected} never connected` : '',
  ];
  return [`${connections} connections`, ...kinds, ...more].filter(Boolean).join('; ');
}
