/**
 * Pages with the web component as it is published, under a policy that allows no inline script, no inline style and no eval,
 * in a real browser before a real service. The faces are made up, so that neither models nor a person's picture is needed;
 * the camera is Chromium's own. What the browser asks for and what it complains about is kept for tests to read.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { later } from '../support/closing.ts';
import type { Running } from '../support/service.ts';
import type { Suite } from '../support/suite.ts';
import { type Browser, openBrowser, type PageServer, ROOT, servePages } from './chromium.ts';

const SDK = join(ROOT, 'dist/sdk/browser');
const FILE = /^\/sdk\/((?:chunks\/)?[\w-]+\.js)$/;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script></head>
<body><main><h1>Shop</h1><div id="place"></div></main></body></html>`;
const SCRIPT = `const files = ['index', 'element', 'testing'].map(name => '/sdk/' + name + '.js');
const [sdk, element, testing] = await Promise.all(files.map(file => import(file)));
window.lab = { sdk, element, testing, events: [] };
for (const name of ['face-sign-in', 'face-sign-in-learned', 'face-sign-in-error'])
  document.addEventListener(name, event => window.lab.events.push({ name, ...event.detail, error: undefined }));`;
const STYLE = 'body { margin: 0; padding: 1rem; font-family: system-ui, sans-serif; }';

/** @param api what its pages may connect to */
export async function startElementPages(api: string, styles = "'self'"): Promise<PageServer> {
  if (!existsSync(join(SDK, 'element.js')))
    throw new Error('dist/sdk/browser has no element.js: run "npm run build" first');
  const files: Record<string, string> = { '/': PAGE, '/page.js': SCRIPT, '/page.css': STYLE };
  const policy = `default-src 'none'; script-src 'self'; style-src ${styles}; connect-src ${api}; require-trusted-types-for 'script'`;
  return servePages(
    path => {
      const name = FILE.exec(path)?.[1];
      return name ? readFileSync(join(SDK, name)) : (files[path] ?? null);
    },
    () => ({ 'content-security-policy': policy }),
  );
}

export interface ElementLab extends Browser {
  /** The component; its shadow root is looked through. */
  readonly element: Locator;
}

export async function openElementLab(
  pages: PageServer,
  { camera = 'allowed' }: { camera?: 'allowed' | 'denied' } = {},
): Promise<ElementLab> {
  const browser = await openBrowser('no face', camera === 'denied' ? pages.origin : undefined);
  return { ...browser, element: browser.page.locator('face-sign-in') };
}

/** Pages and a browser from before the tests of a suite until after them. */
export function elementLabFor(
  test: Suite,
  run: Running,
  styles?: string,
): { pages: PageServer; lab: ElementLab } {
  let pages: PageServer;
  let lab: ElementLab;
  test.before(async () => {
    pages = await startElementPages(run.base, styles);
    lab = await openElementLab(pages);
  });
  test.after(async () => {
    await lab?.close();
    await pages?.close();
  });
  return { pages: later(() => pages), lab: later(() => lab) };
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
export async function place(
  { page, complaints, warnings, asked }: ElementLab,
  origin: string,
  options: Placed,
) {
  await page.goto(origin);
  await page.waitForFunction(() => 'lab' in window);
  complaints.length = 0;
  warnings.length = 0;
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

/** Until the component shows that view, and can be pressed. */
export async function shows({ page }: ElementLab, view: string): Promise<void> {
  await page.waitForSelector(`face-sign-in .card[data-view="${view}"]:not(.paused)`);
}
