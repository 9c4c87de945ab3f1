/**
 * Pages with the SDK and a real encoder in a real browser, with the headers that threads need, and those of other policies.
 * Everything that the server was asked for is kept for tests to read.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { later } from '../support/closing.ts';

import type { Suite } from '../support/suite.ts';
import {
  type Browser,
  type Camera,
  fileIn,
  ISOLATED,
  MODULES,
  openBrowser,
  ROOT,
  servePages,
} from './chromium.ts';

export type { Camera } from './chromium.ts';

/** Where the package's sample photos lie. */
export const PHOTOS = join(MODULES, '@vladmandic/face-api/demo');
const FOLDERS: Record<string, string> = {
  '/face-api/': join(MODULES, '@vladmandic/face-api/dist'),
  '/model/': join(MODULES, '@vladmandic/face-api/model'),
  '/wasm/': join(MODULES, '@tensorflow/tfjs-backend-wasm/dist'),
  '/encoder/': join(ROOT, 'dist/encoder'),
  '/ort/': join(MODULES, 'onnxruntime-web/dist'),
  '/photos/': PHOTOS,
};

/** A page's ways into the SDK and the encoder; `window.lab` in the page. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">
<video id="preview"></video><script type="module" src="/page.js"></script>`;
const SCRIPT = `import * as sdk from '/sdk.js';
window.lab = { sdk, faceapi: () => import('/face-api/face-api.esm.js') };`;

export interface Pages {
  /** A secure page's origin, and one that no browser takes for secure. */
  readonly origin: string;
  readonly insecure: string;
  /** `GET /path` of each request so far. */
  readonly asked: string[];
  /** Folders that the server gives: start of the path → folder. */
  readonly folders: Readonly<Record<string, string>>;
  /** More that the server gives: path → bytes. */
  readonly files: Map<string, Uint8Array>;
  /** The same page at other paths, with these headers in place of the usual ones. */
  readonly others: Map<string, Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export async function startPages(): Promise<Pages> {
  const script = await bundled();
  const asked: string[] = [];
  const files = new Map<string, Uint8Array>();
  const others = new Map<string, Readonly<Record<string, string>>>();
  const { origin, port, close } = await servePages(
    (path, { method }) => {
      asked.push(`${method} ${path}`);
      if (path === '/' || others.has(path)) return PAGE;
      if (path === '/page.js') return SCRIPT;
      if (path === '/sdk.js') return script;
      return files.get(path) ?? fileIn(FOLDERS, path);
    },
    path => others.get(path) ?? ISOLATED,
  );
  return { origin, insecure: `http://app.example:${port}`, asked, folders: FOLDERS, files, others, close };
}

async function bundled(): Promise<string> {
  const made = await build({
    entryPoints: [join(import.meta.dirname, 'encoder-entry.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return made.outputFiles[0]?.text ?? '';
}

export type Lab = Browser;

/** A browser of its own, at the page, with the SDK loaded. */
export async function openLab(
  pages: Pages,
  camera: Camera,
  more: { url?: string; permission?: 'denied' } = {},
): Promise<Lab> {
  const url = more.url ?? pages.origin;
  const lab = await openBrowser(camera, more.permission && url);
  try {
    await lab.page.goto(url);
    await lab.page.waitForFunction(() => 'lab' in window);
    return lab;
  } catch (error) {
    await lab.close();
    throw error;
  }
}

/** Pages and a browser at them, from before the tests of a suite until after them. */
export function labFor(test: Suite, camera: Camera): { pages: Pages; lab: Lab } {
  let pages: Pages;
  let lab: Lab;
  test.before(async () => {
    pages = await startPages();
    lab = await openLab(pages, camera);
  });
  test.after(async () => {
    await lab?.close();
    await pages?.close();
  });
  return { pages: later(() => pages), lab: later(() => lab) };
}
