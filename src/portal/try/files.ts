/**
 * Files that the page to try the service needs, each by its name: its own, the built browser SDK, and encoder and models from
 * the packages of this installation, which the single executable does not bring. A path that is not listed is no file, so
 * none leads out of these folders. Held by test/http/try.test.ts.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { assetsIn, hasAsset, IS_PACKED, readAsset } from '../../assets.ts';

const SDK = 'dist/sdk/browser';
const HOUR = 'private, max-age=3600';

interface Shelf {
  readonly folder: string;
  readonly names: readonly string[];
  /** Always asked about again, unless told. */
  readonly cache?: string;
}

const SHELVES: Readonly<Record<string, Shelf>> = {
  'page/': {
    folder: 'src/portal/try/page',
    names: ['page.css', 'page.js', 'code.js', 'encoders.js', 'steps.js', 'token.js'],
  },
  'face-api/': {
    folder: 'node_modules/@vladmandic/face-api/dist',
    names: ['face-api.esm.js'],
    cache: HOUR,
  },
  'model/': {
    folder: 'node_modules/@vladmandic/face-api/model',
    names: ['tiny_face_detector', 'face_landmark_68', 'face_recognition'].flatMap(net => [
      `${net}_model-weights_manifest.json`,
      `${net}_model.bin`,
    ]),
    cache: HOUR,
  },
  'wasm/': {
    folder: 'node_modules/@tensorflow/tfjs-backend-wasm/dist',
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

interface Installed {
  readonly sdk: boolean;
  readonly encoder: boolean;
  /** This is the single executable: what is not there cannot be installed. */
  readonly packed: boolean;
}

/** What of the page's needs is there. */
export function installed(): Installed {
  const parts = ['face-api/', 'model/', 'wasm/'].flatMap(start => {
    const { folder, names } = SHELVES[start] as Shelf;
    return names.map(name => `${folder}/${name}`);
  });
  return { sdk: hasAsset(`${SDK}/element.js`), encoder: parts.every(hasAsset), packed: IS_PACKED };
}

/** @param path below `/try/`. False: there is no such file */
export function sendFile(ctx: Context, path: string): boolean {
  const found = locate(path);
  if (!found || !hasAsset(found.file)) return false;
  const content = readAsset(found.file);
  ctx.set('Content-Type', TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  ctx.set('Cache-Control', found.cache ?? 'no-cache');
  ctx.etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = content;
  return true;
}

function locate(path: string): { readonly file: string; readonly cache?: string | undefined } | null {
  for (const [start, { folder, names, cache }] of Object.entries({ ...SHELVES, ...sdkShelves() })) {
    const name = path.startsWith(start) ? path.slice(start.length) : '';
    if (names.includes(name)) return { file: `${folder}/${name}`, cache };
  }
  return null;
}

/** Read each time: a new build names its parts anew. */
function sdkShelves(): Readonly<Record<string, Shelf>> {
  const scriptsIn = (folder: string) => assetsIn(folder).filter(name => name.endsWith('.js'));
  return {
    'sdk/': { folder: SDK, names: scriptsIn(SDK) },
    'sdk/chunks/': { folder: `${SDK}/chunks`, names: scriptsIn(`${SDK}/chunks`) },
  };
}
