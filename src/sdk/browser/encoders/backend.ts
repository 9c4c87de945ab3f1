/**
 * What TensorFlow.js computes on. The library goes on with another backend when one does not start and tells the console at most,
 * and it waits for ever for workers that a policy blocks: here the one that was asked for starts, or it is said what is
 * missing. Held by test/sdk/capture-backend.test.ts and test/browser/encoder-policy.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { TensorFlow } from './face-api-module.ts';
import { allowsBlobWorkers, allowsWasm } from './policy.ts';

export interface BackendOptions {
  /**
   * Where the page serves the `.wasm` files of `@tensorflow/tfjs-backend-wasm` (its folder `dist`), of the version
   * that the module was built with. Without it the WebGL backend is used, which needs a graphics card.
   */
  readonly wasmPath?: string;
  /**
   * Threads of the WASM backend, which need a cross-origin isolated page, and `blob:` in `script-src` and `worker-src`.
   * Unless told they are used where the page has both; `false` does without and asks for neither, `true` fails without.
   */
  readonly threads?: boolean;
  /** What to do when the WASM backend does not start: fail (the default), or go on with WebGL. */
  readonly fallback?: 'none' | 'webgl';
}

const NO_WASM = "the page's policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
const NO_WORKERS =
  "the page's policy forbids threads: add blob: to its script-src and worker-src, or leave out threads: true";
const NOT_ISOLATED =
  'threads need a cross-origin isolated page: serve it with Cross-Origin-Opener-Policy: same-origin and ' +
  'Cross-Origin-Embedder-Policy: require-corp, or leave out threads: true';

/** @throws FaceSignInError encoder_failed, with what to mend */
export async function startBackend(tf: TensorFlow, options: BackendOptions): Promise<void> {
  const { wasmPath, threads, fallback = 'none' } = options;
  if (wasmPath === undefined) return useBackend(tf, 'webgl');
  if (tf.getBackend() === 'wasm') return;
  try {
    if (!allowsWasm()) throw failed(NO_WASM);
    if (!(await mayHaveThreads(threads))) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    tf.setWasmPaths(wasmPath.endsWith('/') ? wasmPath : `${wasmPath}/`);
    await useBackend(tf, 'wasm');
  } catch (error) {
    if (fallback === 'none') throw error;
    await useBackend(tf, fallback);
  }
}

/** The library knows whether the page is isolated, and not that its workers are blocked: it would wait for them for ever. */
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
  throw failed(
    `the ${name} backend did not start (${tf.getBackend() || 'none'} would run): are its files served?`,
  );
}
