/**
 * Step 3: reads a request's body. Media type and encoding first, then size, then JSON. The bytes are read one to one
 * and decoded here, because text that is not UTF-8 must be refused, not repaired. Parse errors never keep the body.
 */
import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { Refusal } from '../domain/refusal.ts';
import { BODY_DEPTH } from '../protocol/limits.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*("?)([^";\s]*)\1/i;

/** Reads a JSON object of at most `bytes` bytes. @throws Refusal unsupported_media_type, payload_too_large, invalid_request */
export function jsonReader(bytes: number): (ctx: Context) => Promise<object> {
  const read = byteReader(bytes, ['application/json']);
  return async ctx => {
    requireJson(ctx);
    return parseObject(await read(ctx));
  };
}

/** For routes without a body: reads past what comes. @throws Refusal payload_too_large */
export function bodySkipper(bytes: number): (ctx: Context) => Promise<void> {
  return async ctx => {
    if (!hasBody(ctx)) return;
    let received = 0;
    refuseTooLong(ctx, bytes);
    for await (const chunk of wholeBody(ctx)) {
      received += chunk.length;
      if (received > bytes) throw tooLarge(bytes);
    }
  };
}

/** @throws Refusal invalid_request when the sender goes away */
async function* wholeBody(ctx: Context): AsyncGenerator<Buffer> {
  try {
    // Leaving the loop early must not destroy the socket that the answer goes out on.
    yield* ctx.req.iterator({ destroyOnReturn: false });
  } catch {
    throw incomplete();
  }
}

function hasBody(ctx: Context): boolean {
  return ctx.req.headers['transfer-encoding'] !== undefined || announced(ctx) > 0;
}

/** Node.js lets digits through and nothing else, up to 2^64; a double is near enough to compare with a limit. */
function announced(ctx: Context): number {
  return Number(ctx.get('Content-Length') || 0);
}

/** Before anything is read: koa-body takes the length for 32 bits. */
function refuseTooLong(ctx: Context, bytes: number): void {
  if (announced(ctx) > bytes) throw tooLarge(bytes);
}

function requireJson(ctx: Context): void {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = ctx.req.headers;
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Send the body as it is: Content-Encoding is not supported.');
  }
  if (type === undefined && !hasBody(ctx))
    throw new Refusal('invalid_request', 'body: is required, as a JSON object');
  const charset = CHARSET.exec(type ?? '')?.[2] ?? 'utf-8';
  if (!JSON_TYPE.test(type ?? '') || !/^utf-?8$/i.test(charset)) {
    throw new Refusal(
      'unsupported_media_type',
      'Send the body as "Content-Type: application/json", in UTF-8.',
    );
  }
}

function byteReader(limit: number, textTypes: string[]): (ctx: Context) => Promise<Buffer> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes,
    textLimit: limit,
    encoding: 'binary',
    onError: error => {
      throw (error as Error & { status?: number }).status === 413 ? tooLarge(limit) : incomplete();
    },
  });
  return async ctx => {
    if (!hasBody(ctx)) return Buffer.alloc(0);
    refuseTooLong(ctx, limit);
    await read(ctx, async () => undefined);
    return Buffer.from(String(ctx.request.body ?? ''), 'latin1');
  };
}

function parseObject(bytes: Buffer): object {
  if (bytes.length === 0) throw new Refusal('invalid_request', 'body: is required, as a JSON object');
  if (!isUtf8(bytes)) throw new Refusal('invalid_request', 'body: is not valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal('invalid_request', 'body: is not well-formed JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_request', 'body: must be a JSON object');
  }
  if (!isShallow(value))
    throw new Refusal('invalid_request', `body: is nested more than ${BODY_DEPTH} levels deep`);
  return value;
}

/** Level by level, not by recursion: the depth is the sender's choice. */
function isShallow(body: object): boolean {
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > BODY_DEPTH) return false;
    const next: object[] = [];
    for (const node of level) {
      for (const value of Object.values(node))
        if (typeof value === 'object' && value !== null) next.push(value);
    }
    level = next;
  }
  return true;
}

function incomplete(): Refusal {
  return new Refusal('invalid_request', 'body: did not arrive whole');
}

function tooLarge(bytes: number): Refusal {
  return new Refusal('payload_too_large', `body: must have at most ${bytes} bytes`);
}
