/** The face-api adapter and the backend that it runs on, with a module that only says what a real one would. */
import * as assert from 'uvu/assert';
import { type FaceApiOptions, faceApiEncoder } from '../../src/sdk/browser/encoders/face-api.ts';
import { FACE_API_MEAN } from '../../src/sdk/browser/encoders/face-api-mean.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, backend');

/** @param starts what `setBackend` answers, and which backend runs then */
function stub(starts: Record<string, [boolean, string]>, running = '') {
  const said: string[] = [];
  let backend = running;
  const net = (name: string) => {
    const one = {
      isLoaded: false,
      loadFromUri: async (uri: string) => {
        said.push(`${name} ${uri}`);
        one.isLoaded = true;
      },
      dispose: () => {
        said.push(`dispose ${name}`);
        one.isLoaded = false;
      },
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
        return started;
      },
      ready: async () => undefined,
      getBackend: () => backend,
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
  return { said, make };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'loaded',
    error => `${error.code}: ${error.detail}`,
  );
const MODELS = ['tiny /m', 'landmarks /m', 'recognition /m'];
const FINE = { wasm: [true, 'wasm'], webgl: [true, 'webgl'] } satisfies Record<string, [boolean, string]>;

test('the paths are set first, then the backend, then the models are loaded', async () => {
  const { said, make } = stub(FINE);
  await make().load();
  assert.equal(said, ['paths /w/', 'backend wasm', ...MODELS]);
});

test('a second encoder of the same module loads only what is missing', async () => {
  const { said, make } = stub(FINE);
  await make().load();
  said.length = 0;
  await make({ detector: 'ssd' }).load();
  assert.equal(said, ['ssd /m']);
});

test('a backend that says it did not start, or that is another one afterwards, is refused', async () => {
  for (const answer of [
    [false, ''],
    [true, 'webgl'],
    [false, 'cpu'],
  ] as [boolean, string][]) {
    const { said, make } = stub({ ...FINE, wasm: answer });
    assert.match(await failure(make().load()), /^encoder_failed: the wasm backend did not start/);
    assert.equal(said, ['paths /w/', 'backend wasm'], 'no model was loaded');
  }
});

test('who allows it goes on with WebGL, unless that does not start either', async () => {
  const one = stub({ ...FINE, wasm: [false, ''] });
  await one.make({ fallback: 'webgl' }).load();
  assert.equal(one.said, ['paths /w/', 'backend wasm', 'backend webgl', ...MODELS]);
  const none = stub({ wasm: [false, ''], webgl: [false, 'cpu'] });
  assert.match(
    await failure(none.make({ fallback: 'webgl' }).load()),
    /the webgl backend did not start \(cpu would run\)/,
  );
});

test('without WASM files it is WebGL, and nothing else', async () => {
  const { said, make } = stub(FINE);
  await make({ wasmPath: undefined }).load();
  assert.equal(said, ['backend webgl', ...MODELS]);
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
  assert.is(await failure(failing.load()), 'encoder_failed: not served');
});

test('the id names the mean, and a wrong mean is refused at once', () => {
  const { make } = stub(FINE);
  assert.is(make().id, make({ mean: [...FACE_API_MEAN] }).id);
  assert.is.not(make().id, make({ mean: FACE_API_MEAN.map(value => value + 1e-6) }).id);
  assert.throws(() => make({ mean: FACE_API_MEAN.slice(1) }), /the mean must have 128 numbers, not 127/);
});

test.run();
