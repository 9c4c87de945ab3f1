/** The face-api adapter and the backend that it runs on, with a module that only says what a real one would. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type FaceApiOptions,
  faceApiEncoder,
  RECOGNITION_BYTES,
} from '../../src/sdk/browser/encoders/face-api.ts';
import { FACE_API_MEAN } from '../../src/sdk/browser/encoders/face-api-mean.ts';
import { BYTES } from '../../src/sdk/browser/encoders/face-finder.ts';
import { suite } from '../support/suite.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');
const test = suite('sdk: capture, backend');

/** @param starts what `setBackend` answers, and which backend runs then */
function stub(starts: Record<string, [boolean, string]>, running = '') {
  const said: string[] = [];
  const ran: string[] = [];
  let backend = running;
  let starting: Promise<unknown> = Promise.resolve();
  const begun: string[] = [];
  const net = (name: string) => {
    const one = {
      isLoaded: false,
      getDefaultModelName: () => name,
      loadFromWeightMap: (tensors: object) => {
        said.push(`${name} of ${Object.keys(tensors)}`);
        one.isLoaded = true;
      },
      dispose: () => {
        said.push(`dispose ${name}`);
        one.isLoaded = false;
      },
      ...Object.fromEntries(
        ['locateFaces', 'detectLandmarks', 'computeFaceDescriptor'].map(verb => [
          verb,
          async (tensor: { side: number }) => ran.push(`${name} sees ${tensor.side}`),
        ]),
      ),
    };
    return one;
  };
  const faceapi = {
    tf: {
      setWasmPaths: (path: string) => said.push(`paths ${path}`),
      setBackend: async (name: string) => {
        said.push(`backend ${name}`);
        const [started, now] = starts[name] ?? [false, ''];
        backend = now;
        starting = new Promise(resolve => setTimeout(resolve, 50)).then(() => begun.push(name));
        await starting;
        return started;
      },
      ready: () => starting,
      getBackend: () => backend,
      io: { decodeWeights: ({ byteLength }: ArrayBuffer) => ({ [`${byteLength} bytes`]: 0 }) },
      browser: {
        fromPixels: ({ width: side, data }: { width: number; data: Uint8Array }) => {
          assert.ok(data.length === 4 * side * side && data.every(byte => byte === 0), 'blank');
          return { side, dispose: () => ran.push('freed') };
        },
      },
      env: () => ({ set: (flag: string, value: boolean) => said.push(`${flag} ${value}`) }),
    },
    nets: {
      tinyFaceDetector: net('tiny'),
      ssdMobilenetv1: net('ssd'),
      faceLandmark68Net: net('landmarks'),
      faceRecognitionNet: net('recognition'),
    },
  };
  const make = (more: { [Key in keyof FaceApiOptions]?: FaceApiOptions[Key] | undefined } = {}) =>
    faceApiEncoder({ faceapi, modelPath: '/m', wasmPath: '/w', detector: 'tiny', ...more } as FaceApiOptions);
  return { said, ran, begun, make };
}
/** What the page serves: manifests of one quantized tensor each, in two files of 3 and 4 bytes. */
const served = async (input: string | URL | Request) => {
  const path = String(input);
  asked.push(path);
  if (path === WASM && hasWasm) return new Response(new Uint8Array([0]));
  if (!path.startsWith('/m/')) return new Response(null, { status: 404 });
  const weights = [{ name: 'w', shape: [7], dtype: 'float32', quantization: { dtype: 'uint8' } }];
  if (path.endsWith('.json')) return Response.json([{ weights, paths: ['a.bin', 'b.bin'] }]);
  return new Response(new Uint8Array(path.endsWith('a.bin') ? 3 : 4));
};
const WASM = '/w/tfjs-backend-wasm-simd.wasm';
let hasWasm = true;
const asked: string[] = [];
const { fetch } = globalThis;
test.before(() => {
  globalThis.fetch = served;
});
test.after(() => {
  globalThis.fetch = fetch;
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'loaded',
    error => `${error.code}: ${error.detail}`,
  );
const MODELS = ['tiny', 'landmarks', 'recognition'].map(name => `${name} of 7 bytes`);
/** Outside a browser no page is isolated. */
const ALONE = 'WASM_HAS_MULTITHREAD_SUPPORT false';
const FINE = { wasm: [true, 'wasm'], webgl: [true, 'webgl'] } satisfies Record<string, [boolean, string]>;

test('the paths are set first, then the backend, then the models are loaded', async () => {
  const { said, make } = stub(FINE);
  await make().load();
  assert.equal(said, [ALONE, 'paths /w/', 'backend wasm', ...MODELS]);
});

test('a second encoder of the same module loads only what is missing', async () => {
  const { said, make } = stub(FINE);
  await make().load();
  said.length = 0;
  await make({ detector: 'ssd' }).load();
  assert.equal(said, ['ssd of 7 bytes']);
});

test('an encoder that loads meanwhile waits until the backend has started', async () => {
  const { said, begun, make } = stub(FINE);
  const first = make().load();
  await new Promise(resolve => setTimeout(resolve, 5));
  await make().load();
  assert.is(said.filter(one => one === 'backend wasm').length, 1, said.join());
  assert.equal(begun, ['wasm']);
  await first;
});

test('loading ends with one computed picture of each size that may be used, so that the first real one is not slow', async () => {
  const { ran, make } = stub(FINE);
  const encoder = make();
  await encoder.load();
  const rest = ['landmarks sees 112', 'freed', 'recognition sees 150', 'freed'];
  const sizes = [224, 320, 416, 96].flatMap(side => [`tiny sees ${side}`, 'freed']);
  assert.equal(ran, [...sizes, ...rest]);
  ran.length = 0;
  await encoder.load();
  assert.equal(ran, [], 'not at every capture');
  await make({ inputSize: 160 }).load();
  assert.equal(ran, ['tiny sees 160', 'freed', ...rest], 'a given size is the only one');
  ran.length = 0;
  await make({ detector: 'ssd' }).load();
  assert.equal(ran, ['ssd sees 512', 'freed', ...rest]);
  ran.length = 0;
  encoder.dispose?.();
  await encoder.load();
  assert.is(ran.length, 12, 'again after it was released');
});

test('progress is the share of the bytes of the published files, and full only at the end', async () => {
  const files = {
    module: '@vladmandic/face-api/dist/face-api.esm.js',
    backend: '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
    tiny: '@vladmandic/face-api/model/tiny_face_detector_model.bin',
    ssd: '@vladmandic/face-api/model/ssd_mobilenetv1_model.bin',
    landmarks: '@vladmandic/face-api/model/face_landmark_68_model.bin',
    recognition: '@vladmandic/face-api/model/face_recognition_model.bin',
  };
  const sizes = Object.entries(files).map(([of, path]) => [of, statSync(join(MODULES, path)).size]);
  assert.equal(Object.fromEntries(sizes), { ...BYTES, recognition: RECOGNITION_BYTES });
  const { ran, make } = stub(FINE);
  const heard: (readonly [number, boolean])[] = [];
  await make().load({ onProgress: share => heard.push([share, ran.length === 12]) });
  const shares = heard.map(([share]) => share);
  assert.equal(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  const { module, backend, tiny, landmarks } = BYTES;
  assert.ok(
    Math.abs((shares[0] ?? 0) - module / (module + backend + tiny + landmarks + RECOGNITION_BYTES)) < 0.01,
  );
  assert.equal(
    heard.filter(([share, isComputed]) => share > 0.997 !== isComputed),
    [],
  );
});

test('a backend that says it did not start, or that is another one afterwards, is refused', async () => {
  for (const answer of [
    [false, ''],
    [true, 'webgl'],
    [false, 'cpu'],
  ] as [boolean, string][]) {
    const { said, make } = stub({ ...FINE, wasm: answer });
    for (let tries = 0; tries < 2; tries++)
      assert.match(
        await failure(make().load()),
        /^encoder_failed: wasmPath: the \.wasm files are there, but .* version .* \(the wasm backend did not start/,
      );
    assert.equal(said, [ALONE, 'paths /w/', 'backend wasm', ALONE], 'once, and no model was loaded');
  }
});

test('a file of the backend that does not come is named, and the backend starts when it has come', async () => {
  const starts: Record<string, [boolean, string]> = { wasm: [false, ''] };
  const { said, make } = stub(starts);
  hasWasm = false;
  const NAMED =
    /^encoder_failed: wasmPath: \/w\/tfjs-backend-wasm-simd\.wasm answers 404\. Serve the \.wasm files of /;
  for (let tries = 0; tries < 2; tries++) assert.match(await failure(make().load()), NAMED);
  hasWasm = true;
  assert.match(await failure(make({ wasmPath: '/m' }).load()), NAMED, 'the library keeps its path');
  assert.equal(said, [ALONE, 'paths /w/', 'backend wasm', ALONE, ALONE], 'the library is not asked in vain');
  starts.wasm = [true, 'wasm'];
  assert.is(await failure(make().load()), 'loaded');
});

test('who allows it goes on with WebGL, unless that does not start either', async () => {
  const one = stub({ ...FINE, wasm: [false, ''] });
  await one.make({ fallback: 'webgl' }).load();
  assert.equal(one.said, [ALONE, 'paths /w/', 'backend wasm', 'backend webgl', ...MODELS]);
  const none = stub({ wasm: [false, ''], webgl: [false, 'cpu'] });
  assert.match(
    await failure(none.make({ fallback: 'webgl' }).load()),
    /the webgl backend did not start \(cpu would run\)/,
  );
});

test('who demands threads learns what they need', async () => {
  const { said, make } = stub(FINE);
  const reported = await failure(make({ threads: true }).load());
  assert.match(
    reported,
    /^encoder_failed: threads need a cross-origin isolated page: serve it with Cross-Origin-/,
  );
  assert.equal(said, []);
});

test('without WASM files it is WebGL, and nothing else', async () => {
  const { said, make } = stub(FINE);
  await make({ wasmPath: undefined }).load();
  assert.equal(said, ['backend webgl', ...MODELS]);
});

test('progress follows the bytes of the models, with or without a slash; a file that does not come is named', async () => {
  const { make } = stub(FINE);
  const reported: number[] = [];
  asked.length = 0;
  await make({ modelPath: '/m/' }).load({ onProgress: share => reported.push(share) });
  assert.equal(asked.slice(0, 3), ['/m/tiny-weights_manifest.json', '/m/a.bin', '/m/b.bin']);
  assert.equal(
    reported,
    [...reported].sort((a, b) => a - b),
  );
  const largest = reported.filter(share => share > 0.27 && share < 0.99);
  assert.ok(largest.length >= 1, `${reported}`);
  assert.is(reported.at(-1), 1);
  const away = await failure(stub(FINE).make({ modelPath: '/away' }).load());
  assert.match(
    away,
    /^encoder_failed: modelPath: \/away\/tiny-weights_manifest\.json answers 404\. Serve the folder `model` of /,
  );
});

test('the tiny detector is the default', async () => {
  const { said, make } = stub(FINE);
  await make({ detector: undefined }).load();
  assert.equal(said.slice(3), MODELS);
});

test('a module can be imported when it is needed; disposing gives its models back', async () => {
  const { said, make } = stub(FINE);
  const plain = make();
  plain.dispose?.();
  assert.equal(said, [], 'nothing was loaded');
  await plain.load();
  said.length = 0;
  plain.dispose?.();
  assert.equal(said, ['dispose tiny', 'dispose landmarks', 'dispose recognition']);
  assert.match(await failure(plain.detect({} as HTMLCanvasElement)), /call load\(\) first/);
  const failing = faceApiEncoder({
    faceapi: async () => {
      throw new Error('not served');
    },
    modelPath: '/m',
    detector: 'tiny',
  });
  assert.match(
    await failure(failing.load()),
    /^encoder_failed: faceapi: the module could not be imported \(not served\)\. Serve face-api\.esm\.js of /,
  );
});

test('the id names the mean, and a wrong mean is refused at once', () => {
  const { make } = stub(FINE);
  assert.is(make().id, make({ mean: [...FACE_API_MEAN] }).id);
  assert.is.not(make().id, make({ mean: FACE_API_MEAN.map(value => value + 1e-6) }).id);
  assert.throws(() => make({ mean: FACE_API_MEAN.slice(1) }), /the mean must have 128 numbers, not 127/);
});

test.run();
