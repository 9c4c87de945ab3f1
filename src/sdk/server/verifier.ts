/**
 * Verifies user tokens: offline by the published keys, or online by asking the service, which alone knows of sign-outs and
 * deleted users. Online too, a token has to pass the offline rules that need no clock before it is asked about: what
 * anybody can make up costs no request of the secret key. Takes nothing for granted when it cannot tell: unless told
 * otherwise, no answer is a refusal. Held by test/sdk/server-verify.test.ts and test/sdk/server-online.test.ts.
 */
import { compactVerify } from 'jose';
import { type CallOptions, orAborted } from './abort.ts';
import { type Api, createApi } from './api.ts';
import { checkTime, checkWhose, type VerifiedClaims, verifiedClaims } from './claims.ts';
import { ServiceError, type VerificationCode, VerificationError } from './errors.ts';
import { readToken, type TokenForm } from './form.ts';
import { fetchKeySet } from './jwks.ts';
import { createKeySet } from './keys.ts';
import { settingsOf, type VerifierOptions } from './options.ts';

export interface VerifyOptions extends CallOptions {
  /** For this token, in place of the verifier's own option. */
  readonly requireVerifiedEmail?: boolean | undefined;
}

export interface Verifier extends Pick<Api, 'users' | 'usage' | 'app'> {
  /**
   * What the token says, when it is a good one of this app and mode.
   * @param token the text alone, without "Bearer"
   * @throws VerificationError with a `code`; a token that is no text is `malformed`
   */
  verify(token: string, options?: VerifyOptions): Promise<VerifiedClaims>;
}

/** @throws TypeError when an option is wrong; the message names it */
export function createVerifier(options: VerifierOptions): Verifier {
  const settings = settingsOf(options);
  const { users, usage, app, verifyToken } = createApi(settings);
  const keys = createKeySet(() => fetchKeySet(settings), settings.now);

  async function checkSignature(token: string, { kid }: TokenForm): Promise<void> {
    const key = await keys.find(kid);
    if (!key) throw new VerificationError('signature');
    // Names the algorithm once more: what the header says is never what decides.
    await compactVerify(token, key, { algorithms: ['ES256'] }).catch(cause => {
      throw new VerificationError('signature', { cause });
    });
  }

  async function verifyOffline(token: string, form: TokenForm): Promise<VerifiedClaims> {
    checkTime(form.claims, settings);
    await checkSignature(token, form);
    return verifiedClaims(form.claims, 'offline');
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
      // Without keys a moment ago there are none now: nobody waits for them twice.
      if (unchecked) throw unchecked;
      checkTime(form.claims, settings);
      return verifiedClaims(form.claims, 'offline');
    }
    return verifiedClaims(form.claims, 'online');
  }

  async function askAbout(token: string, { claims }: TokenForm, signal?: AbortSignal): Promise<void> {
    const verdict = await verifyToken(token, { signal }).catch(error => {
      throw error instanceof ServiceError ? unanswered(error) : error;
    });
    if (!verdict.valid) throw new VerificationError(codeOf(verdict.reason));
    // Something on the way that answers for another token must not let this one in.
    if (verdict.sub !== claims.sub || verdict.jti !== claims.jti) throw new VerificationError('unavailable');
  }

  return {
    async verify(token, { requireVerifiedEmail = settings.requireVerifiedEmail, signal } = {}) {
      const form = readToken(token);
      checkWhose(form.claims, settings);
      const check = () => (settings.online ? verifyOnline(token, form, signal) : verifyOffline(token, form));
      // The keys are fetched for all that wait for them: one that gives up does not end that.
      const verified = await orAborted(check, signal, aborted);
      if (requireVerifiedEmail && !verified.emailVerified) throw new VerificationError('email_not_verified');
      return verified;
    },
    users,
    usage,
    app,
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
