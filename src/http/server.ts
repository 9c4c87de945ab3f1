/**
 * The HTTP server around an application: limits on slow clients, envelopes for what never becomes a request, and a
 * shutdown that lets requests under way finish.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '../protocol/errors.ts';
import { inTurn } from './connections.ts';
import { errorBody } from './errors.ts';

/** How long a connection may take, in milliseconds. */
export interface Timeouts {
  /** For the head of a request. */
  readonly headers: number;
  /** For all of it. */
  readonly request: number;
  /** Without a request. */
  readonly keepAlive: number;
  /** How late the first two may end. */
  readonly check: number;
}

export const TIMEOUTS: Timeouts = { headers: 10_000, request: 30_000, keepAlive: 65_000, check: 1_000 };
/** Connections that may wait to be accepted: beyond it, and beyond the system's own limit, a burst waits for seconds. */
const BACKLOG = 4_096;
/** How long a shutdown waits for requests under way, usually. */
const DRAIN_MS = 8_000;
const IDLE_CHECK_MS = 50;

export interface HttpServer {
  /** Resolves with the address that the server listens on. Rejects when it cannot. */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Takes no new connections, and waits for requests under way, for so long at most. @param patience milliseconds */
  close(patience?: number): Promise<void>;
}

/** Is told what never became a request: the name that its answer has, and the code. */
export type OnUnreadable = (requestId: string, code: ErrorCode) => void;

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
    // Of an upgrade, which is passed over, Node.js drops what came behind it: no answer to that would ever follow.
    if (closing || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  const server = createServer(
    {
      // A missing Host header is answered by the application, in the envelope.
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
    },
    connections.listener,
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const message =
      code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'The request is not well-formed HTTP.';
    if (connections.isAnswered(socket as Socket)) socket.destroy();
    else refuse(socket as Socket, 'invalid_request', message);
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

/** Answers on the bare socket what Node.js could not read as a request. False where nobody listens any more. */
function answerRaw(socket: Socket, code: ErrorCode, message: string, requestId: string): boolean {
  if (!socket.writable) {
    socket.destroy();
    return false;
  }
  const body = JSON.stringify(errorBody(code, message));
  const lines = [
    `HTTP/1.1 ${ERROR_STATUS[code]} ${code === 'not_found' ? 'Not Found' : 'Bad Request'}`,
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
