/**
 * Sends a file of a page with an ETag: 304 if the browser has it. Held by test/portal/docs.test.ts and
 * test/portal/try.test.ts.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { Context } from 'koa';

/**
 * @param name decides the type
 * @param cache default: the browser asks each time, and gets the file again only if it has changed
 */
export function sendCached(ctx: Context, name: string, content: string | Buffer, cache = 'no-cache'): void {
  ctx.type = extname(name);
  ctx.set('Cache-Control', cache);
  ctx.etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = content;
}

/** Text as HTML. Held by test/portal/health.test.ts. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
