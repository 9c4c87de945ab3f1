/** Options of the encoders: a misspelt one is warned of, a missing one is refused at once, by its name. */
import * as assert from 'uvu/assert';
import { faceApiEncoder } from '../../src/sdk/browser/encoders/face-api.ts';
import { mobileFaceNetEncoder } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { onnxEncoder } from '../../src/sdk/browser/encoders/onnx.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: options of encoders');
const WHOLE = { faceapi: async () => ({}), modelPath: '/model', weightsPath: '/weights', wasmPath: '/wasm' };

/** What making it comes to: warnings, then the error. */
function outcome(make: () => unknown): string[] {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (line: string) => said.push(line);
  try {
    make();
  } catch (error) {
    said.push(String(error));
  } finally {
    console.warn = warn;
  }
  return said;
}
// biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
const mobile = (options: any) => outcome(() => mobileFaceNetEncoder(options));

test('complete options say nothing', () => {
  assert.equal(mobile(WHOLE), []);
  const all = {
    detector: 'ssd',
    minConfidence: 0.4,
    inputSize: 320,
    threads: false,
    fallback: 'webgl',
    fmr: '1e-4',
  };
  assert.equal(mobile({ ...WHOLE, ...all }), []);
});

test('a misspelt option is warned of with what was meant', () => {
  assert.equal(mobile({ ...WHOLE, thread: true }), [
    'face-sign-in: mobileFaceNetEncoder has no option thread: did you mean threads?',
  ]);
  const { modelPath, ...rest } = WHOLE;
  assert.equal(mobile({ ...rest, modelPaht: modelPath }), [
    'face-sign-in: mobileFaceNetEncoder has no option modelPaht: did you mean modelPath?',
    'TypeError: mobileFaceNetEncoder: modelPath must be the URL of the folder `model` of @vladmandic/face-api.',
  ]);
});

for (const [name, options, wanted] of [
  ['no options', undefined, /^TypeError: mobileFaceNetEncoder: faceapi must be a function such as /],
  ['no faceapi', { ...WHOLE, faceapi: undefined }, /: faceapi must be a function/],
  ['faceapi as a path', { ...WHOLE, faceapi: '/face-api.esm.js' }, /: faceapi must be a function/],
  [
    'no weights',
    { ...WHOLE, weightsPath: undefined },
    /: weightsPath must be the URL of mobilefacenet\.f16\.$/,
  ],
  ['a number for the wasm', { ...WHOLE, wasmPath: 1 }, /: wasmPath must be the URL of the \.wasm files/],
  ['another detector', { ...WHOLE, detector: 'big' }, /: detector must be 'tiny' or 'ssd'\.$/],
  ['another rate', { ...WHOLE, fmr: '1e-3' }, /^RangeError: fmr must be one of/],
] as [string, unknown, RegExp][])
  test(`${name}: refused at once`, () => {
    const said = mobile(options);
    assert.is(said.length, 1, String(said));
    assert.match(said[0] ?? '', wanted);
  });

test('the other encoders check theirs too', () => {
  // biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
  const faceApi = (options: any) => outcome(() => faceApiEncoder(options));
  const { weightsPath, ...rest } = WHOLE;
  assert.equal(faceApi(rest), []);
  assert.match(
    faceApi({ ...rest, weightsPath })[0] ?? '',
    /^face-sign-in: faceApiEncoder has no option weightsPath: /,
  );
  // biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
  const onnx = (options: any) => outcome(() => onnxEncoder(options));
  assert.match(
    onnx({ size: 112, layuot: 'nchw' })[0] ?? '',
    /onnxEncoder has no option layuot: did you mean layout\?$/,
  );
});

test.run();
