/** Callers of a proxy at addresses of their own: the whole of 127.0.0.0/8 is this machine. */
import { Agent, request } from 'undici';
import { browser, type Json } from '../support/client.ts';
import type { TestApp } from '../support/service.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly json: Json;
}

export type Ask = (
  method: 'GET' | 'POST',
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

/** @param port where the proxy has TLS */
export function callerOf(port: number, app: TestApp, localAddress: string, allowH2 = true): Ask {
  const dispatcher = new Agent({
    allowH2,
    localAddress,
    connect: { rejectUnauthorized: false, servername: 'face.example' },
  });
  return async (method, path, json, headers = {}) => {
    const body = json === undefined ? null : JSON.stringify(json);
    const type = body === null ? {} : { 'content-type': 'application/json' };
    const sent = { ...(browser(app) as Record<string, string>), host: 'face.example', ...type, ...headers };
    const address = `https://127.0.0.1:${port}${path}`;
    const answer = await request(address, { method, dispatcher, headers: sent, body });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, json: text ? JSON.parse(text) : null };
  };
}
