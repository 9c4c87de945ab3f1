/**
 * Which tokens the service has revoked, so that a verifier need not ask about each. Reads the revocation feed: in the
 * background, where the service holds the answer until there is something, or before a verification. Fails closed: if
 * it could not read for too long, tokens are refused. What was read is kept until the tokens it names have ended, and
 * is never taken back. Held by test/sdk/server-revocations.test.ts and test/sdk/server-revocation-entries.test.ts.
 */
import type { Fields } from '../fields.ts';
import { type CallOptions, orAborted, pause } from './abort.ts';
import { type Ask, queryOf } from './ask.ts';
import type { UserTokenClaims } from './claims.ts';
import { ServiceError, VerificationError } from './errors.ts';
import type { Settings } from './options.ts';

/** How long the service holds an answer. */
const MOST_WAIT_SECONDS = 25;
/** Between two answers in the background, so that many events cost few requests. */
const PAUSE_MS = 500;
/** Without background work: how old what was read may be. */
const FRESH_MS = 5_000;
/** A verification does not try again to read so soon after a failure. */
const RETRY_MS = 2_000;
const FIRST_BACK_OFF_MS = 1_000;
const MOST_BACK_OFF_MS = 30_000;
/** The largest `clockToleranceSeconds`: for so long a token that has ended may be accepted. */
const KEPT_MS = 300_000;
const PRUNE_EVERY_MS = 60_000;
/** In bytes: some 500,000 revocations of an hour. */
const LONGEST_ANSWER = 64_000_000;

export interface Revocations {
  /** @throws VerificationError revoked, revocations_stale */
  check(claims: UserTokenClaims): Promise<void>;
  /** Resolves when everything was read once. @throws ServiceError unauthorized, aborted */
  ready(options?: CallOptions): Promise<void>;
  /** Ends the reading. */
  close(): void;
}

/** @param onAll all tokens were revoked, and perhaps keys with them */
export function createRevocations(
  { maxAgeMs, background }: NonNullable<Settings['revocations']>,
  { ask, now, onAll }: { readonly ask: Ask; readonly now: () => number; readonly onAll: () => void },
): Revocations {
  /** When the last token ends, by its id. */
  const tokens = new Map<string, number>();
  const users = new Map<string, { readonly before: number; readonly expiresAt: number }>();
  let allBefore = 0;
  let after: string | undefined;
  let readAt: number | null = null;
  let prunedAt = 0;
  let failure: { readonly at: number; readonly error: unknown } | null = null;
  let reading: Promise<unknown> | null = null;
  const closing = new AbortController();

  const isSince = (time: number | null, ms: number) =>
    time !== null && (ms === Number.POSITIVE_INFINITY || (now() >= time && now() - time <= ms));

  /** @returns the error; null: it was read */
  async function read(wait: number): Promise<unknown> {
    const began = now();
    const path = `/v1/revocations${queryOf({ after, wait: wait || undefined })}`;
    const how = { longest: LONGEST_ANSWER, signal: closing.signal };
    try {
      keep(await ask('GET', path, wait > 0 ? { ...how, heldMs: 1_000 * wait, retries: 0 } : how));
      // An answer that was held is made at the end.
      readAt = wait > 0 ? now() : began;
      failure = null;
    } catch (error) {
      failure = { at: now(), error };
      // The service was set up anew: from the beginning.
      if (codeOf(error) === 'invalid_request') after = undefined;
    }
    return failure?.error ?? null;
  }

  /** Shared by all who need it at the same time. */
  function readNow(): Promise<unknown> {
    reading ??= read(0).finally(() => {
      reading = null;
    });
    return reading;
  }

  function keep(body: Fields): void {
    let isAll = false;
    for (const one of body.list('revocations')) {
      const kind = one.text('kind');
      // A newer service may have others.
      if (!['token', 'user', 'all'].includes(kind)) continue;
      const expiresAt = one.time('expires_at').getTime();
      if (kind === 'token') {
        tokens.set(one.text('jti'), expiresAt);
        continue;
      }
      const before = one.time('issued_before').getTime();
      if (kind === 'all') {
        isAll ||= before > allBefore;
        allBefore = Math.max(allBefore, before);
      } else {
        const id = one.text('user_id');
        if (before > (users.get(id)?.before ?? 0)) users.set(id, { before, expiresAt });
      }
    }
    after = body.text('next_after');
    if (isAll) onAll();
    // By both clocks, because either may be ahead.
    prune(Math.min(body.time('as_of').getTime(), now()) - KEPT_MS);
  }

  function prune(before: number): void {
    if (Math.abs(before - prunedAt) < PRUNE_EVERY_MS) return;
    prunedAt = before;
    for (const [jti, expiresAt] of tokens) if (expiresAt <= before) tokens.delete(jti);
    for (const [id, { expiresAt }] of users) if (expiresAt <= before) users.delete(id);
  }

  function isRevoked({ jti, sub, iat }: UserTokenClaims): boolean {
    return tokens.has(jti) || iat * 1_000 < Math.max(allBefore, users.get(sub)?.before ?? 0);
  }

  async function follow(): Promise<void> {
    // Twice within the age that is accepted.
    const wait = Math.min(MOST_WAIT_SECONDS, Math.floor(maxAgeMs / 2_000));
    for (let failures = 0; !closing.signal.aborted; ) {
      const error = await (readAt === null || failures > 0 ? readNow() : read(wait));
      failures = error === null ? 0 : failures + 1;
      await pause(error === null ? PAUSE_MS : backOff(failures, error), closing.signal);
    }
  }

  if (background) void follow();

  return {
    async check(claims) {
      const fresh = background ? maxAgeMs : Math.min(FRESH_MS, maxAgeMs);
      const isDue = !isSince(readAt, fresh) && !isSince(failure?.at ?? null, RETRY_MS);
      if (isDue && !closing.signal.aborted) await readNow();
      if (maxAgeMs !== Number.POSITIVE_INFINITY && !isSince(readAt, maxAgeMs)) throw stale(failure?.error);
      if (isRevoked(claims)) throw new VerificationError('revoked');
    },

    async ready({ signal } = {}) {
      for (let failures = 0; readAt === null; ) {
        const error = await orAborted(readNow, signal, aborted);
        if (error === null) return;
        if (codeOf(error) === 'unauthorized' || closing.signal.aborted) throw error;
        failures += 1;
        await orAborted(() => pause(backOff(failures, error), closing.signal, true), signal, aborted);
      }
    },

    close: () => closing.abort(),
  };
}

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : null);

const aborted = (cause: unknown) => new ServiceError('aborted', 'The caller aborted the call.', { cause });

function stale(cause: unknown): VerificationError {
  const retryAfter = cause instanceof ServiceError ? cause.retryAfter : undefined;
  return new VerificationError('revocations_stale', { cause, retryAfter });
}

function backOff(failures: number, error: unknown): number {
  const asked = error instanceof ServiceError ? error.retryAfter : undefined;
  if (asked !== undefined) return Math.min(asked * 1_000, MOST_BACK_OFF_MS);
  return Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), MOST_BACK_OFF_MS) * (0.5 + Math.random() / 2);
}
