/**
 * Visits to a page that signs people in by face: each in a browser of its own, with its own camera, the real encoder and
 * the SDK's client, against a real service, under the strictest policies that the README names. What the page asked the
 * network for, and what the browser complained about, comes back with the outcome.
 */
import { type Running, startService, type TestApp } from '../support/service.ts';
import { ISOLATED } from './chromium.ts';
import { type Asked, watch } from './encoder-network.ts';
import { type Camera, openLab, type Pages, startPages } from './encoder-pages.ts';
import { type Films, makeFilms } from './encoder-photos.ts';

export interface Outcome {
  /** `signed in`, or the code of the error. */
  readonly end: string;
  readonly detail?: string;
  readonly user?: { readonly id: string; readonly email: string };
  readonly confidence?: number;
  /** Whether the encoder had threads; null where it did not start. */
  readonly threads: boolean | null;
  readonly asked: readonly Asked[];
  /** Errors in the console, refusals by the policy among them. */
  readonly complaints: readonly string[];
}

export interface VisitOptions {
  readonly permission?: 'denied';
  /** Another encoder than MobileFaceNet. */
  readonly encoder?: 'face-api';
  /** Whether the page's headers allow threads; they do by default. Each kind of page has an app of its own. */
  readonly threads?: boolean;
}

export interface Site {
  readonly run: Running;
  readonly pages: Pages;
  /** Of sample photos, to put in front of the camera. */
  readonly films: Films;
  /** What one of the client's verbs comes to, in front of a camera. */
  visit(camera: Camera, verb: 'enroll' | 'signIn', input: object, options?: VisitOptions): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const [run, pages] = await Promise.all([startService(), startPages()]);
  const apps = new Map<string, TestApp>();
  for (const path of ['/threads', '/plain']) apps.set(path, await run.createApp({ origins: [pages.origin] }));
  const policy = `default-src 'none'; connect-src 'self' ${run.base}; img-src data:; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'`;
  pages.others.set('/threads', {
    ...ISOLATED,
    'content-security-policy': `${policy} blob:; worker-src blob:`,
  });
  pages.others.set('/plain', { 'content-security-policy': policy });
  const films = await makeFilms(pages);
  return {
    run,
    pages,
    films,
    async visit(camera, verb, input, { permission, encoder, threads = true } = {}) {
      const path = threads ? '/threads' : '/plain';
      const url = pages.origin + path;
      await using lab = await openLab(pages, camera, { url, ...(permission && { permission }) });
      const asked = watch(lab);
      const outcome = await lab.page.evaluate(
        // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
        async ([baseUrl, publishableKey, verb, input, kind]: any) => {
          // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
          const { sdk, faceapi } = (window as any).lab;
          const options = {
            faceapi,
            modelPath: '/model',
            wasmPath: '/wasm',
            weightsPath: '/encoder/mobilefacenet.f16',
          };
          const encoder =
            kind === 'face-api' ? sdk.faceApiEncoder(options) : sdk.mobileFaceNetEncoder(options);
          const client = sdk.createClient({ baseUrl, publishableKey, encoder });
          const threaded = async () => {
            const { tf } = await faceapi();
            return tf.getBackend() === 'wasm' ? tf.env().get('WASM_HAS_MULTITHREAD_SUPPORT') : null;
          };
          try {
            const { user, confidence } = await client[verb](input);
            return { end: 'signed in', user, confidence, threads: await threaded() };
            // biome-ignore lint/suspicious/noExplicitAny: an error of the SDK
          } catch (error: any) {
            const detail = `${error.detail} ${error.cause}`;
            return { end: error.code ?? String(error), detail, threads: await threaded() };
          }
        },
        [run.base, apps.get(path)?.live.pk, verb, input, encoder],
      );
      await lab.page.waitForTimeout(300);
      return { ...outcome, asked, complaints: lab.complaints };
    },
    close: async () => {
      await Promise.all([films.remove(), run.close(), pages.close()]);
    },
  };
}
