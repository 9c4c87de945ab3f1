/**
 * Converts an error response, of the service or of a proxy before it, into one of the SDK's error codes. Held by
 * test/sdk/browser-answers.test.ts.
 */
import { FaceSignInError, type FaceSignInErrorCode, isApiCode, type PlanUse } from './errors.ts';

interface Refused {
  readonly method: string;
  readonly path: string;
  readonly token?: string | null;
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

export function refusalOf(response: Response, json: unknown, call: Refused): FaceSignInError {
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
function meant(code: FaceSignInErrorCode, { token }: Refused): FaceSignInErrorCode {
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
