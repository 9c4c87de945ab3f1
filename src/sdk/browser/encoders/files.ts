/**
 * Fetches the files of an encoder. If one is missing, says which option names it, its URL, what came instead and the
 * fix, because a wrong path is the most common mistake of a new page. Held by test/browser/element-faults.test.ts.
 */
import { FaceSignInError } from '../errors.ts';

export interface File {
  /** The option that says where it is. */
  readonly option: 'modelPath' | 'wasmPath' | 'weightsPath';
  readonly url: string;
  /** What to do if it is not there. */
  readonly fix: string;
}

/** @throws FaceSignInError `encoder_failed` */
export async function fetched(file: File): Promise<Response> {
  const answer = await fetch(file.url).catch(cause => {
    throw unusable(file, `could not be fetched (${messageOf(cause)})`, cause);
  });
  if (!answer.ok) throw unusable(file, `answers ${answer.status}`);
  // Many servers send their start page for whatever they do not have.
  if (/^text\/html/i.test(answer.headers.get('Content-Type') ?? '')) throw unusable(file, 'is a web page');
  return answer;
}

/** @param fault continues a sentence that begins with the URL */
export function unusable({ option, url, fix }: File, fault: string, cause?: unknown): FaceSignInError {
  const detail = `${option}: ${absolute(url)} ${fault}. ${fix}`;
  return new FaceSignInError('encoder_failed', { detail, ...(cause !== undefined && { cause }) });
}

/** The body of a response, in chunks. */
export async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
}

export const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

function absolute(url: string): string {
  const base = globalThis.document?.baseURI;
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}
