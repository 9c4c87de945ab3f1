/**
 * Everything that the SDK fetches or imports, and every way in which it may not come: each has its code, says whether
 * trying again may help, and never claims that the page is set up wrong. In Node.js; element-fault-rows.ts has the parts
 * of the component.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import * as assert from 'uvu/assert';
import { cameraError, checkPage, videoError } from '../../src/sdk/browser/capture/camera.ts';
import { startBackend } from '../../src/sdk/browser/encoders/backend.ts';
import type { Net, TensorFlow } from '../../src/sdk/browser/encoders/face-api-module.ts';
import { type FinderOptions, moduleOf } from '../../src/sdk/browser/encoders/finder-options.ts';
import { loadNetwork } from '../../src/sdk/browser/encoders/mobilefacenet-network.ts';
import { onnxEncoder } from '../../src/sdk/browser/encoders/onnx.ts';
import { loadNet } from '../../src/sdk/browser/encoders/weights.ts';
import { SetupError } from '../../src/sdk/browser/errors.ts';
import { createClient, FaceSignInError, SENTENCES } from '../../src/sdk/browser/index.ts';
import { errorOf, imported } from '../../src/sdk/browser/thrown.ts';
import { openedFor } from '../support/closing.ts';
import { listening } from '../support/listening.ts';
import { suite } from '../support/suite.ts';
import { SOME_KEY } from './browser-support.ts';

const test = suite('browser SDK: faults of what it loads');

/** Answers by the first part of the path. */
const FAULTS: Record<string, (answer: ServerResponse, request: IncomingMessage) => void> = {
  gone: answer => answer.writeHead(404).end(),
  forbidden: answer => answer.writeHead(403, { 'content-type': 'text/html' }).end('<p>No.</p>'),
  login: answer => answer.writeHead(401, { 'content-type': 'text/html' }).end('<p>Who?</p>'),
  broken: answer => answer.writeHead(500).end(),
  restarting: answer => answer.writeHead(503).end(),
  'a page': answer => answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
  cut: (answer, request) => {
    answer.writeHead(200, { 'content-length': '1000' }).write('[{');
    setTimeout(() => request.socket.destroy(), 20);
  },
  silent: () => seen(),
};
let seen = () => {};
const server = openedFor(test, () =>
  listening((request, answer) => {
    request.resume();
    FAULTS[decodeURIComponent((request.url ?? '').split('/')[1] ?? '')]?.(answer, request);
  }),
);

/** Where nothing listens, so that the request fails as it does offline, or for CORS. */
const NOWHERE = 'http://127.0.0.1:1';
const at = (fault: string) =>
  fault === 'refused' || fault === 'offline' ? NOWHERE : `${server.base}/${encodeURIComponent(fault)}`;

const tf = {
  setWasmPaths() {},
  io: { decodeWeights: () => ({}) },
  env: () => ({ set() {} }),
  getBackend: () => '',
} as unknown as TensorFlow;
const net = { isLoaded: false, getDefaultModelName: () => 'tiny' } as unknown as Net;
const report = () => {};
const never = () => new Promise<never>(() => {});
const onnx = (more: object) =>
  onnxEncoder({
    id: 'own',
    detect: { load: async () => {} },
    size: 112,
    layout: 'nchw',
    mean: 0,
    std: 1,
    ...more,
  } as never);

/** Each source: loads it with a fault. */
const FILES: Record<string, (url: string) => Promise<unknown>> = {
  models: url => loadNet(tf, net, url, report),
  weights: url => loadNetwork(tf, `${url}/mobilefacenet.f16`, report),
  wasm: url => startBackend({ ...tf }, { wasmPath: url }),
  'the model of onnx': url => onnx({ ort: { InferenceSession: {} }, model: `${url}/own.onnx` }).load(),
};
const API: Record<string, (url: string) => Promise<unknown>> = {
  'a code': url => clientAt(url).requestEmailCode('ada@example.com'),
};
const clientAt = (baseUrl: string) => createClient({ publishableKey: SOME_KEY, baseUrl, timeout: 3_000 });
const MODULES: Record<string, (load: () => Promise<never>) => Promise<unknown>> = {
  'face-api': load => moduleOf(load as FinderOptions['faceapi']),
  'onnxruntime-web': load => onnx({ ort: load, model: new Uint8Array() }).load(),
  'a part of the SDK': load => imported(load),
};

type Wanted = readonly [code: string, retryable: boolean];
const OF_FILES: Record<string, Wanted> = {
  refused: ['encoder_failed', true],
  offline: ['offline', true],
  gone: ['encoder_failed', false],
  forbidden: ['encoder_failed', false],
  login: ['encoder_failed', false],
  broken: ['encoder_failed', true],
  restarting: ['encoder_failed', true],
  'a page': ['encoder_failed', false],
  cut: ['encoder_failed', true],
  silent: ['timeout', true],
};
const OF_API: Record<string, Wanted> = {
  refused: ['offline', true],
  offline: ['offline', true],
  gone: ['unexpected_answer', true],
  forbidden: ['unexpected_answer', true],
  login: ['unexpected_answer', true],
  broken: ['internal_error', true],
  restarting: ['service_unavailable', true],
  'a page': ['unexpected_answer', true],
  cut: ['offline', true],
  silent: ['timeout', true],
};
/** What a person reads. Nobody is accused of what is not known. */
const WORDS: Record<string, RegExp> = {
  encoder_failed: /^Face recognition could not be loaded\. Reload the page, or sign in with an email code\.$/,
  load_failed: /^A part of this page could not be loaded\. Try again, or reload the page\.$/,
  offline: /^There is no connection to the service\. Check your network, then try again\.$/,
  timeout: /^The response took too long\. Try again\.$/,
  unexpected_answer: /^Something went wrong\. Try again later\.$/,
  internal_error: /^Something went wrong\. Try again later\.$/,
  service_unavailable: /^The service is busy\. Try again in a moment\.$/,
  browser_too_old: /^This browser is too old\. Update it, or use another one\.$/,
  unknown_error: /^Something went wrong\. Reload the page, or try again later\.$/,
};

const thrownBy = (work: Promise<unknown>): Promise<FaceSignInError> =>
  work.then(
    () => Promise.reject(new Error('it came')),
    error => error,
  );
function assertFault(error: FaceSignInError, [code, retryable]: Wanted, note: string): void {
  assert.instance(error, FaceSignInError, `${note}: ${error}`);
  assert.equal([error.code, error.retryable], [code, retryable], `${note}: ${error.detail}`);
  assert.match(error.message, WORDS[code] ?? /^$/, note);
}

async function online<T>(is: boolean, work: () => Promise<T>): Promise<T> {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') as PropertyDescriptor;
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: is }, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(globalThis, 'navigator', before);
  }
}

/** Lets time pass once the request, or the import, is under way. */
async function late<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const asked = new Promise<void>(resolve => {
    seen = resolve;
  });
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const outcome = work();
    await asked;
    mock.timers.tick(ms);
    return await outcome;
  } finally {
    mock.timers.reset();
  }
}

for (const [sources, wanted, patience] of [
  [FILES, OF_FILES, 30_000],
  [API, OF_API, 3_000],
] as const)
  for (const [source, load] of Object.entries(sources))
    test(`${source}: each fault of the network or a server has its code and its words`, async () => {
      for (const [fault, row] of Object.entries(wanted)) {
        const run = () => thrownBy(load(at(fault)));
        const error = await online(fault !== 'offline', () =>
          fault === 'silent' ? late(patience, run) : run(),
        );
        assertFault(error, row, fault);
      }
    });

for (const [source, load] of Object.entries(MODULES))
  test(`${source}: an import that fails has its code and its words`, async () => {
    const code = source === 'a part of the SDK' ? 'load_failed' : 'encoder_failed';
    const cause = new TypeError('Failed to fetch dynamically imported module');
    const fails = () => thrownBy(load(() => Promise.reject(cause)));
    assertFault(await online(true, fails), [code, true], 'failed');
    assertFault(await online(false, fails), ['offline', true], 'offline');
    assertFault(await inOldBrowser(fails), ['browser_too_old', false], 'too old');
    const silent = late(60_000, () => {
      queueMicrotask(() => setImmediate(() => seen()));
      return thrownBy(load(never));
    });
    assertFault(await silent, ['timeout', true], 'silent');
  });

async function inOldBrowser<T>(work: () => Promise<T>): Promise<T> {
  const { structuredClone } = globalThis;
  Reflect.deleteProperty(globalThis, 'structuredClone');
  try {
    return await work();
  } finally {
    globalThis.structuredClone = structuredClone;
  }
}

test('anything else is unknown, and only the own check of the page says that it is set up wrong', async () => {
  for (const thrown of [new TypeError('x is not a function'), new RangeError('?'), 'odd', undefined, null])
    assertFault(errorOf(thrown, 'unknown_error'), ['unknown_error', false], String(thrown));
  const old = await inOldBrowser(async () => errorOf(new TypeError('no'), 'unknown_error'));
  assertFault(old, ['browser_too_old', false], 'old');
  const mistake = errorOf(new SetupError('createClient: baseUrl must be …'), 'unknown_error');
  assert.equal([mistake.code, mistake.retryable], ['key_refused', false]);
  const own = new FaceSignInError('no_match');
  assert.is(errorOf(own, 'unknown_error'), own);
  const ofAnotherCopy = Object.assign(new Error(SENTENCES.no_match), {
    name: 'FaceSignInError',
    code: 'no_match',
  });
  assert.is(errorOf(ofAnotherCopy, 'unknown_error').code, 'no_match');
});

/** What a browser says, and the code, by the name of its DOMException. */
const CAMERA: readonly (readonly [name: string, code: string, retryable: boolean])[] = [
  ['NotAllowedError', 'camera_denied', true],
  ['PermissionDeniedError', 'camera_denied', true],
  ['SecurityError', 'camera_denied', true],
  ['NotReadableError', 'camera_in_use', true],
  ['TrackStartError', 'camera_in_use', true],
  ['NotFoundError', 'camera_missing', true],
  ['DevicesNotFoundError', 'camera_missing', true],
  ['OverconstrainedError', 'camera_unsuitable', true],
  ['ConstraintNotSatisfiedError', 'camera_unsuitable', true],
  ['AbortError', 'camera_failed', true],
  ['InvalidStateError', 'camera_failed', true],
  ['UnknownError', 'camera_failed', true],
  ['TypeError', 'camera_failed', true],
];

test('a camera: each name has its code and keeps its cause; what is unknown is neither denied nor missing', () => {
  for (const [name, code, retryable] of CAMERA) {
    const cause = new DOMException('why', name);
    const error = cameraError(cause);
    assert.equal([error.code, error.retryable, error.detail], [code, retryable, name]);
    assert.is(error.cause, cause);
    assert.is(cameraError(cause, false).code, 'insecure_page', 'on an insecure page it is the page');
  }
  for (const odd of ['odd', undefined, null, {}, new TypeError('no')])
    assert.is(cameraError(odd).code, 'camera_failed', String(odd));
  const like = cameraError({ name: 'OverconstrainedError', constraint: 'width' });
  assert.equal([like.code, like.detail], ['camera_unsuitable', 'OverconstrainedError: width']);
  const own = new FaceSignInError('aborted');
  assert.is(cameraError(own), own);
});

test('a camera that the page forbids, or a browser that has none to give, is not what the person denied', async () => {
  const document = { featurePolicy: { allowsFeature: () => false } };
  Object.assign(globalThis, { document });
  try {
    const { code, retryable } = cameraError(new DOMException('', 'NotAllowedError'));
    assert.equal([code, retryable], ['camera_forbidden', false]);
    assert.is(cameraError(new DOMException('', 'NotReadableError')).code, 'camera_in_use');
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  const codeOf = async () => (await thrownBy((async () => checkPage())())).code;
  assert.is(await codeOf(), 'camera_unsupported');
  Object.assign(globalThis, { isSecureContext: false });
  assert.is(await codeOf(), 'insecure_page');
  Reflect.deleteProperty(globalThis, 'isSecureContext');
});

test('a video that does not play: refused, interrupted, or for no known reason', () => {
  for (const [name, code] of [
    ['NotAllowedError', 'video_blocked'],
    ['AbortError', 'camera_stopped'],
    ['NotSupportedError', 'camera_failed'],
    ['', 'camera_failed'],
  ]) {
    const error = videoError(new DOMException('why', name));
    assert.equal([error.code, error.retryable], [code, true], name);
    assert.match(error.detail ?? '', /^the video does not play: /);
  }
});

test.run();
