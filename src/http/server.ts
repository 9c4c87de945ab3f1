/**
 * The HTTP server around an application: time limits for slow clients, error envelopes for input that never becomes a
 * request, and a shutdown that lets running requests finish.
 */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { grouped } from '../protocol/amounts.ts';
import { ERROR_STATUS, type ErrorCode } from '../protocol/errors.ts';
import { HEAD_BYTES, HEADER_LINES } from '../protocol/limits.ts';
import { inTurn } from './connections.ts';
import { errorBody } from './errors.ts';
import { HEAD_TOO_LARGE } from './well-formed.ts';

/** Time limits of a connection, in milliseconds. */
export interface Timeouts {
  /** For receiving the head of a request. */
  readonly headers: number;
  /** For receiving all of it. */
  readonly request: number;
  /** For staying open without a request. */
  readonly keepAlive: number;
  /** How often the first two are checked. */
  readonly check: number;
}

export const TIMEOUTS: Timeouts = { headers: 10_000, request: 30_000, keepAlive: 65_000, check: 1_000 };
/** Connections that may wait to be accepted. A larger burst than this or the system's limit has to wait for seconds. */
const BACKLOG = 4_096;
/** How long a shutdown waits for running requests by default. */
const DRAIN_MS = 8_000;
const IDLE_CHECK_MS = 50;
/**
 * Of a larger head nothing is known, not even its Origin. Up to this size the application refuses it, with CORS. It is
 * little above what is served, because Node.js holds so much of every request that waits.
 */
const READ_HEAD_BYTES = 1.5 * HEAD_BYTES;

export interface HttpServer {
  /** Resolves with the address that the server listens on. Rejects if it cannot listen. */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Stops accepting connections and waits for running requests. @param patience milliseconds to wait at most */
  close(patience?: number): Promise<void>;
}

/** Called for input that never became a request, with the id and the code of its answer. */
type OnUnreadable = (requestId: string, code: ErrorCode) => void;

const NO_REQUEST: readonly [ErrorCode, string] = ['invalid_request', 'The request is not well-formed HTTP.'];
const UNREADABLE: Readonly<Record<string, typeof NO_REQUEST>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['invalid_request', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    `The request has more than ${grouped(HEADER_LINES)} headers or trailers, or its ${HEAD_TOO_LARGE}`,
  ],
};

export function createHttpServer(
  listener: RequestListener,
  nextRequestId: () => string,
  onUnreadable: OnUnreadable,
  timeouts = TIMEOUTS,
): HttpServer {
  let closing = false;
  const refuse = (socket: Socket, code: ErrorCode, message: string) => {
    const requestId = nextRequestId();
    if (answerRaw(socket, code, message, requestId)) onUnreadable(requestId, code);
  };
  const connections = inTurn((request, response) => {
    // We ignore upgrades, but Node.js drops what follows one on the connection, so nothing after it gets an answer.
    if (closing || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  const server = createServer(
    {
      // The application answers a missing Host header, with an error envelope.
      requireHostHeader: false,
      maxHeaderSize: READ_HEAD_BYTES,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
    },
    connections.listener,
  );
  server.maxHeadersCount = HEADER_LINES;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (connections.isAnswered(socket as Socket)) socket.destroy();
    else refuse(socket as Socket, ...(UNREADABLE[code ?? ''] ?? NO_REQUEST));
  });
  server.on('connect', (_, socket) => refuse(socket as Socket, 'not_found', 'There is no such route.'));

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    close: (patience = DRAIN_MS) => {
      closing = true;
      return drain(server, patience);
    },
  };
}

async function drain(server: Server, patience: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const end = setTimeout(() => server.closeAllConnections(), patience);
  await new Promise<void>(done => server.close(() => done()));
  clearInterval(idle);
  clearTimeout(end);
}

/** Answers on the socket what Node.js could not parse as a request. False if the client is gone. */
function answerRaw(socket: Socket, code: ErrorCode, message: string, requestId: string): boolean {
  if (!socket.writable) {
    socket.destroy();
    return false;
  }
  const body = JSON.stringify(errorBody(code, message));
  const lines = [
    `HTTP/1.1 ${ERROR_STATUS[code]} ${STATUS_CODES[ERROR_STATUS[code]]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Vary: Origin',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return true;
}
