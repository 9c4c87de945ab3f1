/**
 * Checks the options of `createClient` once. An invalid option is a mistake in the page's code, so it throws a
 * TypeError that names the option and the fix, and never repeats a key. Held by test/sdk/browser-options.test.ts, which
 * also checks that keys have the service's format.
 */
import { PREFIX } from '../../brand.ts';
import type { CaptureFunction, ClientOptions } from './client-types.ts';
import { SetupError } from './errors.ts';
import { ENCODER_ID_RULE, isEncoderId } from './inputs.ts';
import type { FaceEncoder } from './types.ts';

const KEY_PREFIX = { publishable: `${PREFIX}_pk_`, secret: `${PREFIX}_sk_` } as const;
const KEY = new RegExp(`^${KEY_PREFIX.publishable}(live|test)_[0-9A-Za-z]{24}$`);
const TIMEOUT = 15_000;
/** The limit of browser timers. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Checked options. */
export interface Settings {
  readonly publishableKey: string;
  readonly mode: 'live' | 'test';
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly encoder: FaceEncoder | undefined;
  readonly capture: CaptureFunction | undefined;
  readonly timeout: number;
  readonly credentials: 'include' | 'omit';
  readonly firstParty: boolean;
  /** By default it calls the current global `fetch`, even if that is replaced later. */
  readonly fetch: typeof fetch;
}

/** @throws TypeError */
export function settingsOf(options: ClientOptions): Settings {
  if (typeof options !== 'object' || options === null)
    fail('options', 'must be { publishableKey, baseUrl, encoder }');
  const {
    publishableKey,
    baseUrl,
    encoder,
    capture,
    timeout = TIMEOUT,
    firstParty = false,
    fetch: given,
    ...unknown
  } = options;
  const known = { publishableKey, baseUrl, encoder, capture, timeout, firstParty, fetch: given };
  const names = Object.keys(known satisfies Record<keyof ClientOptions, unknown>);
  if (Object.keys(unknown).length > 0)
    import('./near.ts').then(near => near.warnOfUnknown('createClient', unknown, names)).catch(() => {});
  const mode = modeOf(publishableKey);
  if (encoder !== undefined && !isEncoder(encoder))
    fail('encoder', 'must be a FaceEncoder: an object with the functions load, detect and describe');
  if (encoder?.id !== undefined && encoder.id !== '' && !isEncoderId(encoder.id))
    fail('encoder.id', ENCODER_ID_RULE);
  if (capture !== undefined && typeof capture !== 'function') fail('capture', 'must be a function');
  if (typeof timeout !== 'number' || !(timeout > 0 && timeout <= LONGEST_TIMEOUT))
    fail('timeout', 'must be a number of milliseconds above 0');
  if (typeof firstParty !== 'boolean') fail('firstParty', 'must be true or false');
  // Outside a browser there may be no global one.
  if (typeof (given ?? globalThis.fetch) !== 'function') fail('fetch', 'must be a function');
  return {
    ...known,
    mode,
    baseUrl: addressOf(baseUrl),
    credentials: firstParty ? 'include' : 'omit',
    fetch: given ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function modeOf(key: unknown): 'live' | 'test' {
  const wanted = `the publishable key of the app (${KEY_PREFIX.publishable}live_… or ${KEY_PREFIX.publishable}test_…)`;
  if (typeof key !== 'string' || key === '') fail('publishableKey', `must be ${wanted}`);
  if (key.startsWith(KEY_PREFIX.secret))
    fail('publishableKey', `is a secret key: remove it from the page, revoke it, and use ${wanted}`);
  const mode = KEY.exec(key)?.[1];
  if (mode === undefined) fail('publishableKey', `is not a key: use ${wanted}, complete and without spaces`);
  return mode as 'live' | 'test';
}

function addressOf(value: unknown): string {
  const wanted = 'the URL of the service, such as https://signin.example.com';
  if (typeof value !== 'string' && !(value instanceof URL)) fail('baseUrl', `must be ${wanted}`);
  const url = parsed(value);
  if (!url) fail('baseUrl', `must be ${wanted}, including https://`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    fail('baseUrl', 'must start with https:// or http://');
  if (url.username !== '' || url.password !== '') fail('baseUrl', 'must not contain a user name or password');
  if (url.search !== '' || url.hash !== '') fail('baseUrl', 'must not contain a query or fragment');
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/v1$/.test(path)) fail('baseUrl', 'must not end with /v1, because the client adds it');
  return url.origin + path;
}

/** `URL.canParse` is newer than the oldest supported browsers. */
function parsed(value: string | URL): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

function isEncoder(value: unknown): value is FaceEncoder {
  const functions = ['load', 'detect', 'describe'] as const;
  return functions.every(name => typeof (value as FaceEncoder | null)?.[name] === 'function');
}

function fail(option: string, reason: string): never {
  throw new SetupError(`createClient: ${option} ${reason}.`);
}
