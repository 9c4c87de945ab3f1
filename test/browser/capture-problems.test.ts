/**
 * A capture that fails, in a real browser with drawn pictures in place of a camera: what it reads from them, how long it
 * goes on, and what an enrolment leaves for the next try.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { assertCleared, prepare } from './capture-pages.ts';
import { labFor } from './encoder-pages.ts';

const test = suite('browser: capture, problems');
const { lab } = labFor(test, 'no face');

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
test.before(() => prepare(lab));

test('why no face is found is read from the pictures: darkness, light, blur, or nobody', async () => {
  const ends: any = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    // Each picture is made once: to blur one again and again would leave a busy machine no time to deliver any.
    const picture = (back: string, front: string, filter: string, x: number) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.filter = filter;
      for (let n = 0; n < 8; n++) {
        context.fillStyle = n % 2 ? back : front;
        context.fillRect(80 * n, 0, 80, 480);
      }
      context.fillStyle = front;
      context.fillRect(190 + x, 100, 260, 330);
      // Drawn now, not when it is first shown.
      context.getImageData(0, 0, 1, 1);
      return canvas;
    };
    const scene = (back: string, front: string, filter = 'none') => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const pictures = [0, 1].map(x => picture(back, front, filter, x));
      const draw = (i: number) => context.drawImage(pictures[i % 2] as HTMLCanvasElement, 0, 0);
      draw(0);
      return { canvas, draw };
    };
    const ends: any = {};
    for (const [code, back, front, filter] of [
      ['too_dark', '#111', '#050505'],
      ['backlit', '#fff', '#101010'],
      ['too_bright', '#ccc', '#fff'],
      ['blurred', '#ddd', '#666', 'blur(24px)'],
      ['no_face', '#ddd', '#666'],
    ] as const) {
      const { canvas, draw } = scene(back, front, filter);
      let i = 0;
      const drawing = setInterval(() => draw(i++), 30);
      const guides: string[] = [];
      const stream = canvas.captureStream(20);
      const options = { stream, timeoutMs: 1_500, encoder: { ...encoder, detect: async () => [] } };
      const onProgress = ({ guide }: any) => guides.at(-1) === guide || guides.push(guide);
      ends[code] = { ...(await capture({ ...options, onProgress })), guides };
      clearInterval(drawing);
    }
    return ends;
  });
  const guides = { too_dark: 'more_light', backlit: 'face_the_light', too_bright: 'less_light' };
  for (const [code, end] of Object.entries<any>(ends)) {
    assert.is(end.code, code, JSON.stringify(end));
    const guide = { ...guides, blurred: 'clean_camera' }[code];
    assert.equal(end.guides, ['look_here', ...(guide ? [guide] : [])], code);
    assertCleared(end, 0);
  }
});

test('a slow encoder gets its pictures, but not without end', async () => {
  const pictures: number[] = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    const counts: number[] = [];
    for (const [timeoutMs, wait] of [
      [100, 0],
      [100, 400],
    ] as const) {
      let pictures = 0;
      const detect = async () => {
        pictures++;
        await new Promise(done => setTimeout(done, wait));
        return [];
      };
      await capture({ timeoutMs, encoder: { ...encoder, detect } });
      counts.push(pictures);
    }
    return counts;
  });
  assert.ok((pictures[0] ?? 0) <= 35, `${pictures}`);
  assert.is(pictures[1], 1, 'three times the limit are over at the first');
});

test('an enrolment that fails leaves its descriptors for two minutes, one that is given up leaves none', async () => {
  const left: any = await lab.page.evaluate(async () => {
    const { capture, encoder } = (window as any).lab;
    const wait = window.setTimeout;
    const late: (() => void)[] = [];
    window.setTimeout = ((work: () => void, ms: number) =>
      ms === 120_000 ? late.push(work) : wait(work, ms)) as typeof setTimeout;
    const giving = new AbortController();
    const keep: any = {};
    let described = 0;
    const describe = async () => {
      if (++described > 2) throw new TypeError('broken');
      return encoder.describe();
    };
    const failing = { enrollment: true, keep, encoder: { ...encoder, describe } };
    const { code } = await capture(failing);
    const kept = keep.candidates?.length;
    for (const work of late) work();
    const after = keep.candidates;
    described = 0;
    const stuck = async () => {
      if (++described > 2) giving.abort();
      return encoder.describe();
    };
    const stopped = await capture({
      ...failing,
      encoder: { ...encoder, describe: stuck },
      signal: giving.signal,
    });
    window.setTimeout = wait;
    return { code, kept, after: typeof after, stopped: stopped.code, none: typeof keep.candidates };
  });
  assert.equal(left, {
    code: 'encoder_failed',
    kept: 2,
    after: 'undefined',
    stopped: 'aborted',
    none: 'undefined',
  });
});
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
