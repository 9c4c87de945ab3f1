/**
 * What a page's content security policy lets an encoder do, found out by trying: a library whose worker is blocked waits for it
 * for ever, and says nothing. Held by test/browser/encoder-policy.test.ts
 * and test/browser/encoder-onnx.test.ts.
 */
import { FaceSignInError } from '../errors.ts';

/** Long enough for a worker that starts on a busy machine, in milliseconds. */
const PATIENCE = 5_000;

/**
 * What the work comes to, unless the browser refuses a worker meanwhile, for which the work would wait for ever.
 * @throws FaceSignInError encoder_failed, with what to mend
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

/** Whether WebAssembly may be compiled, by the smallest module there is. */
export function allowsWasm(): boolean {
  try {
    return Boolean(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)));
  } catch {
    return false;
  }
}

/** Whether workers that are made of text, and that load more text, run: threads of TensorFlow.js are such workers. */
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
      timer = setTimeout(() => resolve(false), PATIENCE);
    });
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    worker?.terminate();
    for (const url of urls) URL.revokeObjectURL(url);
  }
}
