/**
 * The client of the internal API. A session that is over and an action that needs a passkey again open a dialog; then
 * the request is repeated, so pages never lose what was typed. Held by test/browser/portal-flow.test.ts and
 * test/browser/portal-states.test.ts.
 */
import type { PortalErrorCode } from '../../../protocol/portal/errors.ts';
import { ABOUT } from './about.ts';
import { askOtherTabs, secret } from './secret.ts';
import { store } from './store.ts';

export type FaultCode = PortalErrorCode | 'offline';

export class Fault extends Error {
  readonly code: FaultCode;
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(code: FaultCode, message: string, status = 0, answer?: Response) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = answer?.headers.get('X-Request-Id') ?? null;
    this.retryAfter = Number(answer?.headers.get('Retry-After')) || null;
  }
}

/** Set by the shell. Each resolves to whether the request should be repeated. */
export const gates = {
  signIn: async (): Promise<boolean> => false,
  stepUp: async (): Promise<boolean> => false,
};

/** Whether the service has not answered, or said that it cannot. */
export const trouble = store(false);

export interface Options {
  /** Opens no dialog: for polling, and for what signs in itself. */
  readonly quiet?: boolean;
  /** The answer is a file, and is returned as it is. */
  readonly isFile?: boolean;
  readonly signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function call<T>(method: Method, path: string, body?: object, options: Options = {}): Promise<T> {
  let steps = 0;
  for (;;) {
    const used = secret();
    try {
      return await send<T>(method, path, body, options);
    } catch (thrown) {
      if (!(thrown instanceof Fault) || steps > 1) throw thrown;
      steps++;
      if (thrown.code === 'unauthorized' && (await recovered(used, options))) continue;
      if (thrown.code === 'step_up_required' && !options.quiet && (await gates.stepUp())) continue;
      throw thrown;
    }
  }
}

async function recovered(used: string | null, { quiet }: Options): Promise<boolean> {
  // Another tab has signed in since.
  if (used !== secret()) return true;
  if (used !== null && (await askOtherTabs())) return true;
  return !quiet && gates.signIn();
}

async function send<T>(method: Method, path: string, body: object | undefined, options: Options): Promise<T> {
  const own = secret();
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`/internal/${path}`, {
      method,
      headers: {
        ...(own === null ? {} : { [ABOUT.secretHeader]: own }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
      cache: 'no-store',
      redirect: 'error',
    });
    text = await answer.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    trouble.set(true);
    throw new Fault('offline', '');
  }
  const json = options.isFile && answer.ok ? null : parsed(text);
  if (answer.status === 503) trouble.set(true);
  if (answer.ok) return (options.isFile ? text : json) as T;
  const error = (json as { error?: { code?: string; message?: string } } | null)?.error;
  throw new Fault(
    (error?.code as FaultCode | undefined) ?? 'internal_error',
    error?.message ?? '',
    answer.status,
    answer,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const get = <T>(path: string, options?: Options) => call<T>('GET', path, undefined, options);
export const post = <T>(path: string, body: object = {}, options?: Options) =>
  call<T>('POST', path, body, options);
export const patch = <T>(path: string, body: object) => call<T>('PATCH', path, body);
/** Asks for a file and lets the browser save it. */
export async function save(path: string, name: string, type: string): Promise<void> {
  const text = await call<string>('GET', path, undefined, { isFile: true });
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const del = <T>(path: string, body?: object) => call<T>('DELETE', path, body);
