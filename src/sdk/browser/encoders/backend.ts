/**
 * Starts the backend of TensorFlow.js. If a backend does not start, the library silently uses another one, and it waits
 * forever for workers that a policy blocks. This module starts the requested backend, or fails and says what is
 * missing. Held by test/sdk/capture-backend.test.ts and test/browser/encoder-policy.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import { inTime, messageOf } from '../thrown.ts';
import type { TensorFlow } from './face-api-module.ts';
import { bytesOf, type File, unusable } from './files.ts';
import { allowsBlobWorkers, allowsSimd, allowsWasm } from './policy.ts';

export interface BackendOptions {
  /**
   * Where the page serves the `.wasm` files of `@tensorflow/tfjs-backend-wasm` (its folder `dist`), in the version that
   * the module was built with. Default: the WebGL backend, which needs a graphics card.
   */
  readonly wasmPath?: string;
  /**
   * Whether the WASM backend uses threads. They need a cross-origin isolated page, and `blob:` in `script-src` and
   * `worker-src`. Default: if the page has both. `true` fails without them.
   */
  readonly threads?: boolean;
  /** What to do if the WASM backend does not start: fail (default), or use WebGL. */
  readonly fallback?: 'none' | 'webgl';
}

const NO_WASM = "the page's policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
const NO_WORKERS =
  "the page's policy forbids threads: add blob: to its script-src and worker-src, or leave out threads: true";
const NOT_ISOLATED =
  'threads need a cross-origin isolated page: serve it with Cross-Origin-Opener-Policy: same-origin and ' +
  'Cross-Origin-Embedder-Policy: require-corp, or leave out threads: true';

const FIX =
  'Serve the .wasm files of @tensorflow/tfjs-backend-wasm (its folder `dist`), and set wasmPath to their URL.';
const WRONG_VERSION =
  'wasmPath: the .wasm files are there, but the backend did not start. Serve those of the version of ' +
  '@tensorflow/tfjs-backend-wasm that faceapi was built with.';

/**
 * The library does not report a second failure, takes no other path, and may say that it runs. So it is asked again
 * only if its file did not come, and now does. Any other error stays until the page is reloaded.
 */
const failures = new WeakMap<TensorFlow, { readonly error: unknown; readonly missing: string | null }>();
/** Milliseconds for a second start, whose failure is not reported. */
const SECOND_START = 30_000;

/** @throws FaceSignInError encoder_failed, with the fix */
export async function startBackend(tf: TensorFlow, options: BackendOptions): Promise<void> {
  const { wasmPath, threads, fallback = 'none' } = options;
  if (wasmPath === undefined) return useBackend(tf, 'webgl');
  const failure = failures.get(tf);
  // The name is set before the backend has started, perhaps for another encoder.
  if (tf.getBackend() === 'wasm' && !failure) return tf.ready();
  try {
    if (!allowsWasm()) throw failed(NO_WASM);
    const threaded = await mayHaveThreads(threads);
    if (!threaded) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    const folder = wasmPath.endsWith('/') ? wasmPath : `${wasmPath}/`;
    const url = `${folder}tfjs-backend-wasm${kindOf(threaded)}.wasm`;
    if (failure && failure.missing !== url) throw failure.error;
    if (failure) await checkFile(url);
    else tf.setWasmPaths(folder);
    const start = useBackend(tf, 'wasm');
    await (failure ? inTime(start, SECOND_START, 'it did not start') : start).catch(async cause => {
      const explained = await faultIn(url, cause);
      failures.set(tf, explained);
      throw explained.error;
    });
    failures.delete(tf);
  } catch (error) {
    if (fallback === 'none') throw error;
    await useBackend(tf, fallback);
  }
}

/** The file that the library loads. Safari has SIMD since version 16.4. */
const kindOf = (threaded: boolean) => (allowsSimd() ? (threaded ? '-threaded-simd' : '-simd') : '');

/** @throws FaceSignInError */
async function checkFile(url: string): Promise<void> {
  const file: File = { option: 'wasmPath', url, fix: FIX };
  const [first] = new Uint8Array(await bytesOf(file));
  if (first === '<'.charCodeAt(0)) throw unusable(file, 'is a web page');
}

/** The library only says that it did not start. Fetches its file, to say why. */
async function faultIn(url: string, cause: unknown) {
  const detail = `${WRONG_VERSION} (${messageOf(cause)})`;
  return checkFile(url).then(
    () => ({
      missing: null,
      error: new FaceSignInError('encoder_failed', { cause, detail, retryable: false }),
    }),
    error => ({ missing: url, error }),
  );
}

/** The library checks whether the page is isolated, but not whether its workers are blocked. */
async function mayHaveThreads(wanted: boolean | undefined): Promise<boolean> {
  if (wanted === false) return false;
  const isolated = globalThis.crossOriginIsolated === true;
  const allowed = isolated && (await allowsBlobWorkers());
  if (wanted && !allowed) throw failed(isolated ? NO_WORKERS : NOT_ISOLATED);
  return allowed;
}

function failed(detail: string): FaceSignInError {
  return new FaceSignInError('encoder_failed', { detail });
}

async function useBackend(tf: TensorFlow, name: string): Promise<void> {
  const started = await tf.setBackend(name);
  if (started) await tf.ready();
  if (started && tf.getBackend() === name) return;
  throw new Error(`the ${name} backend did not start (${tf.getBackend() || 'none'} would run)`);
}
