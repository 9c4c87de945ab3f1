/**
 * The HTTP server around an application: limits on slow clients, envelopes for what never becomes a request, and a
 * shutdown that lets requests under way finish.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ERROR_STATUS, type ErrorCode } from '../protocol/errors.ts';
import { inTurn } from './connections.ts';
import { errorBody } from './errors.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** Connections that may wait to be accepted: beyond it, and beyond the system's own limit, a burst waits for seconds. */
const BACKLOG = 4_096;
/** How long a shutdown waits for requests under way. */
const DRAIN_MS = 8_000;
const IDLE_CHECK_MS = 50;

export interface HttpServer {
  /** Resolves with the address that the server listens on. Rejects when it cannot. */
  listen(host: string, port: number): Promise<AddressInfo>;
  close(): Promise<void>;
}

export function createHttpServer(listener: RequestListener, nextRequestId: () => string): HttpServer {
  let closing = false;
  const connections = inTurn((request, response) => {
    if (closing) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  const server = createServer(
    {
      // A missing Host header is answered by the application, in the envelope.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
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
    else answerRaw(socket as Socket, 'invalid_request', message, nextRequestId());
  });
  server.on('connect', (_, socket) =>
    answerRaw(socket as Socket, 'not_found', 'There is no such route.', nextRequestId()),
  );

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    close: () => {
      closing = true;
      return drain(server);
    },
  };
}

async function drain(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const end = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>(done => server.close(() => done()));
  clearInterval(idle);
  clearTimeout(end);
}

/** Answers on the bare socket what Node.js could not read as a request. */
function answerRaw(socket: Socket, code: ErrorCode, message: string, requestId: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
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
}
