/** Refuses requests that are valid HTTP for Node.js but that no route can process. */
import type { Middleware } from 'koa';
import { Refusal } from '../domain/refusal.ts';

export const wellFormed: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new Refusal('invalid_request', 'The Host header is missing.');
  }
  try {
    void ctx.path;
  } catch {
    throw new Refusal('invalid_request', 'The address of the request is not well-formed.');
  }
  return next();
};
