/** Refuses requests that are valid HTTP for Node.js but no route can process. Held by test/portal/paths.test.ts. */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Refusal } from '../domain/refusal.ts';
import { HEAD_BYTES } from '../protocol/limits.ts';

export const HEAD_TOO_LARGE =
  'URL and headers are together larger than 64 KB, mostly because of cookies: delete those of this address (also of other programs on this host name), or send fewer headers.';

/** Node.js reads larger heads, so that a page can read why its request was refused. */
export const smallHead: Middleware = (ctx, next) => {
  if (headBytes(ctx.req) > HEAD_BYTES) throw new Refusal('headers_too_large', HEAD_TOO_LARGE);
  return next();
};

/** Each header with its colon, blank and line end. */
export function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length);
}

export const wellFormed: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new Refusal('invalid_request', 'The Host header is missing.');
  }
  try {
    void ctx.path;
  } catch {
    throw malformed();
  }
  return next();
};

/** Also refuses a path that is no encoded text, and NUL, which PostgreSQL takes in no text. */
export const decodable: Middleware = (ctx, next) => {
  try {
    if (!decodeURIComponent(ctx.path).includes('\0') && !/%00/.test(ctx.querystring)) return next();
  } catch {
    // Neither the address nor a part of its path can be read.
  }
  throw malformed();
};

function malformed(): Refusal {
  return new Refusal('invalid_request', 'The address of the request is not well-formed.');
}
