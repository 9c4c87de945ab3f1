/**
 * The files of the page `/try`: its own, the built browser SDK, the encoder and models of the installed packages, and
 * the weights converted from one of them. The single executable has no models. Only listed names are served, so no path
 * leads out of these folders. Held by test/portal/try.test.ts.
 */
import type { Context } from 'koa';
import { assetsIn, hasAsset, IS_PACKED, readAsset } from '../../assets.ts';
import { BUILT, ENCODER_ID, FIX, WEIGHTS } from '../../encoder/published.ts';
import { sendCached } from '../send.ts';

const SDK = 'dist/sdk/browser';
/** For files whose names change with their content. */
const FOREVER = 'private, max-age=31536000, immutable';

interface Shelf {
  readonly folder: string;
  readonly names: readonly string[];
  readonly cache?: string;
}

const SHELVES: Readonly<Record<string, Shelf>> = {
  'page/': {
    folder: 'src/portal/try/page',
    names: ['page.css', 'page.js', 'after.js', 'code.js', 'dom.js', 'encoders.js', 'steps.js', 'token.js'],
  },
  'face-api/': {
    folder: 'node_modules/@vladmandic/face-api/dist',
    names: ['face-api.esm.js'],
  },
  'model/': {
    folder: 'node_modules/@vladmandic/face-api/model',
    names: ['tiny_face_detector', 'face_landmark_68', 'face_recognition'].flatMap(net => [
      `${net}_model-weights_manifest.json`,
      `${net}_model.bin`,
    ]),
  },
  'encoder/': {
    folder: BUILT,
    names: [WEIGHTS.file, WEIGHTS.notice],
  },
  'wasm/': {
    folder: 'node_modules/@tensorflow/tfjs-backend-wasm/dist',
    names: ['', '-simd', '-threaded-simd'].map(kind => `tfjs-backend-wasm${kind}.wasm`),
  },
};

interface Installed {
  readonly sdk: boolean;
  /** face-api, its models and the WASM backend. */
  readonly encoder: boolean;
  readonly mobilefacenet: Weights;
  /** This is the single executable: missing parts cannot be installed. */
  readonly packed: boolean;
}

interface Weights {
  /** The ID of their encoder. */
  readonly id: string;
  /** URLs of the weights and their licences; null: they are missing. */
  readonly weights: string | null;
  readonly notice: string | null;
  /** The command that installs them. Null if they are there, or if nothing can be installed. */
  readonly fix: string | null;
}

/** @param has whether a file exists, by its path in the project */
export function installed(has: (path: string) => boolean = hasAsset): Installed {
  const isComplete = (start: string) => {
    const { folder, names } = SHELVES[start] as Shelf;
    return names.every(name => has(`${folder}/${name}`));
  };
  return {
    sdk: has(`${SDK}/element.js`),
    encoder: ['face-api/', 'model/', 'wasm/'].every(isComplete),
    mobilefacenet: isComplete('encoder/')
      ? { id: ENCODER_ID, weights: urlOf(WEIGHTS.file), notice: urlOf(WEIGHTS.notice), fix: null }
      : { id: ENCODER_ID, weights: null, notice: null, fix: IS_PACKED ? null : FIX },
    packed: IS_PACKED,
  };
}

const urlOf = (name: string) => `/try/encoder/${name}`;

/** @param path below `/try/` @returns false if there is no such file */
export function sendFile(ctx: Context, path: string): boolean {
  const found = locate(path);
  if (!found || !hasAsset(found.file)) return false;
  sendCached(ctx, path, readAsset(found.file), found.cache);
  return true;
}

function locate(path: string): { readonly file: string; readonly cache?: string | undefined } | null {
  for (const [start, { folder, names, cache }] of Object.entries({ ...SHELVES, ...sdkShelves() })) {
    const name = path.startsWith(start) ? path.slice(start.length) : '';
    if (names.includes(name)) return { file: `${folder}/${name}`, cache };
  }
  return null;
}

/** Listed for each request, because a new build changes the names. */
function sdkShelves(): Readonly<Record<string, Shelf>> {
  const scriptsIn = (folder: string) => assetsIn(folder).filter(name => name.endsWith('.js'));
  return {
    'sdk/': { folder: SDK, names: scriptsIn(SDK) },
    'sdk/chunks/': { folder: `${SDK}/chunks`, names: scriptsIn(`${SDK}/chunks`), cache: FOREVER },
  };
}
