/**
 * Visits to a page that signs people in by face: each in a browser of its own, with its own camera, the real encoder and
 * the SDK's client, against a real service. What the page asked the network for comes back with the outcome.
 */
import { type Running, startService } from '../support/service.ts';
import { type Asked, watch } from './encoder-network.ts';
import { type Camera, openLab, type Pages, startPages } from './encoder-pages.ts';
import { type Films, makeFilms } from './encoder-photos.ts';

export interface Outcome {
  /** `signed in`, or the code of the error. */
  readonly end: string;
  readonly detail?: string;
  readonly user?: { readonly id: string; readonly email: string };
  readonly confidence?: number;
  readonly asked: readonly Asked[];
}

export interface Site {
  readonly run: Running;
  readonly pages: Pages;
  /** Of sample photos, to put in front of the camera. */
  readonly films: Films;
  /** What one of the client's verbs comes to, in front of a camera. */
  visit(
    camera: Camera,
    verb: 'enroll' | 'signIn',
    input: object,
    more?: { permission?: 'denied' },
  ): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const [run, pages] = await Promise.all([startService(), startPages()]);
  const app = await run.createApp({ origins: [pages.origin] });
  const films = await makeFilms(pages);
  return {
    run,
    pages,
    films,
    async visit(camera, verb, input, more = {}) {
      const lab = await openLab(pages, camera, more);
      try {
        const asked = watch(lab);
        const outcome = await lab.page.evaluate(
          // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
          async ([baseUrl, publishableKey, verb, input]: any) => {
            // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
            const { sdk, faceapi } = (window as any).lab;
            const options = { faceapi, modelPath: '/model', wasmPath: '/wasm', detector: 'tiny' };
            const client = sdk.createClient({
              baseUrl,
              publishableKey,
              encoder: sdk.faceApiEncoder(options),
            });
            try {
              const { user, confidence } = await client[verb](input);
              return { end: 'signed in', user, confidence };
              // biome-ignore lint/suspicious/noExplicitAny: an error of the SDK
            } catch (error: any) {
              return { end: error.code ?? String(error), detail: `${error.detail} ${error.cause}` };
            }
          },
          [run.base, app.live.pk, verb, input],
        );
        await lab.page.waitForTimeout(300);
        return { ...outcome, asked };
      } finally {
        await lab.close();
      }
    },
    close: async () => {
      await Promise.all([films.remove(), run.close(), pages.close()]);
    },
  };
}
