/**
 * Limits one connection: it is served one request at a time, however many it pipelines, and it is closed if the client
 * does not read the answers. Node.js starts every request that has arrived and buffers all answers until they are read,
 * so a client that sends thousands of small requests and reads nothing could fill the memory.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEAD_BYTES } from '../protocol/limits.ts';
import { headBytes } from './well-formed.ts';

export interface ConnectionLimits {
  /** Requests that may wait for the one before them. The connection is closed when there are more. */
  readonly ahead: number;
  /** And how large their heads may be together. */
  readonly aheadBytes: number;
  /** Milliseconds that the client may go without reading anything of a complete answer. */
  readonly unreadMs: number;
}

const LIMITS: ConnectionLimits = { ahead: 100, aheadBytes: 4 * HEAD_BYTES, unreadMs: 30_000 };

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connections {
  readonly listener: RequestListener;
  /** Whether the current request of the connection was answered although it has not arrived completely. */
  isAnswered(socket: Socket): boolean;
}

export function inTurn(listener: RequestListener, limits = LIMITS): Connections {
  const waiting = new WeakMap<Socket, Exchange[]>();
  const current = new WeakMap<Socket, Exchange>();

  function begin(socket: Socket, exchange: Exchange): void {
    current.set(socket, exchange);
    socket.setTimeout(0);
    // Once the last byte is written, only the client can hold up the answer.
    exchange.response.once('prefinish', () => socket.setTimeout(limits.unreadMs));
    exchange.response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) begin(socket, next);
      else waiting.delete(socket);
    });
    listener(exchange.request, exchange.response);
  }

  const fits = (ahead: readonly Exchange[], request: IncomingMessage) =>
    ahead.reduce((sum, one) => sum + headBytes(one.request), headBytes(request)) <= limits.aheadBytes;

  return {
    listener(request, response) {
      const { socket } = request;
      const ahead = waiting.get(socket);
      if (socket.destroyed) return;
      if (!ahead) {
        waiting.set(socket, []);
        begin(socket, { request, response });
      } else if (ahead.length < limits.ahead && fits(ahead, request)) ahead.push({ request, response });
      else socket.destroy();
    },

    isAnswered(socket) {
      const { request, response } = current.get(socket) ?? {};
      return response?.writableEnded === true && request?.complete === false;
    },
  };
}
