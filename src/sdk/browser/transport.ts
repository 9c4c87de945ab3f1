/**
 * Sends one request to the service and handles network errors. It retries only requests that are safe to repeat, at
 * most twice. Requests that enroll, match, or request or verify a code are never retried here, because every attempt
 * takes effect again. Held by test/sdk/browser-transport.test.ts and
 * test/sdk/browser-answers.test.ts.
 */
import { KEY_HEADER_NAME } from '../../brand.ts';
import { FaceSignInError, type FaceSignInErrorCode, isApiCode, isErrorOf, type PlanUse } from './errors.ts';
import type { Settings } from './options.ts';
import { aborted, isOffline, pause } from './thrown.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Starts with `/v1`. */
  readonly path: string;
  /** Sent instead of the publishable key; null sends neither. */
  readonly token?: string | null;
  readonly json?: unknown;
  readonly signal: AbortSignal | undefined;
  /** Whether the request is safe to repeat. */
  readonly repeatable?: boolean;
  /** Whether it goes on when the page is left. */
  readonly keepalive?: boolean;
}

const REPETITIONS = 2;
/** Milliseconds before the first retry, on average. The second waits twice as long. */
const FIRST_PAUSE = 400;
/** The longest Retry-After to wait for, in seconds. */
const SHORT_WAIT = 2;

/** @returns the JSON of a successful response, undefined without a body. @throws FaceSignInError */
export async function send(settings: Settings, call: Call): Promise<unknown> {
  for (let done = 0; ; done++) {
    try {
      return await attempt(settings, call);
    } catch (error) {
      if (!call.repeatable || done === REPETITIONS) throw error;
      const wait = waitBefore(error, done);
      if (wait === null) throw error;
      await pause(wait, call.signal);
    }
  }
}

/** In milliseconds. Null if a retry now is of no use. */
function waitBefore(error: unknown, done: number): number | null {
  const jittered = FIRST_PAUSE * 2 ** done * (0.5 + Math.random());
  if (isErrorOf(error, 'offline')) return isOffline() ? null : jittered;
  const busy = isErrorOf(error, 'service_unavailable');
  if (!busy && !isErrorOf(error, 'rate_limited')) return null;
  if (error.retryAfter === undefined) return busy ? jittered : null;
  // Jitter, so that clients refused at the same moment do not all retry at the same moment.
  return error.retryAfter <= SHORT_WAIT ? error.retryAfter * 1_000 + Math.random() * FIRST_PAUSE : null;
}

async function attempt(settings: Settings, call: Call): Promise<unknown> {
  const { response, text } = await exchange(settings, call);
  let json: unknown;
  try {
    json = text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    if (response.ok) throw unexpected(call, response, 'is not JSON', cause);
  }
  if (!response.ok) throw refusalOf(response, json, call);
  if (json === undefined && response.status !== 204) throw unexpected(call, response, 'is empty');
  return json;
}

async function exchange(settings: Settings, call: Call): Promise<{ response: Response; text: string }> {
  const { signal } = call;
  if (signal?.aborted) throw aborted(signal);
  const stop = new AbortController();
  const end = () => stop.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, settings.timeout);
  signal?.addEventListener('abort', end);
  try {
    const response = await settings.fetch(settings.baseUrl + call.path, {
      method: call.method,
      headers: headersOf(settings, call),
      credentials: settings.credentials,
      cache: 'no-store',
      // A redirected request would lose its body, and might carry a key or token elsewhere.
      redirect: 'error',
      signal: stop.signal,
      keepalive: call.keepalive ?? false,
      ...(call.json !== undefined && { body: JSON.stringify(call.json) }),
    });
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw aborted(signal);
    const at = `${call.method} ${settings.baseUrl}${call.path}`;
    if (late)
      throw new FaceSignInError('timeout', { cause, detail: `${at}: no response in ${settings.timeout} ms` });
    throw new FaceSignInError('offline', { cause, detail: `${at}: ${reachability()}` });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

const reachability = () =>
  isOffline()
    ? 'the device has no network'
    : 'could not be reached. Check that the service runs at baseUrl, without a redirect, and that connect-src allows it';

function headersOf(settings: Settings, { token, json }: Call): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (token === undefined) headers[KEY_HEADER_NAME] = settings.publishableKey;
  else if (token !== null) headers.Authorization = `Bearer ${token}`;
  return headers;
}

function unexpected(call: Call, response: Response, fault: string, cause?: unknown): FaceSignInError {
  const detail = `${call.method} ${call.path}: the response (${response.status}) ${fault}`;
  return new FaceSignInError('unexpected_answer', { cause, detail, status: response.status });
}

/** For proxies, which send no error code, and for newer services, whose code may be unknown. */
const BY_STATUS: Readonly<Record<number, FaceSignInErrorCode>> = {
  413: 'payload_too_large',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal_error',
  502: 'service_unavailable',
  503: 'service_unavailable',
  504: 'service_unavailable',
};

/** The error of an error response, of the service or of a proxy before it. */
function refusalOf(response: Response, json: unknown, call: Call): FaceSignInError {
  const { status, headers } = response;
  const error = envelopeIn(json);
  const known = typeof error.code === 'string' && isApiCode(error.code) ? error.code : undefined;
  const code = meant(known ?? BY_STATUS[status] ?? 'unexpected_answer', call);
  const message = typeof error.message === 'string' ? error.message : 'no error message';
  const named = known === undefined && typeof error.code === 'string' ? ` ${error.code}` : '';
  const retryAfter = secondsIn(headers.get('Retry-After'));
  const requestId = headers.get('X-Request-Id');
  const plan = code === 'plan_limit_reached' ? planIn(error) : undefined;
  return new FaceSignInError(code, {
    detail: `${call.method} ${call.path}: ${status}${named}: ${message}`,
    status,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requestId !== null && { requestId }),
    ...(plan && { plan }),
  });
}

/**
 * If the page's key was sent, these codes are about the page or its settings, not about a person's session or account.
 */
function meant(code: FaceSignInErrorCode, { token }: Call): FaceSignInErrorCode {
  if (token !== undefined) return code;
  if (code === 'unauthorized') return 'key_refused';
  return code === 'not_found' ? 'unexpected_answer' : code;
}

function envelopeIn(json: unknown): Readonly<Record<string, unknown>> {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : null;
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}

const secondsIn = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined);

function planIn({ limit, used, resets_at }: Readonly<Record<string, unknown>>): PlanUse | undefined {
  const resetsAt = new Date(typeof resets_at === 'string' ? resets_at : Number.NaN);
  if (typeof limit !== 'number' || typeof used !== 'number' || Number.isNaN(resetsAt.getTime()))
    return undefined;
  return { limit, used, resetsAt };
}
