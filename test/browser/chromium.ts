/**
 * What every test with a browser needs: a small server for its pages, and a Chromium of its own whose camera shows what the test
 * wants. Names that are not this machine do not resolve. What is asked for and complained about is kept for tests to read.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { closing } from '../support/closing.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const MODULES = join(ROOT, 'node_modules');
const AXE = join(MODULES, 'axe-core/axe.min.js');
const TYPES: Record<string, string> = {
  '': 'text/html',
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
};
/** Longest wait for a page, in milliseconds: a guard against hangs, not a measure, so that a busy machine passes. */
export const PATIENCE = 120_000;
/** What lets a page have threads. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export interface PageServer extends AsyncDisposable {
  readonly port: number;
  /** A secure page's. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * @param find the file at a path; null for none
 * @param headers of every answer
 */
export async function servePages(
  find: (path: string, request: IncomingMessage) => string | Uint8Array | null,
  headers: (path: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<PageServer> {
  const server = createServer((request, answer) => {
    const path = (request.url ?? '').split('?')[0] as string;
    request.resume();
    for (const [name, value] of Object.entries(headers(path))) answer.setHeader(name, value);
    const file = find(path, request);
    if (file === null || request.method !== 'GET') return void answer.writeHead(404).end();
    answer.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(file);
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return closing({
    port,
    origin: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  });
}

/** The file at a path, in one of some folders: start of the path → folder. */
export function fileIn(folders: Readonly<Record<string, string>>, path: string): Uint8Array | null {
  const start = Object.keys(folders).find(one => path.startsWith(one));
  if (start === undefined || path.includes('..')) return null;
  try {
    return readFileSync(join(folders[start] as string, path.slice(start.length)));
  } catch {
    return null;
  }
}

/** What the camera shows: a video file, Chromium's own moving picture, no camera at all. */
export type Camera = { readonly file: string } | 'no face' | 'none';

export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything that its pages asked for, workers among them. */
  readonly asked: Request[];
  /** What the page's console said at the level of an error, refusals by its policy among it, and errors that nobody caught. */
  readonly complaints: string[];
  /** What it said at the level of a warning. */
  readonly warnings: string[];
  close(): Promise<void>;
}

/** Debian's Chromium, and the same engine without Chromium's own windows: it takes a third of the time to start. */
const WHOLE = '/usr/bin/chromium';
const ENGINE = '/usr/bin/chromium-headless-shell';

/**
 * Without a camera there is nothing to ask the person for, and the engine alone does, where it is installed.
 * @param denied an origin whose pages may not use the camera; all others may
 */
export async function openBrowser(camera: Camera, denied?: string): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
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
  if (denied === undefined) args.push('--use-fake-ui-for-media-stream');
  if (typeof camera === 'object') args.push(`--use-file-for-fake-video-capture=${camera.file}`);
  const executablePath = camera === 'none' && existsSync(ENGINE) ? ENGINE : WHOLE;
  const context = await chromium.launchPersistentContext(folder, { executablePath, args });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const asked: Request[] = [];
  const complaints: string[] = [];
  const warnings: string[] = [];
  context.on('request', request => asked.push(request));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
    if (message.type() === 'warning') warnings.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  if (denied !== undefined) {
    const session = await context.newCDPSession(page);
    const permission = { name: 'camera' };
    await session.send('Browser.setPermission', { permission, setting: 'denied', origin: denied });
  }
  return closing({
    context,
    page,
    asked,
    complaints,
    warnings,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** What axe-core finds wrong with the page, shadow roots included. */
export async function axe(page: Page): Promise<string[]> {
  // Half a megabyte, which a page that was looked at before has.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe-core's global
    const { violations } = await (window as any).axe.run(document, { resultTypes: ['violations'] });
    // biome-ignore lint/suspicious/noExplicitAny: as axe-core's types say
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map((one: any) => one.html).join(' ')}`);
  });
}
