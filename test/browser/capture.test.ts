/**
 * A capture in a real browser with Chromium's own camera picture and an encoder that is a stand-in: whatever happens, the
 * camera is stopped, the video let go, every canvas empty. And each way in which a browser gives no camera.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { assertCleared, prepare } from './capture-pages.ts';
import { type Camera, labFor, openLab } from './encoder-pages.ts';

const test = suite('browser: capture');
const { pages, lab } = labFor(test, 'no face');

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
test.before(() => prepare(lab));

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
    await using other = await openLab(pages, camera, { ...rest, ...(insecure && { url: pages.insecure }) });
    await prepare(other);
    const end: any = await other.page.evaluate(() => (window as any).lab.capture({}));
    assert.is(end.code, code, JSON.stringify(end));
    assertCleared(end, 0);
  });
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
