/**
 * Pages with the web component and something wrong with them, in a real browser. The real encoder's files are served, and
 * what the component says in the console is kept for tests to read.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, fileIn, MODULES, openBrowser, type PageServer, ROOT, servePages } from './chromium.ts';

const FOLDERS = {
  '/sdk/': join(ROOT, 'dist/sdk/browser'),
  '/face-api/': join(MODULES, '@vladmandic/face-api/dist'),
  '/model/': join(MODULES, '@vladmandic/face-api/model'),
  '/wasm/': join(MODULES, '@tensorflow/tfjs-backend-wasm/dist'),
  '/encoder/': join(ROOT, 'dist/encoder'),
};
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"></head>
<body><main><h1>Shop</h1><div id="place"></div></main><script type="module" src="/page.js"></script></body></html>`;
const SCRIPT = `import * as sdk from '/sdk/index.js';
import '/sdk/element.js';
import * as testing from '/sdk/testing.js';
import { mobileFaceNetEncoder } from '/sdk/mobilefacenet.js';
let cameras = 0;
const { getUserMedia } = MediaDevices.prototype;
MediaDevices.prototype.getUserMedia = function (...args) { cameras++; return getUserMedia.apply(this, args); };
const encoderWith = more => mobileFaceNetEncoder({ faceapi: () => import('/face-api/face-api.esm.js'), modelPath: '/model',
  wasmPath: '/wasm/', weightsPath: '/encoder/mobilefacenet.f16', threads: false, ...more });
window.lab = { sdk, testing, encoderWith, cameras: () => cameras };`;

export async function startFaultPages(): Promise<PageServer> {
  return servePages(path => {
    // As many servers do, the start page comes for whatever is not there.
    if (path === '/' || path.startsWith('/any/')) return PAGE;
    if (path === '/page.js') return SCRIPT;
    // A file of another version, or cut.
    if (path.startsWith('/cut/model/')) return cut(fileIn(FOLDERS, path.replace('/cut', '')));
    if (path.startsWith('/cut/wasm/')) return new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    return fileIn(FOLDERS, path);
  });
}

const cut = (file: Uint8Array | null) =>
  file && file[0] !== '['.charCodeAt(0) ? file.slice(0, 1_000) : file;

export interface FaultLab extends Browser {
  /** What the component said: `error …` or `warning …`, without its prefix. */
  said(): string[];
  /** A fresh page with the component. @param code runs in the page with `element` and `lab`, before it is placed */
  open(attributes: Readonly<Record<string, string>>, code: string, url?: string): Promise<void>;
  press(): Promise<void>;
  /** Pictures at two sizes, with SHOTS=FOLDER. */
  shoot(name: string): Promise<void>;
}

export async function openFaultLab(pages: PageServer): Promise<FaultLab> {
  const browser = await openBrowser('no face');
  const { page } = browser;
  const lines: string[] = [];
  page.on('console', message => {
    const text = message.text();
    if (/^face-sign-in: /.test(text)) lines.push(`${message.type()} ${text.slice('face-sign-in: '.length)}`);
  });
  return {
    ...browser,
    said: () => [...lines],
    async open(attributes, code, url = pages.origin) {
      await page.goto(url);
      await page.waitForFunction(() => 'lab' in window);
      lines.length = 0;
      browser.asked.length = 0;
      const given = Object.entries(attributes).map(
        ([name, value]) => `element.setAttribute('${name}', '${value}');`,
      );
      await page.evaluate(`(() => {
        const element = document.createElement('face-sign-in');
        ${given.join('\n')}
        ${code}
        document.querySelector('#place').replaceChildren(element);
      })()`);
    },
    press: () => page.locator('face-sign-in').getByRole('button', { name: 'Sign in', exact: true }).click(),
    async shoot(name) {
      const { SHOTS } = process.env;
      if (!SHOTS) return;
      mkdirSync(SHOTS, { recursive: true });
      for (const [size, width, height] of [
        ['desk', 1280, 800],
        ['phone', 390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: join(SHOTS, `${name.replace(/\W+/g, '-')}-${size}.png`) });
      }
    },
  };
}

/** The file of a page, for one that is not on this machine's server. */
export async function fileOf(pages: PageServer, path: string) {
  const response = await fetch(pages.origin + path);
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  };
}
