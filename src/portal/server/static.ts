/**
 * Serves the portal's web app: its page under every path of the app, and its files. They hold nothing secret, so they
 * need no session. Files are looked up by their whole name, so no path leads to another file. Held by
 * test/portal/static.test.ts.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { assetsIn, readAsset, readText } from '../../assets.ts';
import { AUDIENCE, KEY_HEADER_NAME, PORTAL_HEADER_NAME } from '../../brand.ts';
import { scriptIntegrity, scriptTag } from '../../built-sdk.ts';
import { Refusal } from '../../domain/refusal.ts';
import { APP_PATHS } from '../../protocol/portal/paths.ts';
import { VERSION } from '../../version.ts';
import { escapeHtml, sendCached } from '../send.ts';
import { fileHeaders, pageHeaders } from './policy.ts';

const FOLDER = 'dist/portal';
const HASHED = /^chunks\//;

interface StaticOptions {
  /** `baseUrl` is known once the API listens. */
  readonly settings: { readonly baseUrl: string };
  /** `cli` too: how people type a command of the service, where the page is read. */
  readonly portal: { readonly cli: string };
  /** Whether `/try` is on. */
  readonly hasTry: boolean;
}

export function addStatic(router: Router, { settings, portal, hasTry }: StaticOptions): void {
  let page: string | undefined;
  const shell = (ctx: Context) => {
    pageHeaders(ctx);
    page ??= filled(settings.baseUrl, portal.cli, hasTry);
    sendCached(ctx, 'index.html', page);
  };
  for (const start of APP_PATHS) {
    router.get(`/${start}`, shell);
    router.get(`/${start}/*rest`, shell);
  }

  let files: ReadonlyMap<string, Buffer> | undefined;
  router.get('/assets/*file', ctx => {
    files ??= builtFiles();
    const name = ctx.path.slice('/assets/'.length);
    const content = files.get(name);
    if (!content) throw new Refusal('not_found', 'There is no such file in this version of the portal.');
    fileHeaders(ctx);
    sendCached(ctx, name, content, HASHED.test(name) ? 'public, max-age=31536000, immutable' : undefined);
  });
}

function filled(issuer: string, cli: string, hasTry: boolean): string {
  const integrity = scriptIntegrity();
  const values: Record<string, string> = {
    issuer,
    version: VERSION,
    cli,
    header: PORTAL_HEADER_NAME,
    keyHeader: KEY_HEADER_NAME,
    testAudience: AUDIENCE.test,
    script: integrity === null ? '' : scriptTag(issuer, integrity),
    try: hasTry ? 'on' : 'off',
  };
  return builtText('index.html').replace(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
}

function builtText(name: string): string {
  if (!assetsIn(FOLDER).includes(name))
    throw new Refusal('service_unavailable', 'The portal was not built. Run npm run build -- parts.');
  return readText(`${FOLDER}/${name}`);
}

/** By the end of their paths. Do not write to the buffers. */
function builtFiles(): ReadonlyMap<string, Buffer> {
  const names = [
    ...assetsIn(FOLDER).filter(name => /\.(?:css|js|svg)$/.test(name)),
    ...assetsIn(`${FOLDER}/chunks`).map(name => `chunks/${name}`),
  ];
  return new Map(names.map(name => [name, readAsset(`${FOLDER}/${name}`)]));
}
