/**
 * A model of one's own through onnxruntime-web. The model is written here, byte by byte: it reshapes its input and multiplies it
 * by a matrix, so that what comes out says exactly what went in: which pixels, in which order, by which mean.
 */
import * as assert from 'uvu/assert';
import { ARCFACE_POINTS } from '../../src/sdk/browser/encoders/align.ts';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { ISOLATED } from './chromium.ts';
import { type Lab, openLab, startPages } from './encoder-pages.ts';

const test = suite('browser: onnx encoder');
const SIDE = 8;
const INPUTS = 3 * SIDE * SIDE;
let lab: Lab;

/** Fields of a protocol buffer: numbers as varints, everything else with its length. */
function message(...fields: [number, number | string | Uint8Array][]): Uint8Array {
  const parts = fields.flatMap(([id, value]) => {
    if (typeof value === 'number') return [varint(id << 3), varint(value)];
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [varint((id << 3) | 2), varint(bytes.length), bytes];
  });
  return Uint8Array.from(Buffer.concat(parts));
}
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
    if (rest < 128) return Uint8Array.from(bytes);
  }
}

const FLOAT = 1;
const INT64 = 7;
const weight = (input: number, output: number) => Math.fround(Math.sin(1 + input * 0.7 + output * 1.3));

/** x [dims] → Reshape [1, n] → MatMul [n, outputs] → y [1, outputs]. Fields as in onnx.proto. */
function model(dims: readonly number[], outputs = 128): Uint8Array {
  const tensor = (name: string, type: number, shape: readonly number[], data: ArrayBufferView) =>
    message(
      ...shape.map((dim): [number, number] => [1, dim]),
      [2, type],
      [8, name],
      [9, new Uint8Array(data.buffer)],
    );
  const value = (name: string, shape: readonly number[]) => {
    const dimensions = message(...shape.map((dim): [number, Uint8Array] => [1, message([1, dim])]));
    return message([1, name], [2, message([1, message([1, FLOAT], [2, dimensions])])]);
  };
  const matrix = Float32Array.from({ length: INPUTS * outputs }, (_, i) =>
    weight(Math.floor(i / outputs), i % outputs),
  );
  const graph = message(
    [1, message([1, 'x'], [1, 'shape'], [2, 'flat'], [4, 'Reshape'])],
    [1, message([1, 'flat'], [1, 'w'], [2, 'y'], [4, 'MatMul'])],
    [2, 'g'],
    [5, tensor('shape', INT64, [2], BigInt64Array.from([1n, BigInt(INPUTS)]))],
    [5, tensor('w', FLOAT, [INPUTS, outputs], matrix)],
    [11, value('x', dims)],
    [12, value('y', [1, outputs])],
  );
  return message([1, 8], [7, graph], [8, message([2, 13])]);
}

/** The frame's pixels: as large as the model's input, with the eyes where the model expects them. */
const colour = (x: number, y: number, channel: number) => (37 * x + 91 * y + 53 * channel) % 256;
const MEAN = [120, 110, 100] as const;
const STD = [60, 50, 40] as const;

/** What the model makes of them, computed here. */
function expected(layout: 'nchw' | 'nhwc', colours: 'rgb' | 'bgr'): number[] {
  const made = new Array<number>(128).fill(0);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      for (let channel = 0; channel < 3; channel++) {
        const value = colour(x, y, colours === 'rgb' ? channel : 2 - channel);
        const scaled = (value - (MEAN[channel] ?? 0)) / (STD[channel] ?? 1);
        const at = layout === 'nchw' ? channel * SIDE * SIDE + y * SIDE + x : 3 * (y * SIDE + x) + channel;
        for (let i = 0; i < 128; i++) made[i] = (made[i] ?? 0) + scaled * weight(at, i);
      }
  return made;
}
const unit = (vector: readonly number[]) => vector.map(value => value / Math.hypot(...vector));

// biome-ignore-start lint/suspicious/noExplicitAny: scripts that run in the page, against the SDK as it is bundled
const pages = openedFor(test, startPages);
test.before(async () => {
  pages.files.set('/nchw.onnx', model([1, 3, SIDE, SIDE]));
  pages.files.set('/nhwc.onnx', model([1, SIDE, SIDE, 3]));
  pages.files.set('/short.onnx', model([1, 3, SIDE, SIDE], 64));
  lab = await openLab(pages, 'none');
  const pixels = Array.from({ length: 4 * SIDE * SIDE }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / 4), i % 4];
    return channel === 3 ? 255 : colour(pixel % SIDE, Math.floor(pixel / SIDE), channel);
  });
  await lab.page.evaluate(
    ([pixels, side, mean, std]: any) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = side;
      canvas.getContext('2d')?.putImageData(new ImageData(Uint8ClampedArray.from(pixels), side), 0, 0);
      const eyes = { left: { x: 0.25, y: 0.375 }, right: { x: 0.75, y: 0.375 } };
      const landmarks = Array.from({ length: 68 }, (_, i) => ({
        x: side * (i < 42 ? eyes.left.x : eyes.right.x),
        y: side * 0.375,
      }));
      const face = { box: { x: 0, y: 0, width: side, height: side }, landmarks, score: 1 };
      const detect = { load: async () => undefined, detect: async () => [face] };
      const ort = () => import('/ort/ort.wasm.min.mjs' as string);
      const options = { id: 'mine-1', ort, detect, size: side, mean, std, eyes };
      Object.assign((window as any).lab, { canvas, face, options });
    },
    [pixels, SIDE, MEAN, STD],
  );
});
test.after(async () => {
  await lab?.close();
});

const describe = (more: object): Promise<any> =>
  lab.page.evaluate(async (more: any) => {
    const { sdk, options, canvas } = (window as any).lab;
    const progress: number[] = [];
    try {
      const encoder = sdk.onnxEncoder({ ...options, ...more });
      await encoder.load({ onProgress: (value: number) => progress.push(value) });
      const [face] = await encoder.detect(canvas);
      const descriptor = await encoder.describe(canvas, face);
      encoder.dispose();
      return { descriptor, progress, id: encoder.id };
    } catch (error: any) {
      return { code: error.code ?? error.name, detail: error.detail ?? error.message };
    }
  }, more);

for (const layout of ['nchw', 'nhwc'] as const)
  for (const colours of ['rgb', 'bgr'] as const)
    test(`the model gets the pixels as it wants them: ${layout}, ${colours}`, async () => {
      const { descriptor, progress, id, ...rest } = await describe({
        model: `/${layout}.onnx`,
        layout,
        colours,
      });
      assert.equal(rest, {});
      const wanted = unit(expected(layout, colours));
      assert.is(descriptor.length, 128);
      for (const [i, value] of wanted.entries())
        assert.ok(Math.abs(descriptor[i] - value) < 1e-5, `${i}: ${descriptor[i]} for ${value}`);
      assert.is(progress.at(-1), 1);
      assert.is(id, 'mine-1');
    });

test('five points are brought to their places, where only the eyes were before', async () => {
  const made: any = await lab.page.evaluate(
    async ([places, side]) => {
      const { sdk, options, canvas } = (window as any).lab;
      const at = (i: number) => {
        const [right, left, nose, one, other] = places;
        if (i >= 36 && i < 48) return i < 42 ? right : left;
        return i === 48 ? one : i === 54 ? other : nose;
      };
      const landmarksOf = (lower: number) =>
        Array.from({ length: 68 }, (_, i) => ({
          x: side * (at(i)?.x ?? 0),
          y: side * (at(i)?.y ?? 0) + (i === 48 || i === 54 ? lower : 0),
        }));
      const { eyes: _, ...rest } = options;
      const described = async (points: string, lower: number) => {
        const encoder = sdk.onnxEncoder({ ...rest, points, model: '/nchw.onnx', layout: 'nchw' });
        await encoder.load();
        return encoder.describe(canvas, { box: {}, landmarks: landmarksOf(lower), score: 1 });
      };
      return {
        five: await described('five', 0),
        fiveLower: await described('five', 3),
        eyes: await described('eyes', 0),
        eyesLower: await described('eyes', 3),
      };
    },
    [ARCFACE_POINTS, SIDE] as const,
  );
  const wanted = unit(expected('nchw', 'rgb'));
  const off = (descriptor: number[]) =>
    Math.max(...wanted.map((value, i) => Math.abs((descriptor[i] ?? 0) - value)));
  assert.ok(off(made.five) < 0.01, `in its place already: off by ${off(made.five)}`);
  assert.ok(off(made.fiveLower) > 0.03, `the mouth counts: ${off(made.fiveLower)}`);
  assert.equal(made.eyes, made.eyesLower, 'it does not without five');
  assert.is((await describe({ model: '/nchw.onnx', layout: 'nchw', points: 'six' })).code, 'RangeError');
  const both = await describe({ model: '/nchw.onnx', layout: 'nchw', points: 'five' });
  assert.match(both.detail, /eyes does not go with points: 'five'/);
});

test('a mean descriptor can be taken away, and the model given as bytes', async () => {
  const mean = Array.from({ length: 128 }, (_, i) => 20 * Math.cos(i));
  const made: any = await lab.page.evaluate(async mean => {
    const { sdk, options, canvas, face } = (window as any).lab;
    const model = new Uint8Array(await (await fetch('/nchw.onnx')).arrayBuffer());
    const encoder = sdk.onnxEncoder({ ...options, model, layout: 'nchw', centre: mean });
    await encoder.load();
    return encoder.describe(canvas, face);
  }, mean);
  const wanted = unit(expected('nchw', 'rgb').map((value, i) => value - (mean[i] ?? 0)));
  for (const [i, value] of wanted.entries()) assert.ok(Math.abs(made[i] - value) < 1e-5);
});

test('with the faces that face-api finds', async () => {
  const found: any = await lab.page.evaluate(async () => {
    const { sdk, options, faceapi } = (window as any).lab;
    const detect = sdk.faceApiEncoder({ faceapi, modelPath: '/model', wasmPath: '/wasm', detector: 'tiny' });
    const encoder = sdk.onnxEncoder({ ...options, detect, model: '/nchw.onnx', layout: 'nchw' });
    await encoder.load();
    const image = new Image();
    image.src = '/photos/sample6.jpg';
    await image.decode();
    const faces = await encoder.detect(image);
    return Promise.all(faces.map((face: any) => encoder.describe(image, face)));
  });
  assert.ok(found.length >= 4);
  for (const descriptor of found) assert.ok(Math.abs(Math.hypot(...descriptor) - 1) < 1e-9);
  assert.is(new Set(found.map(String)).size, found.length);
});

test('what goes wrong is encoder_failed, with the reason for a developer', async () => {
  const missing = await describe({ model: '/nowhere.onnx', layout: 'nchw' });
  assert.is(missing.code, 'encoder_failed', JSON.stringify(missing));
  const short = await describe({ model: '/short.onnx', layout: 'nchw' });
  assert.is(short.code, 'encoder_failed');
  assert.match(short.detail, /128 numbers, not 64/);
  const swapped = await describe({ model: '/nhwc.onnx', layout: 'nchw' });
  assert.is(swapped.code, 'encoder_failed', JSON.stringify(swapped));
  assert.is((await describe({ model: '/nchw.onnx', layout: 'nchw', size: 0 })).code, 'RangeError');
});
test('threads that the page forbids are reported, and not waited for', async () => {
  const policy =
    "default-src 'none'; connect-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'";
  pages.others.set('/strict', { 'content-security-policy': policy, ...ISOLATED });
  await using strict = await openLab(pages, 'none', { url: `${pages.origin}/strict` });
  const [two, one]: any = await strict.page.evaluate(async () => {
    const { sdk } = (window as any).lab;
    const detect = { load: async () => undefined, detect: async () => [] };
    const rest = { id: 'mine', detect, model: '/nchw.onnx', layout: 'nchw', size: 8, mean: 0, std: 1 };
    const loading = async (numThreads: number, copy: string) => {
      const ort = await import(`/ort/ort.wasm.min.mjs?${copy}`);
      ort.env.wasm.numThreads = numThreads;
      const loaded = sdk.onnxEncoder({ ...rest, ort }).load();
      const waited = new Promise(done => setTimeout(() => done('nothing came'), 60_000));
      return Promise.race([
        loaded.then(
          () => 'loaded',
          (error: any) => `${error.code}: ${error.detail}`,
        ),
        waited,
      ]);
    };
    return [await loading(2, 'a'), await loading(1, 'b')];
  });
  assert.match(
    two,
    /^encoder_failed: the page's policy forbids the worker http.*: add it to worker-src, or use one/,
  );
  assert.is(one, 'loaded');
});
// biome-ignore-end lint/suspicious/noExplicitAny: as above

test.run();
