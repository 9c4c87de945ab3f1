/**
 * `/docs` on the operators' address: the page about the HTTP API, its style and its script. The page is made once, when
 * it is first asked for. Held by test/portal/docs.test.ts.
 */
import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readText } from '../../assets.ts';
import { docsPage } from './page.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** @param settings `baseUrl` is known once the API listens */
export function addDocs(router: Router, settings: { readonly baseUrl: string }): void {
  let page: string | undefined;
  router.get('/docs', ctx => {
    page ??= docsPage(settings.baseUrl);
    ctx.set('Content-Security-Policy', POLICY);
    send(ctx, 'html', page);
  });
  for (const file of ['page.css', 'parts.css', 'page.js'])
    router.get(`/docs/${file}`, ctx => {
      send(ctx, file.slice(file.indexOf('.') + 1), readText(`src/portal/docs/page/${file}`));
    });
}

function send(ctx: Context, type: string, text: string): void {
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = type;
  ctx.etag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
}
