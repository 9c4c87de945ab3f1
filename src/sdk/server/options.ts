/**
 * The options of a verifier, checked when it is created. An invalid one throws a TypeError that names the option and
 * the fix, never the value. Refuses what would silently weaken verification: an unknown option, and a `secretKey` that
 * is undefined, as from an environment variable that is not set. Held by test/sdk/server-options.test.ts.
 */
import { PREFIX } from '../../brand.ts';
import type { Mode } from '../../protocol/mode.ts';

export interface VerifierOptions {
  /**
   * Public address of the service, the same as its setting `BASE_URL`: `https://face.example`. Undefined is refused, as
   * from an environment variable that is not set.
   */
  readonly issuer: string | undefined;
  /** The id of your app: `app_` and 24 characters. Undefined is refused. */
  readonly appId: string | undefined;
  /** The mode of the keys in your page. Tokens of the other mode are refused. */
  readonly mode: Mode;
  /**
   * A secret key of this app and mode. With it, tokens are verified online, unless `verification` says otherwise. Omit
   * it to verify offline. Undefined is refused, because it usually means an environment variable that is not set.
   */
  readonly secretKey?: string | undefined;
  /**
   * `online` asks the service about every token, and so detects sign-outs and deleted users. `offline` does not ask.
   * Default: `online` if there is a secret key and no `revocations`, else `offline`.
   */
  readonly verification?: 'online' | 'offline' | undefined;
  /**
   * What to do if an online verification gets no answer. `refuse` (default): it fails. `offline`: it falls back to the
   * offline rules, which cannot detect sign-outs and deleted users.
   */
  readonly whenUnavailable?: 'refuse' | 'offline' | undefined;
  /**
   * Reads from the service which tokens are revoked, so that offline verification detects sign-outs and deleted users,
   * within two seconds. Needs `secretKey`. Default: false.
   */
  readonly revocations?: boolean | RevocationOptions | undefined;
  /** Refuse users whose address has never been verified by a code. Default: false. */
  readonly requireVerifiedEmail?: boolean | undefined;
  /** Whole seconds that your clock and the service's may differ, 0 to 300. Default: 10. */
  readonly clockToleranceSeconds?: number | undefined;
  /** Milliseconds that a request to the service may take, including retries, 100 to 60,000. Default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** How often to repeat a request after no answer, a 5xx or a 429; 0 to 5. Default: 2. */
  readonly retries?: number | undefined;
  /**
   * Allows `http://` beyond this machine for `issuer`, and beyond your own network for the others. Whoever is on the
   * way can then replace the public keys, sign in as anybody, and read the secret key. Default: false.
   */
  readonly allowHttp?: boolean | undefined;
  /** Where to reach the service, if not at `issuer`: an address inside your network. */
  readonly baseUrl?: string | undefined;
  /** Where the public keys are, if not at `/.well-known/jwks.json` of `baseUrl`. */
  readonly jwksUrl?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The time in milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined;
}

export interface RevocationOptions {
  /**
   * Refuse tokens (`revocations_stale`) while nothing could be read for longer than this: 5 to 86,400 whole seconds, or
   * `Infinity` to accept what is not known to be revoked. Default: 300.
   */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * False where nothing runs between requests, as in workers and edge functions: a verification then reads first what
   * is new, if it has not been read for 5 seconds. Default: true, until `close()`.
   */
  readonly background?: boolean | undefined;
}

export interface Settings {
  readonly issuer: string;
  readonly appId: string;
  readonly mode: Mode;
  readonly secretKey: string | null;
  readonly online: boolean;
  readonly fallsBack: boolean;
  readonly revocations: { readonly maxAgeMs: number; readonly background: boolean } | null;
  readonly requireVerifiedEmail: boolean;
  readonly toleranceMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly baseUrl: string;
  readonly jwksUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
}

const KNOWN: Readonly<Record<keyof VerifierOptions, true>> = {
  issuer: true,
  appId: true,
  mode: true,
  secretKey: true,
  verification: true,
  whenUnavailable: true,
  revocations: true,
  requireVerifiedEmail: true,
  clockToleranceSeconds: true,
  timeoutMs: true,
  retries: true,
  allowHttp: true,
  baseUrl: true,
  jwksUrl: true,
  fetch: true,
  now: true,
};

/** @throws TypeError that names the option and the fix */
export function settingsOf(options: VerifierOptions): Settings {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createVerifier takes an object of options: { issuer, appId, mode }.');
  onlyKnown(options, KNOWN, '');
  const allowHttp = flagOf('allowHttp', options.allowHttp);
  const address = (name: 'issuer' | 'baseUrl' | 'jwksUrl') => addressOf(name, options[name], allowHttp);
  const issuer = address('issuer');
  const mode = oneOf('mode', options.mode, ['live', 'test']);
  if (typeof options.appId !== 'string' || !/^app_[0-9A-Za-z_]+$/.test(options.appId))
    throw new TypeError(
      `appId: ${unset(options.appId)}give the id of your app, "app_" and 24 characters, as "app list" shows it.`,
    );
  const secretKey = secretKeyOf(options, mode);
  const revocations = revocationsOf(options.revocations);
  if (revocations && !secretKey) throw new TypeError('revocations: they are read with the option secretKey.');
  const usual = secretKey && !revocations ? 'online' : 'offline';
  const verification = oneOf('verification', options.verification ?? usual, ['online', 'offline']);
  if (verification === 'online' && !secretKey)
    throw new TypeError('verification: "online" needs the option secretKey.');
  const fallback = oneOf('whenUnavailable', options.whenUnavailable ?? 'refuse', ['refuse', 'offline']);
  if (revocations && verification === 'online' && fallback === 'refuse')
    throw new TypeError(
      'revocations: "online" asks about every token. Leave one of the two out, or set whenUnavailable: "offline".',
    );
  const baseUrl = options.baseUrl === undefined ? issuer : address('baseUrl');
  return {
    issuer,
    appId: options.appId,
    mode,
    secretKey,
    online: verification === 'online',
    fallsBack: fallback === 'offline',
    revocations,
    requireVerifiedEmail: flagOf('requireVerifiedEmail', options.requireVerifiedEmail),
    toleranceMs: 1_000 * wholeOf('clockToleranceSeconds', options.clockToleranceSeconds ?? 10, 0, 300),
    timeoutMs: wholeOf('timeoutMs', options.timeoutMs ?? 5_000, 100, 60_000),
    retries: wholeOf('retries', options.retries ?? 2, 0, 5),
    baseUrl,
    jwksUrl: options.jwksUrl === undefined ? `${baseUrl}/.well-known/jwks.json` : address('jwksUrl'),
    fetch: functionOf('fetch', options.fetch ?? ((input, init) => globalThis.fetch(input, init))),
    now: functionOf('now', options.now ?? Date.now),
  };
}

function onlyKnown(options: object, known: object, of: string): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      throw new TypeError(`There is no option "${of}${name}". Known are: ${Object.keys(known).join(', ')}.`);
}

function revocationsOf(option: VerifierOptions['revocations']): Settings['revocations'] {
  if (option === undefined || option === false) return null;
  const given = option === true ? {} : option;
  if (typeof given !== 'object' || given === null)
    throw new TypeError('revocations: give true, or an object such as { maxAgeSeconds: 60 }.');
  onlyKnown(given, { maxAgeSeconds: true, background: true }, 'revocations.');
  const { maxAgeSeconds = 300, background = true } = given;
  return {
    maxAgeMs:
      maxAgeSeconds === Number.POSITIVE_INFINITY
        ? maxAgeSeconds
        : 1_000 * wholeOf('revocations.maxAgeSeconds', maxAgeSeconds, 5, 86_400),
    background: flagOf('revocations.background', background),
  };
}

function secretKeyOf(options: VerifierOptions, mode: Mode): string | null {
  if (!('secretKey' in options)) return null;
  const { secretKey } = options as { secretKey: unknown };
  const make = `make one by "key create --type secret --mode ${mode}"`;
  if (typeof secretKey !== 'string' || secretKey === '')
    throw new TypeError(
      `secretKey: it is empty. Is the environment variable set? Leave the option out to verify offline, or ${make}.`,
    );
  const form = new RegExp(`^${PREFIX}_(sk|pk)_(live|test)_[0-9A-Za-z]+$`);
  const [, kind, of] = form.exec(secretKey) ?? [];
  if (kind === 'pk')
    throw new TypeError(`secretKey: this is a publishable key, which belongs in the page; ${make}.`);
  if (of !== undefined && of !== mode)
    throw new TypeError(`secretKey: this is a ${of} key, but the option mode is "${mode}"; ${make}.`);
  if (!new RegExp(`^${PREFIX}_sk_${mode}_[0-9A-Za-z]{32}$`).test(secretKey))
    throw new TypeError(`secretKey: give "${PREFIX}_sk_${mode}_" and 32 characters; ${make}.`);
  return secretKey;
}

const unset = (value: unknown) =>
  value === undefined || value === '' ? 'it is empty. Is the environment variable set? Or ' : '';

/** Names that only this machine answers, in the spelling of `URL`. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
/** A private address, or a name without a dot, as of a container or a host in the same network. */
const OWN_NETWORK =
  /^([^.:]+|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[f[cd][\da-f]{2}:.*\])$/;

/** An https address without a trailing slash; http where nobody else is on the way. */
function addressOf(name: string, value: unknown, allowHttp: boolean): string {
  const fault = new TypeError(
    `${name}: ${unset(value)}give an address such as "https://face.example", without user, query or fragment.`,
  );
  if (typeof value !== 'string' || !URL.canParse(value) || /[\s?#\\]/.test(value)) throw fault;
  const url = new URL(value);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw fault;
  const isNear = LOOPBACK.test(url.hostname) || (name !== 'issuer' && OWN_NETWORK.test(url.hostname));
  if (url.protocol === 'http:' && !isNear && !allowHttp)
    throw Object.assign(
      new TypeError(
        `${name}: use https. By http, whoever is on the way can replace the public keys and sign in as anybody. Only ` +
          `${name === 'issuer' ? 'localhost' : 'localhost and your own network'} may use http, or set allowHttp: true.`,
      ),
      { code: 'http_not_allowed' },
    );
  return value.replace(/\/+$/, '');
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  throw new TypeError(`${name}: give ${allowed.map(one => `"${one}"`).join(' or ')}.`);
}

function flagOf(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new TypeError(`${name}: give true or false.`);
}

function wholeOf(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw new TypeError(
    `${name}: give a whole number from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}.`,
  );
}

function functionOf<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name}: give a function.`);
}
