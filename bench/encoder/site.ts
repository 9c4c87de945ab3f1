/**
 * Chromium with the bench's page, and the server for its scripts and networks. Photos do not pass through the server:
 * they go to the page over the pipe that controls the browser. The browser's profile, and everything else it writes, is
 * in one temporary folder that only this user can read and that is deleted however the run ends. Checked by
 * test/browser/bench-encoder.test.ts.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { fileIn, ISOLATED, MODULES, openBrowser, servePages } from '../../test/browser/chromium.ts';
import type { OnnxSettings } from './onnx-settings.ts';
import type { Kind, PhotoResult, Wish } from './page.ts';
import type { Change, ChangedFace } from './page-changes.ts';

const FOLDERS = {
  '/face-api/': join(MODULES, '@vladmandic/face-api/dist'),
  '/model/': join(MODULES, '@vladmandic/face-api/model'),
  '/wasm/': join(MODULES, '@tensorflow/tfjs-backend-wasm/dist'),
  '/ort/': join(MODULES, 'onnxruntime-web/dist'),
};
const HTML = '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">';

/** Signals that end a process, with the exit codes of shells. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

/** A tab with its own process and networks. */
export interface Tab {
  describe(photo: Buffer, kinds: readonly Kind[], wish?: Pick<Wish, 'plain' | 'sides'>): Promise<PhotoResult>;
  change(photo: Buffer, changes: readonly Change[], kinds: readonly Kind[]): Promise<ChangedFace[]>;
  close(): Promise<void>;
}

export interface Site {
  tab(): Promise<Tab>;
  /** Bytes of scripts and networks that the pages have loaded so far. */
  readonly bytes: () => number;
  close(): Promise<void>;
}

export interface Files {
  readonly weights: string | null;
  readonly onnx: { readonly file: string; readonly settings: OnnxSettings } | undefined;
}

export async function openSite({ weights, onnx }: Files): Promise<Site> {
  const script = await bundled();
  const own = new Map<string, string | null | undefined>([
    ['/weights/mobilefacenet.f16', weights],
    ['/weights/model.onnx', onnx?.file],
  ]);
  let bytes = 0;
  const { origin, close } = await servePages(
    path => {
      if (path === '/') return HTML;
      if (path === '/bench.js') return script;
      const file = own.get(path);
      const found = file ? readFileSync(file) : fileIn(FOLDERS, path);
      bytes += found?.length ?? 0;
      return found;
    },
    () => ({ ...ISOLATED, 'cache-control': 'no-store' }),
  );
  const { browser, remove } = await browserIn();
  return {
    bytes: () => bytes,
    async tab() {
      const page = await browser.context.newPage();
      await page.goto(origin);
      await page.addScriptTag({ url: '/bench.js', type: 'module' });
      await page.waitForFunction(() => 'bench' in window);
      // biome-ignore-start lint/suspicious/noExplicitAny: functions of page.ts, called in the page
      return {
        describe: (photo, kinds, wish) =>
          page
            .evaluate(([text, kinds, wish]: any) => (window as any).bench.describe(text, kinds, wish), [
              photo.toString('base64'),
              kinds,
              { settings: onnx?.settings, ...wish },
            ] as any)
            .catch(withoutPrefix),
        change: (photo, changes, kinds) =>
          page
            .evaluate(
              ([text, changes, kinds, settings]: any) =>
                (window as any).bench.change(text, changes, kinds, settings),
              [photo.toString('base64'), changes, kinds, onnx?.settings] as any,
            )
            .catch(withoutPrefix),
        close: () => page.close(),
      };
      // biome-ignore-end lint/suspicious/noExplicitAny: as above
    },
    async close() {
      await browser.close();
      await close();
      remove();
    },
  };
}

/** An error of the page, without the stack and the prefix that the browser library adds. */
function withoutPrefix(error: Error): never {
  throw new Error(error.message.split('\n')[0]?.replace(/^page\.evaluate: (?:Error: )?/, '') ?? '');
}

/** @returns the browser, and a function that deletes everything it wrote; signals and failures delete it too */
async function browserIn() {
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-encoder-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const remove = () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  // Must run after the browser library's own exit listeners, which stop the browser: so add the listener late.
  const removeLast = () => process.once('exit', remove);
  for (const [signal, code] of SIGNALS)
    process.once(signal, () => {
      removeLast();
      process.exit(code);
    });
  try {
    const browser = await openBrowser('none');
    removeLast();
    return { browser, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function bundled(): Promise<string> {
  const made = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    format: 'esm',
    external: ['/face-api/*', '/ort/*'],
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return made.outputFiles[0]?.text ?? '';
}

/** Photos are read one at a time. */
export const photoAt = (path: string): Promise<Buffer> => readFile(path);
