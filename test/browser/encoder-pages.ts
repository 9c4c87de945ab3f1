/**
 * Pages with the SDK and a real encoder in a real browser. A small server gives them, with the headers that threads need,
 * to a Chromium whose camera shows what a test wants: a video file, Chromium's own picture without a face, or nothing.
 * Everything that the server was asked for, and everything that the page asked for, is kept for tests to read. Names
 * that are not this machine do not resolve.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'node_modules');
/** Where the package's sample photos lie. */
export const PHOTOS = join(PACKAGES, '@vladmandic/face-api/demo');
const FOLDERS: Record<string, string> = {
  '/face-api/': join(PACKAGES, '@vladmandic/face-api/dist'),
  '/model/': join(PACKAGES, '@vladmandic/face-api/model'),
  '/wasm/': join(PACKAGES, '@tensorflow/tfjs-backend-wasm/dist'),
  '/ort/': join(PACKAGES, 'onnxruntime-web/dist'),
  '/photos/': PHOTOS,
};
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
};

/** A page's ways into the SDK and the encoder; `window.lab` in the page. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>app</title><video id="preview"></video>
<script type="module">
  import * as sdk from '/sdk.js';
  window.lab = { sdk, faceapi: () => import('/face-api/face-api.esm.js') };
</script>`;

export interface Pages {
  /** A secure page's origin, and one that no browser takes for secure. */
  readonly origin: string;
  readonly insecure: string;
  /** `GET /path` of each request so far. */
  readonly asked: string[];
  /** More that the server gives: path → bytes. */
  readonly files: Map<string, Uint8Array>;
  close(): Promise<void>;
}

export async function startPages(): Promise<Pages> {
  const script = await bundled();
  const asked: string[] = [];
  const files = new Map<string, Uint8Array>();
  const bytesOf = (path: string): Uint8Array | string | null => {
    if (path === '/') return PAGE;
    if (path === '/sdk.js') return script;
    const given = files.get(path);
    if (given) return given;
    const folder = Object.keys(FOLDERS).find(start => path.startsWith(start));
    if (!folder || path.includes('..')) return null;
    try {
      return readFileSync(join(FOLDERS[folder] as string, path.slice(folder.length)));
    } catch {
      return null;
    }
  };
  const server = createServer((request, answer) => {
    const path = (request.url ?? '').split('?')[0] as string;
    asked.push(`${request.method} ${path}`);
    request.resume();
    answer.setHeader('cross-origin-opener-policy', 'same-origin');
    answer.setHeader('cross-origin-embedder-policy', 'require-corp');
    const bytes = request.method === 'GET' ? bytesOf(path) : null;
    if (bytes === null) return void answer.writeHead(404).end();
    answer.setHeader(
      'content-type',
      path === '/' ? 'text/html' : (TYPES[extname(path)] ?? 'application/octet-stream'),
    );
    answer.end(bytes);
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    insecure: `http://app.example:${port}`,
    asked,
    files,
    close: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
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

/** What the camera shows: a video file, Chromium's own moving picture, no camera at all. */
export type Camera = { readonly file: string } | 'no face' | 'none';

export interface Lab {
  readonly page: Page;
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser of its own, at the page, with the SDK loaded. */
export async function openLab(
  pages: Pages,
  camera: Camera,
  more: { url?: string; permission?: 'denied' } = {},
): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'encoder-browser-'));
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP app.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ];
  if (camera !== 'none') args.push('--use-fake-device-for-media-stream');
  if (more.permission !== 'denied') args.push('--use-fake-ui-for-media-stream');
  if (typeof camera === 'object') args.push(`--use-file-for-fake-video-capture=${camera.file}`);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: '/usr/bin/chromium',
    args,
  });
  const close = async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const page = await context.newPage();
    const url = more.url ?? pages.origin;
    if (more.permission) await deny(context, page, url);
    await page.goto(url);
    await page.waitForFunction(() => 'lab' in window);
    return { page, context, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function deny(context: BrowserContext, page: Page, origin: string): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Browser.setPermission', { permission: { name: 'camera' }, setting: 'denied', origin });
}
