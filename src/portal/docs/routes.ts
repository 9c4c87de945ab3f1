/**
 * `/docs` on the operators' address: Swagger UI, with the API's own OpenAPI document. Its script is large, so it is
 * read when somebody asks for it. Held by test/portal/docs.test.ts and test/browser/docs.test.ts.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readAsset } from '../../assets.ts';
import { describerOf } from '../../http/openapi/public.ts';
import { ROUTES } from '../../http/routes.ts';
import { sendCached } from '../send.ts';
import { fileHeaders } from '../server/policy.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The viewer's icons are in its style.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FILES = {
  '': 'src/portal/docs/page/page.html',
  '/page.css': 'src/portal/docs/page/page.css',
  '/page.js': 'src/portal/docs/page/page.js',
  '/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  '/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
};

/** @param settings `baseUrl` is known once the API listens */
export function addDocs(router: Router, settings: { readonly baseUrl: string }): void {
  for (const [path, file] of Object.entries(FILES))
    router.get(`/docs${path}`, ctx => send(ctx, file, readAsset(file)));
  const documentAt = describerOf(() => ROUTES);
  router.get('/docs/openapi.json', ctx => {
    send(ctx, 'openapi.json', JSON.stringify(documentAt(settings.baseUrl)));
  });
}

function send(ctx: Context, name: string, content: string | Buffer): void {
  fileHeaders(ctx);
  ctx.set('Content-Security-Policy', POLICY);
  sendCached(ctx, name, content);
}
