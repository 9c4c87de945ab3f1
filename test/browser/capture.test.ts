/**
 * A capture in a real browser with Chromium's own camera picture and an encoder that is a stand-in: whatever happens, the
 * camera is stopped, the video let go, every canvas empty. And each way in which a browser gives no camera.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { type Camera, type Lab, labFor, openLab } from './encoder-pages.ts';

const test = suite('browser: capture');
const { pages, lab } = labFor(test, 'no face');

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
/** In the page: an encoder that needs no model, and a record of every camera and canvas. */
async function prepare({ page }: Lab): Promise<void> {
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

test.before(() => prepare(lab));

/** Nothing is left: no camera on, no picture shown, no canvas with a size, each zeroed before it lost it. */
function assertCleared(left: any, streams = 1): void {
  const { live, full, dirty, shown } = left;
  assert.is(left.streams, streams, JSON.stringify(left));
  assert.equal(
    { live, full, dirty, shown },
    { live: 0, full: 0, dirty: 0, shown: false },
    JSON.stringify(left),
  );
}

test('a capture gives descriptors and liveness, and nothing is left', async () => {
  const made: any = await lab.page.evaluate(() => (window as any).lab.capture({}));
  assert.is(made.code, 'captured', JSON.stringify(made));
  assert.equal(made.steps, ['loading', 'camera', 'looking', 'done']);
  assert.equal(Object.keys(made.captured).sort(), ['descriptors', 'liveness']);
  assert.is(made.captured.descriptors.length, 2);
  assert.equal(made.captured.liveness, { score: 0, checks: [] });
  assert.ok(made.canvases >= 2);
  assertCleared(made);
});

test('without a video to show it in, and with a camera that the page has opened', async () => {
  const made: any = await lab.page.evaluate(async () => {
    const { capture } = (window as any).lab;
    const stream = await navigator.mediaDevices.getUserMedia({ video: true });
    const given = await capture({ stream, video: undefined });
    return {
      given,
      ended: stream.getTracks().every(track => track.readyState === 'ended'),
      own: await capture({ video: undefined }),
    };
  });
  assert.is(made.given.code, 'captured', JSON.stringify(made.given));
  assert.ok(made.ended, 'the capture stops the camera that it was given');
  assertCleared(made.given, 0);
  assert.is(made.own.code, 'captured');
  assertCleared(made.own);
});

test('an encoder that throws, at any point', async () => {
  const ends: any = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    const failing = async () => {
      throw new TypeError('broken');
    };
    const ends: any = {};
    for (const verb of ['load', 'detect', 'describe'])
      ends[verb] = await capture({ encoder: { ...encoder, [verb]: failing } });
    return ends;
  });
  for (const [verb, end] of Object.entries<any>(ends)) {
    assert.is(end.code, 'encoder_failed', verb);
    assert.is(end.detail, 'broken');
    assertCleared(end, verb === 'load' ? 0 : 1);
  }
});

test('given up at any point', async () => {
  const ends: any = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    const never = () => new Promise(() => undefined);
    const ends: any = {};
    for (const step of ['before', 'load', 'camera', 'detect', 'describe']) {
      const giving = new AbortController();
      const late = () => setTimeout(() => giving.abort(), 30);
      if (step === 'before') giving.abort();
      const stuck = () => {
        late();
        return never();
      };
      const verbs = ['load', 'detect', 'describe'].includes(step) ? { [step]: stuck } : {};
      const onProgress = (progress: any) => {
        if (step === 'camera' && progress.step === 'camera') giving.abort();
      };
      ends[step] = await capture({ encoder: { ...encoder, ...verbs }, signal: giving.signal, onProgress });
    }
    return ends;
  });
  for (const [step, end] of Object.entries<any>(ends)) {
    assert.is(end.code, 'aborted', step);
    assertCleared(end, ['before', 'load', 'camera'].includes(step) ? 0 : 1);
  }
});

test('a camera that is granted after the person has given up is stopped at once', async () => {
  const end: any = await lab.page.evaluate(async () => {
    const { capture } = (window as any).lab;
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia;
    const giving = new AbortController();
    let granted: MediaStream | undefined;
    mediaDevices.getUserMedia = async constraints => {
      setTimeout(() => giving.abort(), 20);
      await new Promise(done => setTimeout(done, 60));
      granted = await open(constraints);
      return granted;
    };
    const end = await capture({ signal: giving.signal });
    await new Promise(done => setTimeout(done, 500));
    mediaDevices.getUserMedia = open;
    return { ...end, granted: granted?.getTracks().map(track => track.readyState) };
  });
  assert.is(end.code, 'aborted');
  assert.equal(end.granted, ['ended']);
});

test('time is over: nothing good, nobody, too many, and a camera without pictures', async () => {
  const ends: any = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    const face = (x: number, side: number) => ({
      box: { x, y: 100, width: side, height: side },
      landmarks: [],
      score: 1,
    });
    const seeing = (...faces: object[]) => ({
      encoder: { ...encoder, detect: async () => faces },
      timeoutMs: 700,
    });
    return {
      no_face: await capture(seeing()),
      several_faces: await capture(seeing(face(50, 240), face(350, 240))),
      too_far: await capture(seeing(face(300, 40))),
      camera_failed: await capture({
        stream: document.createElement('canvas').captureStream(0),
        timeoutMs: 300,
      }),
    };
  });
  for (const [code, end] of Object.entries<any>(ends)) {
    assert.is(end.code, code, JSON.stringify(end));
    if (code !== 'camera_failed') assertCleared(end);
  }
});

test('a camera that is unplugged', async () => {
  const end: any = await lab.page.evaluate(async () => {
    const { capture, encoder, preview } = (window as any).lab;
    const detect = async () => {
      for (const track of preview.srcObject.getTracks()) track.stop();
      return [];
    };
    return capture({ encoder: { ...encoder, detect } });
  });
  assert.is(end.code, 'camera_stopped');
  assertCleared(end);
});

test('a wrong count or check is refused before anything is asked for', async () => {
  const ends: any = await lab.page.evaluate(async () => {
    const { capture } = (window as any).lab;
    const wrong = [{ count: 0 }, { count: 1.5 }, { count: 11 }, { livenessCheck: 'wink' }];
    const ends = [];
    for (const options of wrong) ends.push(await capture(options));
    return ends;
  });
  for (const end of ends) {
    assert.match(end.code, /RangeError: (count|livenessCheck) must be/);
    assertCleared(end, 0);
  }
});

for (const [code, camera, more] of [
  ['camera_denied', 'no face', { permission: 'denied' }],
  ['camera_missing', 'none', {}],
  ['insecure_page', 'no face', { insecure: true }],
] as [string, Camera, { permission?: 'denied'; insecure?: true }][]) {
  test(`${code}, as the browser says it`, async () => {
    const { insecure, ...rest } = more;
    const other = await openLab(pages, camera, { ...rest, ...(insecure && { url: pages.insecure }) });
    try {
      await prepare(other);
      const end: any = await other.page.evaluate(() => (window as any).lab.capture({}));
      assert.is(end.code, code, JSON.stringify(end));
      assertCleared(end, 0);
    } finally {
      await other.close();
    }
  });
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
