/** Captures in a page with an encoder that is a stand-in, and a record of every camera and canvas: what is left of them. */
import * as assert from 'uvu/assert';
import type { Lab } from './encoder-pages.ts';

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
/** In the page: an encoder that needs no model, and a record of every camera and canvas. */
export async function prepare({ page }: Lab): Promise<void> {
  await page.evaluate(() => {
    const { sdk } = (window as any).lab;
    const record = { streams: [] as MediaStream[], canvases: [] as HTMLCanvasElement[], dirty: 0 };
    const { mediaDevices } = navigator;
    const open = mediaDevices?.getUserMedia.bind(mediaDevices);
    if (open)
      mediaDevices.getUserMedia = async constraints => {
        const stream = await open(constraints);
        record.streams.push(stream);
        return stream;
      };
    /** Notes whether a canvas still has a picture when it loses its size. */
    const watchSize = (canvas: HTMLCanvasElement, side: 'width' | 'height') => {
      const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side) as PropertyDescriptor;
      Object.defineProperty(canvas, side, {
        get: () => own.get?.call(canvas),
        set: value => {
          const { width, height } = canvas;
          const pixels = value === 0 && width * height > 0;
          const bytes = pixels ? canvas.getContext('2d')?.getImageData(0, 0, width, height).data : undefined;
          if (bytes?.some(byte => byte !== 0)) record.dirty++;
          own.set?.call(canvas, value);
        },
      });
    };
    const create = document.createElement.bind(document);
    document.createElement = ((tag: string) => {
      const element = create(tag);
      if (element instanceof HTMLCanvasElement) {
        record.canvases.push(element);
        watchSize(element, 'width');
        watchSize(element, 'height');
      }
      return element;
    }) as typeof document.createElement;
    const preview = document.getElementById('preview') as HTMLVideoElement;
    let described = 0;
    const box = { x: 200, y: 100, width: 240, height: 240 };
    const encoder = {
      id: 'stand-in',
      load: async () => undefined,
      detect: async () => [{ box, landmarks: [], score: 1 }],
      describe: async () => Array.from({ length: 128 }, (_, i) => Math.sin(i + described++)),
    };
    const left = () => ({
      streams: record.streams.length,
      live: record.streams.filter(stream => stream.getTracks().some(track => track.readyState === 'live'))
        .length,
      full: record.canvases.filter(canvas => canvas.width > 0 || canvas.height > 0).length,
      canvases: record.canvases.length,
      dirty: record.dirty,
      shown: preview.srcObject !== null,
    });
    /** Captures, and says how it ended and what is left. */
    const capture = async (options: object) => {
      record.streams.length = record.canvases.length = record.dirty = 0;
      const steps: string[] = [];
      const outcome = await sdk
        .captureFaces({
          encoder,
          count: 2,
          video: preview,
          timeoutMs: 4000,
          onProgress: ({ step }: any) => steps.at(-1) === step || steps.push(step),
          ...options,
        })
        .then(
          (captured: any) => ({ code: 'captured', captured }),
          (error: any) => ({
            code: error instanceof sdk.FaceSignInError ? error.code : `${error.name}: ${error.message}`,
            detail: error.detail,
          }),
        );
      await new Promise(done => setTimeout(done, 100));
      return { ...outcome, ...left(), steps };
    };
    Object.assign((window as any).lab, { encoder, capture, preview });
  });
}

/** Nothing is left: no camera on, no picture shown, no canvas with a size, each zeroed before it lost it. */
export function assertCleared(left: any, streams = 1): void {
  const { live, full, dirty, shown } = left;
  assert.is(left.streams, streams, JSON.stringify(left));
  assert.equal(
    { live, full, dirty, shown },
    { live: 0, full: 0, dirty: 0, shown: false },
    JSON.stringify(left),
  );
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above
