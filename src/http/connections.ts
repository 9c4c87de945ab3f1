/**
 * What one connection may ask of the service: one request at a time, however many were sent ahead, and no answer that
 * nobody takes. Node.js begins every request that has arrived, and keeps all of their answers until they are read: a
 * client that sends thousands of small requests and reads nothing could fill the memory.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Requests sent ahead of their answers. Beyond it the connection is ended. */
  readonly ahead: number;
  /** How long the client may take nothing of an answer that is whole. */
  readonly unreadMs: number;
}

const LIMITS: ConnectionLimits = { ahead: 100, unreadMs: 30_000 };

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connections {
  readonly listener: RequestListener;
  /** Whether the request that is under way on the connection has its answer, though it did not arrive whole. */
  isAnswered(socket: Socket): boolean;
}

export function inTurn(listener: RequestListener, limits = LIMITS): Connections {
  const waiting = new WeakMap<Socket, Exchange[]>();
  const current = new WeakMap<Socket, Exchange>();

  function begin(socket: Socket, exchange: Exchange): void {
    current.set(socket, exchange);
    socket.setTimeout(0);
    // From its last byte on the answer waits for the client alone.
    exchange.response.once('prefinish', () => socket.setTimeout(limits.unreadMs));
    exchange.response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) begin(socket, next);
      else waiting.delete(socket);
    });
    listener(exchange.request, exchange.response);
  }

  return {
    listener(request, response) {
      const { socket } = request;
      const ahead = waiting.get(socket);
      if (socket.destroyed) return;
      if (!ahead) {
        waiting.set(socket, []);
        begin(socket, { request, response });
      } else if (ahead.length < limits.ahead) ahead.push({ request, response });
      else socket.destroy();
    },

    isAnswered(socket) {
      const { request, response } = current.get(socket) ?? {};
      return response?.writableEnded === true && request?.complete === false;
    },
  };
}
