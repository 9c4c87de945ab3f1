/**
 * Step 3: reads a request's body. Media type and encoding first, then size, then JSON. Decodes the bytes itself,
 * because invalid UTF-8 must be refused, not repaired. No error contains the body.
 * Held by test/http/bodies.test.ts, announced-lengths.test.ts and raw-sockets.test.ts.
 */
import { isUtf8 } from 'node:buffer';
import type { Context, Middleware } from 'koa';
import { Refusal } from '../domain/refusal.ts';
import { BODY_DEPTH } from '../protocol/limits.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*("?)([^";\s]*)\1/i;
/** By limit: koa-body has one for all that it reads. */
const readers = new Map<number, Middleware>();

/**
 * A JSON object of at most `limit` bytes.
 * @throws Refusal unsupported_media_type, payload_too_large, invalid_request
 */
export async function readJson(ctx: Context, limit: number): Promise<object> {
  requireJson(ctx);
  return parseObject(await readBytes(ctx, limit));
}

/**
 * All bytes of the body, if any. Refuses an announced length above the limit before it reads anything.
 * @throws Refusal payload_too_large; invalid_request when the client disconnects
 */
export async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  if (!hasBody(ctx)) return Buffer.alloc(0);
  const tooLarge = () => new Refusal('payload_too_large', `body: must have at most ${limit} bytes`);
  // As a number of any size: the reader would keep 32 bits of it.
  if (Number(ctx.req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  // Where no body is wanted, one of any type and encoding is counted as it came.
  if (ctx.req.headers['content-encoding'] !== undefined) delete ctx.req.headers['content-encoding'];
  const read = readers.get(limit) ?? (await loadReader(limit));
  // All that the reader asks of a context. An object made from the context itself would slow down every use of it.
  const asked = { req: ctx.req, method: ctx.method, is: () => true, request: { body: Buffer.alloc(0) } };
  await read(asked as unknown as Context, async () => undefined).catch((error: { status?: number }) => {
    throw error.status === 413 ? tooLarge() : new Refusal('invalid_request', 'body: did not arrive whole');
  });
  return asked.request.body;
}

/** koa-body is large, and no start waits for it: the first body loads it. */
async function loadReader(limit: number): Promise<Middleware> {
  const { koaBody, HttpMethodEnum } = await import('koa-body');
  const read = koaBody({
    json: false,
    urlencoded: false,
    // None: the bytes themselves. Any other would repair what is no UTF-8.
    encoding: '',
    textLimit: limit,
    parsedMethods: Object.values(HttpMethodEnum),
  });
  readers.set(limit, read);
  return read;
}

export function hasBody(ctx: Context): boolean {
  const { 'transfer-encoding': coding, 'content-length': length } = ctx.req.headers;
  return coding !== undefined || Number(length ?? 0) > 0;
}

/** @throws Refusal unsupported_media_type; invalid_request when there is no body */
export function requireJson(ctx: Context): void {
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

/** Level by level, not by recursion: the client chooses the depth. */
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
