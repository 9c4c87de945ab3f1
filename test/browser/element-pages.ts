/**
 * Pages with the web component as it is published, under a policy that allows no inline script, no inline style and no eval,
 * in a real browser before a real service. The faces are made up, so that neither models nor a person's picture is needed;
 * the camera is Chromium's own. What the browser asks for and what it complains about is kept for tests to read.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
const SDK = join(ROOT, 'dist/sdk/browser');
const FILE = /^\/sdk\/((?:chunks\/)?[\w-]+\.js)$/;
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script></head>
<body><main><h1>Shop</h1><div id="place"></div></main></body></html>`;
const SCRIPT = `const files = ['index', 'element', 'testing'].map(name => '/sdk/' + name + '.js');
const [sdk, element, testing] = await Promise.all(files.map(file => import(file)));
window.lab = { sdk, element, testing, events: [] };
for (const name of ['face-sign-in', 'face-sign-in-error'])
  document.addEventListener(name, event => window.lab.events.push({ name, ...event.detail, error: undefined }));`;
const STYLE = 'body { margin: 0; padding: 1rem; font-family: system-ui, sans-serif; }';

export interface ElementPages {
  readonly origin: string;
  close(): Promise<void>;
}

/** @param api what its pages may connect to */
export async function startElementPages(api: string): Promise<ElementPages> {
  if (!existsSync(join(SDK, 'element.js')))
    throw new Error('dist/sdk/browser has no element.js: run "npm run build" first');
  const files: Record<string, [string, string]> = {
    '/': ['text/html', PAGE],
    '/page.js': ['text/javascript', SCRIPT],
    '/page.css': ['text/css', STYLE],
  };
  const server = createServer((request, answer) => {
    const path = (request.url ?? '').split('?')[0] as string;
    const name = FILE.exec(path)?.[1];
    const [type, text] = name ? ['text/javascript', readFileSync(join(SDK, name))] : (files[path] ?? []);
    if (!type) return void answer.writeHead(404).end();
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${api}; require-trusted-types-for 'script'`;
    answer.setHeader('content-security-policy', policy);
    answer.setHeader('content-type', type).end(text);
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

export interface ElementLab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The component; its shadow root is looked through. */
  readonly element: Locator;
  /** Everything that the page asked for. */
  readonly asked: Request[];
  /** What the browser's console said at the level of an error, refusals by the policy among it. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openElementLab(
  pages: ElementPages,
  { camera = 'allowed' }: { camera?: 'allowed' | 'denied' } = {},
): Promise<ElementLab> {
  const folder = await mkdtemp(join(tmpdir(), 'element-browser-'));
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-device-for-media-stream',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ];
  if (camera === 'allowed') args.push('--use-fake-ui-for-media-stream');
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: '/usr/bin/chromium',
    args,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const asked: Request[] = [];
  const complaints: string[] = [];
  context.on('request', request => asked.push(request));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  if (camera === 'denied') {
    const session = await context.newCDPSession(page);
    const permission = { name: 'camera' };
    await session.send('Browser.setPermission', { permission, setting: 'denied', origin: pages.origin });
  }
  return {
    context,
    page,
    element: page.locator('face-sign-in'),
    asked,
    complaints,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Placed {
  readonly key: string;
  readonly api: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Who is in front of the camera; null for nobody. */
  readonly person?: number | null;
  /** Text of the slot `consent`. */
  readonly consent?: string;
}

/** A fresh page with the component, whose encoder sees made-up people in the pictures of the real capture. */
export async function place({ page, complaints, asked }: ElementLab, origin: string, options: Placed) {
  await page.goto(origin);
  await page.waitForFunction(() => 'lab' in window);
  complaints.length = 0;
  asked.length = 0;
  await page.evaluate(({ key, api, attributes, person, consent }) => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    const { lab } = window as any;
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    const element = document.createElement('face-sign-in') as any;
    element.setAttribute('publishable-key', key);
    element.setAttribute('base-url', api);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
    lab.encoder = lab.testing.syntheticEncoder({ person });
    element.encoder = lab.encoder;
    if (consent) {
      const text = document.createElement('p');
      text.slot = 'consent';
      text.textContent = consent;
      element.append(text);
    }
    document.querySelector('#place')?.replaceChildren(element);
  }, options as Placed);
}

/** What the page was told by events, oldest first. */
export function eventsOf({ page }: ElementLab) {
  // biome-ignore lint/suspicious/noExplicitAny: details of events
  return page.evaluate(() => (window as any).lab.events as any[]);
}

/** Until the component shows that view. */
export async function shows({ page }: ElementLab, view: string): Promise<void> {
  await page.waitForSelector(`face-sign-in .card[data-view="${view}"]`);
}

/** What axe-core finds wrong with the page, shadow roots included. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe-core's global
    const { violations } = await (window as any).axe.run(document, { resultTypes: ['violations'] });
    // biome-ignore lint/suspicious/noExplicitAny: as axe-core's types say
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map((one: any) => one.html).join(' ')}`);
  });
}
