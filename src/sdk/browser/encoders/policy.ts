/**
 * Tests what the page's content security policy allows, because a library whose worker is blocked waits forever without
 * an error. Held by test/browser/encoder-policy.test.ts and test/browser/encoder-onnx.test.ts.
 */
import { FaceSignInError } from '../errors.ts';

/** Long enough for a worker to start on a busy machine, in milliseconds. */
const WORKER_TIMEOUT = 5_000;

/**
 * Settles like `work`, but rejects if the browser refuses a worker, because the work would then wait forever.
 * @throws FaceSignInError encoder_failed, with the fix
 */
export async function orWorkerRefused<T>(work: Promise<T>): Promise<T> {
  let stop: ((event: SecurityPolicyViolationEvent) => void) | undefined;
  const refused = new Promise<never>((_, reject) => {
    stop = ({ effectiveDirective, blockedURI, disposition }) => {
      if (effectiveDirective !== 'worker-src' || disposition !== 'enforce') return;
      const detail = `the page's policy forbids the worker ${blockedURI}: add it to worker-src, or use one thread`;
      reject(new FaceSignInError('encoder_failed', { detail }));
    };
    globalThis.addEventListener?.('securitypolicyviolation', stop);
  });
  try {
    return await Promise.race([work, refused]);
  } finally {
    if (stop) globalThis.removeEventListener?.('securitypolicyviolation', stop);
  }
}

/** Whether the page may compile WebAssembly; tries an empty module. */
export function allowsWasm(): boolean {
  try {
    return Boolean(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)));
  } catch {
    return false;
  }
}

/** A function that uses a vector of 128 bits. */
const VECTOR = [3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];

export const allowsSimd = () =>
  globalThis.WebAssembly?.validate(
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, ...VECTOR),
  ) === true;

/** Whether blob workers that import blob scripts run. The threads of TensorFlow.js are such workers. */
export async function allowsBlobWorkers(): Promise<boolean> {
  const urls: string[] = [];
  const urlOf = (code: string) => {
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    urls.push(url);
    return url;
  };
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const started = new Worker(urlOf(`importScripts(${JSON.stringify(urlOf('0'))}); postMessage(0)`));
    worker = started;
    return await new Promise(resolve => {
      started.onmessage = () => resolve(true);
      started.onerror = event => {
        event.preventDefault();
        resolve(false);
      };
      timer = setTimeout(() => resolve(false), WORKER_TIMEOUT);
    });
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    worker?.terminate();
    for (const url of urls) URL.revokeObjectURL(url);
  }
}
