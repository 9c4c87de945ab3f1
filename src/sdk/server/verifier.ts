/**
 * Verifies user tokens: offline with the published keys, and if wanted with the revocations that the service tells of,
 * or online by asking the service. Before it asks, a token must pass the offline rules that need no clock, so that
 * made-up tokens do not use up the requests of the secret key. Fails closed: without an answer it refuses, unless
 * configured otherwise.
 * Held by test/sdk/server-verify.test.ts, test/sdk/server-online.test.ts and test/sdk/server-forgeries.long.test.ts.
 */
import { base64url, compactVerify } from 'jose';
import { type CallOptions, orAborted } from './abort.ts';
import { type Api, createApi } from './api.ts';
import { createAsk } from './ask.ts';
import {
  checkTime,
  checkWhose,
  hasClaims,
  type UserTokenClaims,
  type VerifiedClaims,
  verifiedClaims,
} from './claims.ts';
import { ServiceError, type VerificationCode, VerificationError } from './errors.ts';
import { createEvents, type Events } from './events.ts';
import { createKeySet, fetchKeySet } from './keys.ts';
import { settingsOf, type VerifierOptions } from './options.ts';
import { createRevocations } from './revocations.ts';

export interface VerifyOptions extends CallOptions {
  /** For this token, instead of the verifier's option. */
  readonly requireVerifiedEmail?: boolean | undefined;
}

export interface Verifier extends Pick<Api, 'users' | 'usage' | 'app'> {
  /**
   * The claims of the token, if it is valid for this app and mode.
   * @param token only the token, without "Bearer"
   * @throws VerificationError with a `code`; anything but a string is `malformed`
   */
  verify(token: string, options?: VerifyOptions): Promise<VerifiedClaims>;
  /** What happened to the users of the app, in the mode of the verifier. Needs `secretKey`. */
  readonly events: Events;
  /**
   * With `revocations`: resolves when they were read for the first time. Tries again while the service is down.
   * @throws ServiceError unauthorized, if the service does not know the secret key; aborted
   */
  ready(options?: CallOptions): Promise<void>;
  /** With `revocations`: ends the reading, which otherwise keeps a program running for up to 25 seconds. */
  close(): void;
}

/** @throws TypeError that names the invalid option */
export function createVerifier(options: VerifierOptions): Verifier {
  const settings = settingsOf(options);
  const ask = createAsk(settings);
  const { users, usage, app, verifyToken } = createApi(ask);
  const keys = createKeySet(() => fetchKeySet(settings), settings.now);
  const revocations =
    settings.revocations &&
    createRevocations(settings.revocations, { ask, now: settings.now, onAll: keys.expire });

  async function checkSignature(token: string, { kid }: TokenForm): Promise<void> {
    const key = await keys.find(kid);
    if (!key) throw new VerificationError('signature');
    // Names the algorithm again, because the header must never decide.
    await compactVerify(token, key, { algorithms: ['ES256'] }).catch(cause => {
      throw new VerificationError('signature', { cause });
    });
  }

  /** All but the signature. */
  async function checkOffline({ claims }: TokenForm): Promise<VerifiedClaims> {
    checkTime(claims, settings);
    await revocations?.check(claims);
    return verifiedClaims(claims, revocations ? 'feed' : 'offline');
  }

  async function verifyOffline(token: string, form: TokenForm): Promise<VerifiedClaims> {
    // First, because with all tokens the service may have revoked the key of this one.
    const verified = await checkOffline(form);
    await checkSignature(token, form);
    return verified;
  }

  async function verifyOnline(token: string, form: TokenForm, signal?: AbortSignal): Promise<VerifiedClaims> {
    const unchecked = await checkSignature(token, form).catch(error => {
      if (error.code !== 'keys_unavailable') throw error;
      return error;
    });
    try {
      await askAbout(token, form, signal);
    } catch (error) {
      if (!settings.fallsBack || !isUnanswered(error)) throw error;
      // There were no keys a moment ago, so do not wait for them again.
      if (unchecked) throw unchecked;
      return checkOffline(form);
    }
    return verifiedClaims(form.claims, 'online');
  }

  async function askAbout(token: string, { claims }: TokenForm, signal?: AbortSignal): Promise<void> {
    const verdict = await verifyToken(token, { signal }).catch(error => {
      throw error instanceof ServiceError ? unanswered(error) : error;
    });
    if (!verdict.valid) throw new VerificationError(codeOf(verdict.reason));
    // A cache on the way that answers for another token must not let this one in.
    if (verdict.sub !== claims.sub || verdict.jti !== claims.jti) throw new VerificationError('unavailable');
  }

  return {
    async verify(token, { requireVerifiedEmail = settings.requireVerifiedEmail, signal } = {}) {
      const form = readToken(token);
      checkWhose(form.claims, settings);
      const check = () => (settings.online ? verifyOnline(token, form, signal) : verifyOffline(token, form));
      // The fetch of the keys is shared: one caller that aborts must not stop it.
      const verified = await orAborted(check, signal, aborted);
      if (requireVerifiedEmail && !verified.emailVerified) throw new VerificationError('email_not_verified');
      return verified;
    },
    users,
    usage,
    app,
    events: createEvents(ask),
    ready: async options => revocations?.ready(options),
    close: () => revocations?.close(),
  };
}

const REASONS: ReadonlySet<unknown> = new Set<VerificationCode>([
  'expired',
  'revoked',
  'user_not_found',
  'mode_mismatch',
]);

const aborted = (cause: unknown) => new VerificationError('aborted', { cause });

const codeOf = (reason: unknown) => (REASONS.has(reason) ? (reason as VerificationCode) : 'invalid');

function unanswered(cause: ServiceError): VerificationError {
  const { code, retryAfter } = cause;
  const known = code === 'unauthorized' || code === 'rate_limited';
  return new VerificationError(known ? code : 'unavailable', { cause, retryAfter });
}

function isUnanswered(error: unknown): boolean {
  return error instanceof VerificationError && ['unavailable', 'rate_limited'].includes(error.code);
}

/** In characters. The service's own tokens have about 700, of which 110 are the header. */
const LONGEST = 8_192;
const LONGEST_HEADER = 1_024;
/** The last character of a 64-byte signature has only two significant bits. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

interface TokenForm {
  readonly kid: string;
  readonly claims: UserTokenClaims;
}

/**
 * Reads the text of a token: its length, its three parts in canonical base64url, and what its header and claims must
 * contain. Decodes nothing of a text that is too long. The header never decides about the algorithm or the keys: `alg`
 * must be ES256, `kid` names a key of the published set, `crit` is refused, and every other member (`jwk`, `jku`,
 * `x5c`, …) is ignored.
 * @throws VerificationError malformed
 */
function readToken(token: unknown): TokenForm {
  if (typeof token !== 'string' || token.length > LONGEST || !FORM.test(token)) throw malformed();
  const [head = '', body = ''] = token.split('.');
  if (head.length > LONGEST_HEADER) throw malformed();
  const header = objectOf(head);
  const { alg, kid, crit } = header;
  if (alg !== 'ES256' || typeof kid !== 'string' || crit !== undefined) throw malformed();
  const claims = objectOf(body);
  if (!hasClaims(claims)) throw malformed();
  return { kid, claims };
}

/** The JSON object of a part, which must be in canonical base64url. */
function objectOf(part: string): Record<string, unknown> {
  const value = parsed(part);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Record<string, unknown>;
}

function parsed(part: string): unknown {
  try {
    const bytes = base64url.decode(part);
    if (base64url.encode(bytes) !== part) return null;
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // Not kept as a cause: the errors of JSON.parse quote its input.
    return null;
  }
}

const malformed = () => new VerificationError('malformed');
