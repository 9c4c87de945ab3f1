/**
 * `/docs` on the operators' address: the page about the HTTP API, its style and its script. The page, and the
 * description that it is made of, are loaded once, when it is first asked for. Held by test/portal/docs.test.ts.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readText } from '../../assets.ts';
import { sendCached } from '../send.ts';

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
  let page: Promise<string> | undefined;
  router.get('/docs', async ctx => {
    page ??= import('./page.ts').then(({ docsPage }) => docsPage(settings.baseUrl));
    const text = await page;
    ctx.set('Content-Security-Policy', POLICY);
    send(ctx, 'page.html', text);
  });
  for (const file of ['page.css', 'parts.css', 'page.js'])
    router.get(`/docs/${file}`, ctx => {
      send(ctx, file, readText(`src/portal/docs/page/${file}`));
    });
}

function send(ctx: Context, name: string, text: string): void {
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Referrer-Policy', 'no-referrer');
  sendCached(ctx, name, text);
}
