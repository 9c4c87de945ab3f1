/**
 * One request to the service, within a time limit. Repeats it if there was no answer, a 5xx or a 429, so every request
 * made here must be safe to repeat. Follows no redirects, because it sends a secret key; limits the size of an answer;
 * and returns an answer of the service or throws a ServiceError. Held by test/sdk/server-requests.test.ts.
 */
import { endAfter, orAborted } from './abort.ts';
import { ServiceError, type ServiceErrorCode } from './errors.ts';
import type { Settings } from './options.ts';

/** In bytes. A page of 100 users has a tenth of this. */
const LONGEST_ANSWER = 1_000_000;
const FIRST_WAIT_MS = 100;
const ADDRESS = 'is this the address of the service?';

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** If a repeated request gets 404, the first one succeeded and its answer was lost. */
  readonly goneIsDone?: true;
  /** Milliseconds that the service may hold the answer, on top of the time limit. */
  readonly heldMs?: number;
  /** Instead of the option. */
  readonly retries?: number;
  /** In bytes, if the answer may be longer than others. */
  readonly longest?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body. Undefined if there is none. */
  readonly json: unknown;
}

export type RequestSettings = Pick<Settings, 'fetch' | 'timeoutMs' | 'retries'>;

/** @throws ServiceError for any status but 2xx, if there is no answer, and if the caller's signal aborts */
export async function request(settings: RequestSettings, what: Request): Promise<Answer> {
  const timeoutMs = settings.timeoutMs + (what.heldMs ?? 0);
  const deadline = performance.now() + timeoutMs;
  for (let repeated = 0; ; repeated++) {
    const answer = await once({ ...settings, timeoutMs }, what, deadline).catch(asServiceError);
    if (!(answer instanceof ServiceError)) return answer;
    if (what.goneIsDone && repeated > 0 && answer.code === 'not_found')
      return { status: 204, headers: new Headers(), json: undefined };
    const { retryAfter } = answer;
    const wait =
      retryAfter === undefined ? FIRST_WAIT_MS * 2 ** repeated * (0.5 + Math.random()) : retryAfter * 1_000;
    const inTime = performance.now() + wait < deadline;
    if (repeated >= (what.retries ?? settings.retries) || !inTime || !mayPass(answer)) throw answer;
    await orAborted(() => new Promise(done => setTimeout(done, wait)), what.signal, aborted);
  }
}

async function once(settings: RequestSettings, what: Request, deadline: number): Promise<Answer> {
  const { method, url, headers, json } = what;
  if (what.signal?.aborted) throw aborted(what.signal.reason);
  const { signal, release } = endAfter(Math.max(1, Math.ceil(deadline - performance.now())), what.signal);
  let response: Response;
  let text: string;
  try {
    response = await settings.fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
      redirect: 'error',
      // Some frameworks cache the answers of the global fetch, and would return an old key set or verdict.
      cache: 'no-store',
      signal,
    });
    text = await textOf(response, what.longest ?? LONGEST_ANSWER);
  } catch (cause) {
    if (what.signal?.aborted) throw aborted(what.signal.reason);
    if (!signal.aborted) throw asServiceError(cause);
    throw new ServiceError('unavailable', `The service did not answer within ${settings.timeoutMs} ms.`, {
      cause,
    });
  } finally {
    release();
  }
  const { status, ok } = response;
  const body = parsed(text);
  if (!ok) throw refusalOf(response, body);
  if (body === undefined && status !== 204)
    throw new ServiceError('unexpected_answer', `The answer is not JSON: ${ADDRESS}`, { status });
  return { status, headers: response.headers, json: body };
}

async function textOf(response: Response, longest: number): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > longest) {
      await reader.cancel().catch(() => undefined);
      throw new ServiceError('unexpected_answer', 'The answer is too long to be from the service.', {
        status: response.status,
      });
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service's own error, or one that stands for the answer of a proxy in between. */
function refusalOf(response: Response, body: unknown): ServiceError {
  const { status, headers } = response;
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  const options = {
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (typeof error?.code === 'string' && typeof error.message === 'string')
    // Passed on as it is: a newer service may have codes that this version does not know.
    return new ServiceError(error.code as ServiceErrorCode, error.message, options);
  return status >= 500 || status === 429
    ? new ServiceError('unavailable', `The service, or a proxy in front of it, answered ${status}.`, options)
    : new ServiceError(
        'unexpected_answer',
        `Status ${status} without an error of the service: ${ADDRESS}`,
        options,
      );
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError
    ? error
    : new ServiceError('unavailable', 'The service cannot be reached.', { cause: error });
}

const aborted = (cause: unknown) => new ServiceError('aborted', 'The caller aborted the request.', { cause });

/** Whether repeating the request may help. */
function mayPass({ code, status }: ServiceError): boolean {
  if (status === undefined) return code === 'unavailable';
  return status >= 500 || status === 429;
}
