/**
 * The real encoder on pages with strict policies: it starts with what the page allows, without a word from the browser, or tells
 * what to add. It never waits for a worker that is blocked.
 */
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { ISOLATED } from './chromium.ts';
import { openLab, startPages } from './encoder-pages.ts';

const test = suite('browser: encoder and policies');
const STRICT = "default-src 'none'; connect-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'";

const pages = openedFor(test, startPages);

interface Row {
  readonly policy: string;
  readonly isolated: boolean;
  readonly threads?: boolean;
  /** How loading ends. */
  readonly ends: RegExp;
  /** Whether the browser may say that something was refused. */
  readonly refuses?: true;
}

const ROWS: Record<string, Row> = {
  'all that threads need': {
    policy: `${STRICT} blob:; worker-src blob:`,
    isolated: true,
    ends: /^wasm with threads, 2 faces or more$/,
  },
  'threads, demanded': {
    policy: `${STRICT} blob:; worker-src blob:`,
    isolated: true,
    threads: true,
    ends: /^wasm with threads, /,
  },
  'no workers': { policy: STRICT, isolated: true, ends: /^wasm without threads, 2 faces/, refuses: true },
  'workers that load nothing': {
    policy: `${STRICT}; worker-src blob:`,
    isolated: true,
    ends: /^wasm without threads, 2 faces/,
    refuses: true,
  },
  'no workers, and none asked for': {
    policy: `${STRICT}; require-trusted-types-for 'script'`,
    isolated: true,
    threads: false,
    ends: /^wasm without threads, 2 faces/,
  },
  'no workers on a page that is not isolated': {
    policy: STRICT,
    isolated: false,
    ends: /^wasm without threads, 2 faces/,
  },
  'no workers, although demanded': {
    policy: STRICT,
    isolated: true,
    threads: true,
    ends: /^encoder_failed: the page's policy forbids threads: add blob: to its script-src and worker-src/,
    refuses: true,
  },
  'not isolated, although demanded': {
    policy: STRICT,
    isolated: false,
    threads: true,
    ends: /^encoder_failed: threads need a cross-origin isolated page: serve it with /,
  },
  'no WebAssembly': {
    policy: "default-src 'none'; connect-src 'self'; script-src 'self'",
    isolated: false,
    ends: /^encoder_failed: the page's policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src$/,
    refuses: true,
  },
};

for (const [name, { policy, isolated, threads, ends, refuses }] of Object.entries(ROWS))
  test(`${name}: ${ends.source.slice(1, 40)}…`, async () => {
    const headers = { 'content-security-policy': policy, ...(isolated && ISOLATED) };
    pages.others.set('/strict', headers);
    await using lab = await openLab(pages, 'none', { url: `${pages.origin}/strict` });
    const end = await lab.page.evaluate(
      // biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
      async threads => {
        const { sdk, faceapi } = (window as any).lab;
        const weightsPath = '/encoder/mobilefacenet.f16';
        const options = { faceapi, modelPath: '/model', wasmPath: '/wasm', weightsPath };
        const encoder = sdk.mobileFaceNetEncoder({ ...options, ...(threads !== null && { threads }) });
        const waited = new Promise(done => setTimeout(() => done('nothing came'), 60_000));
        const loaded = encoder.load().then(
          () => 'loaded',
          (error: any) => `${error.code}: ${error.detail}`,
        );
        const end = await Promise.race([loaded, waited]);
        if (end !== 'loaded') return end;
        const photo = await createImageBitmap(await (await fetch('/photos/sample6.jpg')).blob());
        const faces = await encoder.detect(photo);
        await encoder.describe(photo, faces[0]);
        const { tf } = await faceapi();
        const has = tf.env().get('WASM_HAS_MULTITHREAD_SUPPORT') ? 'with' : 'without';
        return `${tf.getBackend()} ${has} threads, ${faces.length > 1 ? '2 faces or more' : faces.length}`;
      },
      // biome-ignore-end lint/suspicious/noExplicitAny: as above
      threads ?? null,
    );
    assert.match(String(end), ends);
    if (!refuses) assert.equal(lab.complaints, []);
  });

test.run();
