/**
 * Fetches the files of an encoder. If one is missing, says which option names it, its URL, what came instead and the
 * fix, because a wrong path is the most common mistake of a new page. Held by test/browser/element-faults.test.ts
 * and test/sdk/browser-faults.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import { inTime, isOffline, messageOf } from '../thrown.ts';

export interface File {
  /** The option that says where it is. */
  readonly option: 'modelPath' | 'wasmPath' | 'weightsPath' | 'model';
  readonly url: string;
  /** What to do if it is not there. */
  readonly fix: string;
}

/** Milliseconds without a single byte until a download counts as stalled. Slow ones go on. */
const STALLED = 30_000;
/** Answers of a server or a proxy that may be another one soon. */
const PASSING = [408, 425, 429];

/** @throws FaceSignInError `offline`, `timeout`, `encoder_failed` */
export async function fetched(file: File): Promise<Response> {
  const stop = new AbortController();
  const asked = fetch(file.url, { signal: stop.signal });
  const answer = await arrived(file, asked, 'could not be fetched').catch(error => {
    stop.abort();
    throw error;
  });
  const { ok, status } = answer;
  if (!ok)
    throw unusable(file, `answers ${status}`, { retryable: status >= 500 || PASSING.includes(status) });
  // Many servers send their start page for whatever they do not have.
  if (/^text\/html/i.test(answer.headers.get('Content-Type') ?? '')) throw unusable(file, 'is a web page');
  return answer;
}

/** The body of a response, in chunks. @throws FaceSignInError `offline`, `timeout`, `encoder_failed` */
export async function* partsOf(file: File, { body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await arrived(file, reader.read(), 'was cut off');
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param report called with the share that has arrived, 0 to 1, if the server says how long the file is */
export async function bytesOf(file: File, report?: (share: number) => void): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const response = await fetched(file);
  const total = Number(response.headers.get('Content-Length'));
  let arrived = 0;
  for await (const part of partsOf(file, response)) {
    parts.push(part);
    arrived += part.length;
    // The length of a compressed file is that of less.
    if (total > 0) report?.(Math.min(1, arrived / total));
  }
  return new Blob(parts).arrayBuffer();
}

/** @param fault what is wrong if the network fails */
async function arrived<T>(file: File, work: Promise<T>, fault: string): Promise<T> {
  try {
    return await inTime(work, STALLED, `${file.option}: ${absolute(file.url)} sent nothing`);
  } catch (cause) {
    if (cause instanceof FaceSignInError) throw cause;
    const { detail } = unusable(file, `${fault} (${messageOf(cause)})`);
    if (isOffline()) throw new FaceSignInError('offline', { cause, ...(detail && { detail }) });
    throw unusable(file, `${fault} (${messageOf(cause)})`, { cause, retryable: true });
  }
}

/** @param fault continues a sentence that begins with the URL */
export function unusable(
  { option, url, fix }: File,
  fault: string,
  { cause, retryable = false }: { cause?: unknown; retryable?: boolean } = {},
): FaceSignInError {
  const detail = `${option}: ${absolute(url)} ${fault}. ${fix}`;
  return new FaceSignInError('encoder_failed', { detail, retryable, ...(cause !== undefined && { cause }) });
}

function absolute(url: string): string {
  try {
    return new URL(url, globalThis.document?.baseURI).href;
  } catch {
    return url;
  }
}
