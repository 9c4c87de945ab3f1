/** The real encoder in a real browser: loading and its failures, what it finds, and that nothing of a picture stays. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { labFor, openLab } from './encoder-pages.ts';

const test = suite('browser: encoder');
const { pages, lab } = labFor(test, 'none');

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
test.before(async () => {
  await lab.page.evaluate(async () => {
    const { sdk, faceapi } = (window as any).lab;
    const options = { faceapi, modelPath: '/model/', wasmPath: '/wasm' };
    const image = new Image();
    image.src = '/photos/sample6.jpg';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth / 2;
    canvas.height = image.naturalHeight / 2;
    canvas
      .getContext('2d', { willReadFrequently: true })
      ?.drawImage(image, 0, 0, canvas.width, canvas.height);
    Object.assign((window as any).lab, { options, image, canvas, make: sdk.faceApiEncoder });
  });
});

test('loads once, on the WASM backend, from where it was told, and tells how far it is', async () => {
  const [progress, backend, ids] = await lab.page.evaluate(async () => {
    const { make, options, faceapi } = (window as any).lab;
    const encoder = make({ ...options, detector: 'tiny' });
    const progress: number[] = [];
    await Promise.all([
      encoder.load({ onProgress: (value: number) => progress.push(value) }),
      encoder.load(),
      encoder.load(),
    ]);
    const other = make({ ...options, detector: 'ssd' });
    const centred = make({ ...options, detector: 'tiny', mean: new Array(128).fill(0.1) });
    return [progress, (await faceapi()).tf.getBackend(), [encoder.id, other.id, centred.id]];
  });
  assert.is(backend, 'wasm');
  assert.ok(progress.length >= 5 && progress.at(-1) === 1, progress.join());
  assert.ok(
    progress.filter(share => share > 0.3 && share < 0.99).length >= 3,
    'the largest file comes in parts',
  );
  assert.equal(
    progress,
    [...progress].sort((a, b) => a - b),
  );
  const models = pages.asked.filter(line => line.includes('/model/') || line.includes('/wasm/'));
  assert.equal(models, [...new Set(models)], 'nothing twice');
  assert.is(models.length, 7, models.join('\n'));
  assert.is(ids[0], ids[1], 'the detector does not change the descriptors');
  assert.is.not(ids[0], ids[2], 'the mean does');
});

for (const detector of ['tiny', 'ssd'] as const) {
  test(`finds faces, landmarks and descriptors as the library itself does (${detector})`, async () => {
    const found = await lab.page.evaluate(async detector => {
      const { sdk, make, options, canvas, faceapi } = (window as any).lab;
      // The library looks at this size only.
      const encoder = make({ ...options, detector, inputSize: 416 });
      await encoder.load();
      const api = await faceapi();
      const settings =
        detector === 'tiny' ? new api.TinyFaceDetectorOptions() : new api.SsdMobilenetv1Options();
      const theirs = await api.detectAllFaces(canvas, settings).withFaceLandmarks().withFaceDescriptors();
      const faces = [];
      for (const face of await encoder.detect(canvas)) {
        const descriptor = await encoder.describe(canvas, face);
        const dot = (other: number[]) => other.reduce((sum, value, i) => sum + value * descriptor[i], 0);
        const nearest = theirs
          .map((one: any) => ({ one, cosine: dot(sdk.centre(one.descriptor)) }))
          .sort((a: any, b: any) => b.cosine - a.cosine)[0];
        const off = face.landmarks.map((point: any, i: number) => {
          const { x, y } = nearest.one.landmarks.positions[i];
          return Math.hypot(point.x - x, point.y - y) / face.box.width;
        });
        faces.push({ cosine: nearest.cosine, off: Math.max(...off), norm: Math.sqrt(dot(descriptor)), face });
      }
      return { faces, theirs: theirs.length, size: [canvas.width, canvas.height] };
    }, detector);
    assert.is(found.faces.length, found.theirs);
    assert.ok(found.faces.length >= 4);
    let last = Number.POSITIVE_INFINITY;
    for (const { cosine, off, norm, face } of found.faces) {
      assert.ok(cosine > 0.97, `cosine ${cosine}`);
      assert.ok(off < 0.03, `landmarks ${off} of the face's width apart`);
      assert.ok(Math.abs(norm - 1) < 1e-9);
      assert.is(face.landmarks.length, 68);
      const area = face.box.width * face.box.height;
      assert.ok(area <= last, 'largest first');
      last = area;
      assert.ok(face.score >= 0.5 && face.score <= 1);
      assert.ok(
        face.box.x > -50 && face.box.x + face.box.width < found.size[0] + 50,
        'in pixels of the frame',
      );
    }
  });
}

test('looks at 224, 320, 416 and 96 pixels, stops where it finds a face, and remembers nothing', async () => {
  const { found, usual } = await lab.page.evaluate(async () => {
    const { sdk, make, options } = (window as any).lab;
    const sizes = [224, 320, 416, 96].map(inputSize => make({ ...options, inputSize }));
    const [usual, ssd] = [make(options), make({ ...options, detector: 'ssd' })];
    for (const encoder of [...sizes, usual, ssd]) await encoder.load();
    const turned = ({ landmarks }: any) => Math.abs(sdk.poseOf(landmarks)?.yaw ?? 180);
    const people: any = {};
    for (const n of [5, 6]) {
      const image = Object.assign(new Image(), { src: `/photos/sample${n}.jpg` });
      await image.decode();
      const faces = (await ssd.detect(image)).sort((a: any, b: any) => turned(a) - turned(b));
      people[n] = faces.map(({ box }: any) => ({ image, box }));
    }
    const drawn = (who: any, width: number, x = 320, on = sdk.frame()) =>
      sdk.placed(on, who.image, who.box, width, { x });
    const frames = [
      drawn(people[6][0], 300),
      drawn(people[5][0], 60),
      drawn(people[6][0], 64),
      drawn(people[6][0], 520),
      sdk.frame(),
      drawn(people[6][1], 50, 470, drawn(people[6][0], 90, 180)),
    ];
    const boxesIn = async (encoder: any, frame: any) =>
      JSON.stringify((await encoder.detect(frame)).map(({ box }: any) => box));
    const found: string[][] = [];
    for (const frame of frames) {
      const seen: string[] = [];
      for (const encoder of sizes) seen.push(await boxesIn(encoder, frame));
      found.push(seen);
    }
    const usually: [number, string][] = [];
    for (const i of [0, 3, 4, 2, 1, 0, 5, 1, 2, 4, 3, 0]) usually.push([i, await boxesIn(usual, frames[i])]);
    return { found, usual: usually };
  });
  const counts = found.map(sizes => sizes.map(boxes => JSON.parse(boxes).length));
  const firsts = counts.map(sizes => sizes.findIndex(count => count > 0));
  assert.equal(firsts, [0, 1, 2, 3, -1, 0], `each size is needed: ${JSON.stringify(counts)}`);
  assert.is(counts[0]?.[2], 0, 'a face that fills the frame is too large for 416');
  assert.equal(counts[5]?.slice(0, 3), [1, 1, 2], 'a second, smaller face is too small for 224');
  // Beside a small face there may be a smaller one: then the answer of 416 counts.
  firsts[5] = 2;
  for (const [i, boxes] of usual) assert.is(boxes, found[i]?.[firsts[i] ?? -1] ?? '[]', `frame ${i}`);
});

test('leaves no tensor and no canvas with a picture behind', async () => {
  const [tensors, made] = await lab.page.evaluate(async () => {
    const { make, options, canvas, faceapi } = (window as any).lab;
    const encoder = make({ ...options, detector: 'tiny' });
    await encoder.load();
    const { tf } = await faceapi();
    const before = tf.memory().numTensors;
    const canvases: HTMLCanvasElement[] = [];
    const create = document.createElement.bind(document);
    document.createElement = ((tag: string) => {
      const element = create(tag);
      if (element instanceof HTMLCanvasElement) canvases.push(element);
      return element;
    }) as typeof document.createElement;
    try {
      for (const face of await encoder.detect(canvas)) await encoder.describe(canvas, face);
      await encoder.describe(canvas, { box: {}, landmarks: [], score: 1 }).catch(() => undefined);
    } finally {
      document.createElement = create;
    }
    return [tf.memory().numTensors - before, canvases.map(({ width, height }) => `${width}x${height}`)];
  });
  assert.is(tensors, 0);
  assert.ok(made.length >= 8, `${made.length} canvases were made`);
  assert.ok(
    made.every((size: string) => size === '0x0'),
    made.join(),
  );
});

test('takes an image, a video and a bitmap as well', async () => {
  const counts = await lab.page.evaluate(async () => {
    const { make, options, image, canvas } = (window as any).lab;
    const encoder = make({ ...options, detector: 'ssd' });
    await encoder.load();
    const video = document.createElement('video');
    video.muted = true;
    video.srcObject = canvas.captureStream(5);
    const context = canvas.getContext('2d');
    const redraw = setInterval(() => context.drawImage(image, 0, 0, canvas.width, canvas.height), 50);
    await video.play();
    clearInterval(redraw);
    const bitmap = await createImageBitmap(canvas);
    const found = [];
    for (const frame of [image, video, bitmap]) found.push((await encoder.detect(frame)).length);
    return found;
  });
  assert.equal(counts, [4, 4, 4]);
});

test('what goes wrong is encoder_failed, with the reason for a developer', async () => {
  const failures: any = await lab.page.evaluate(async () => {
    const { sdk, make, options, canvas, faceapi } = (window as any).lab;
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => 'no failure',
        (error: any) => `${error instanceof sdk.FaceSignInError} ${error.code}: ${error.detail}`,
      );
    const api = await faceapi();
    for (const net of Object.values(api.nets) as any[]) if (net.isLoaded) net.dispose();
    const encoder = (more: object) => make({ ...options, detector: 'tiny', ...more });
    const ended = new AbortController();
    ended.abort();
    return {
      'not loaded': await failure(encoder({}).detect(canvas)),
      'no models': await failure(encoder({ modelPath: '/nowhere' }).load()),
      'no module': await failure(encoder({ faceapi: () => import('/nowhere.js' as string) }).load()),
      aborted: await failure(encoder({}).load({ signal: ended.signal })),
      'a wrong mean': (() => {
        try {
          return encoder({ mean: [1, 2, 3] });
        } catch (error: any) {
          return `${error.name}: ${error.message}`;
        }
      })(),
    };
  });
  assert.match(failures['not loaded'], /^true encoder_failed: call load\(\) first/);
  assert.match(failures['no models'], /^true encoder_failed: /);
  assert.match(failures['no module'], /^true encoder_failed: /);
  assert.match(failures.aborted, /^true aborted/);
  assert.match(failures['a wrong mean'], /RangeError: the mean must have 128 numbers, not 3/);
});

test('a WASM backend that does not come is said, instead of a slower one taking its place, and starts when it comes', async () => {
  await using fresh = await openLab(pages, 'none');
  const load = () =>
    fresh.page.evaluate(async () => {
      const { sdk, faceapi } = (window as any).lab;
      const options = { faceapi, modelPath: '/model', detector: 'tiny', wasmPath: '/wasm/' };
      return sdk
        .faceApiEncoder(options)
        .load()
        .then(
          async () => (await faceapi()).tf.getBackend(),
          (error: any) => `${error.code} ${error.retryable}: ${error.detail}`,
        );
    });
  await fresh.page.route('**/*.wasm', route => route.fulfill({ status: 503, body: '' }));
  for (let tries = 0; tries < 2; tries++)
    assert.match(await load(), /^encoder_failed true: wasmPath: \S+\/wasm\/\S+\.wasm answers 503\. Serve /);
  await fresh.page.unrouteAll();
  await fresh.page.route('**/*.wasm', route => route.abort());
  assert.match(await load(), /^encoder_failed true: wasmPath: \S+ could not be fetched /);
  await fresh.page.unrouteAll();
  assert.is(await load(), 'wasm');
});
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
