/**
 * `GET /sdk/browser/VERSION/FILE`: the browser SDK of this version, for pages without a bundler. Anyone may load it
 * from any origin and keep it: a new version has a new path. Only the built files are served, looked up by their whole
 * path, so no path leads to another file. Held by test/http/sdk-files.test.ts.
 */
import type { Middleware } from 'koa';
import { servedFiles } from '../built-sdk.ts';
import { Refusal } from '../domain/refusal.ts';

export const SDK_FILES = '/sdk/browser/:version/*file';

export function sdkFiles(): Middleware {
  // Read at the first request: most services are never asked.
  let files: ReadonlyMap<string, Buffer> | undefined;
  return ctx => {
    files ??= servedFiles();
    const content = files.get(ctx.path);
    if (!content) throw new Refusal('not_found', 'There is no such file in this version of the service.');
    ctx.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    // The same for every page, so that shared caches keep it once. cors.ts has set these for the answers of the API.
    ctx.remove('Vary');
    ctx.remove('Access-Control-Expose-Headers');
    ctx.body = content;
  };
}
