/**
 * Files that the page to try the service needs, each by its name: its own, the built browser SDK, and encoder and models from
 * the packages of this installation. A path that is not listed is no file, so none leads out of these folders. Held by
 * test/http/try.test.ts.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'koa';

const ROOT = join(import.meta.dirname, '../../..');
const MODULES = join(ROOT, 'node_modules');
const SDK = join(ROOT, 'dist/sdk/browser');
const HOUR = 'private, max-age=3600';

interface Shelf {
  readonly folder: string;
  readonly names: readonly string[];
  /** Always asked about again, unless told. */
  readonly cache?: string;
}

const SHELVES: Readonly<Record<string, Shelf>> = {
  'page/': {
    folder: join(import.meta.dirname, 'page'),
    names: ['page.css', 'page.js', 'code.js', 'encoders.js', 'steps.js', 'token.js'],
  },
  'face-api/': {
    folder: join(MODULES, '@vladmandic/face-api/dist'),
    names: ['face-api.esm.js'],
    cache: HOUR,
  },
  'model/': {
    folder: join(MODULES, '@vladmandic/face-api/model'),
    names: ['tiny_face_detector', 'face_landmark_68', 'face_recognition'].flatMap(net => [
      `${net}_model-weights_manifest.json`,
      `${net}_model.bin`,
    ]),
    cache: HOUR,
  },
  'wasm/': {
    folder: join(MODULES, '@tensorflow/tfjs-backend-wasm/dist'),
    names: ['', '-simd', '-threaded-simd'].map(kind => `tfjs-backend-wasm${kind}.wasm`),
    cache: HOUR,
  },
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  wasm: 'application/wasm',
  bin: 'application/octet-stream',
};

/** What of the page's needs is there. */
export function installed(): { readonly sdk: boolean; readonly encoder: boolean } {
  const parts = ['face-api/', 'model/', 'wasm/'].flatMap(start => {
    const { folder, names } = SHELVES[start] as Shelf;
    return names.map(name => join(folder, name));
  });
  return { sdk: existsSync(join(SDK, 'element.js')), encoder: parts.every(path => existsSync(path)) };
}

/** @param path below `/try/`. False: there is no such file */
export function sendFile(ctx: Context, path: string): boolean {
  const found = locate(path);
  const stat = found && statSync(found.file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return false;
  ctx.set('Content-Type', TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  ctx.set('Cache-Control', found?.cache ?? 'no-cache');
  ctx.etag = `${stat.size}-${Math.round(stat.mtimeMs)}`;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return true;
  }
  ctx.length = stat.size;
  if (ctx.method !== 'HEAD') ctx.body = createReadStream(found?.file as string);
  return true;
}

function locate(path: string): { readonly file: string; readonly cache?: string | undefined } | null {
  for (const [start, { folder, names, cache }] of Object.entries({ ...SHELVES, ...sdkShelves() })) {
    const name = path.startsWith(start) ? path.slice(start.length) : '';
    if (names.includes(name)) return { file: join(folder, name), cache };
  }
  return null;
}

/** Read each time: a new build names its parts anew. */
function sdkShelves(): Readonly<Record<string, Shelf>> {
  const scriptsIn = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.js')) : [];
  const chunks = join(SDK, 'chunks');
  return {
    'sdk/': { folder: SDK, names: scriptsIn(SDK) },
    'sdk/chunks/': { folder: chunks, names: scriptsIn(chunks) },
  };
}
