/**
 * Step 1 of every request: check the credential, then the Origin, from the headers alone. A key of the wrong type is
 * rejected. Keys are looked up by hash, which the store hashes again with a secret key, so response times reveal
 * nothing about a key.
 */
import { hash } from 'node:crypto';
import { KEY_HEADER_NAME, PREFIX } from '../brand.ts';
import type { AppRecord, Credential, KeyType } from '../ports/store.ts';
import type { Deps } from './deps.ts';
import { isLocalhostOrigin } from './origins.ts';
import { Refusal } from './refusal.ts';

export const KEY_LENGTH: Record<KeyType, number> = { secret: 32, publishable: 24 };
export const KEY_TAG: Record<KeyType, string> = { secret: 'sk', publishable: 'pk' };

const FORM: Record<KeyType, RegExp> = { secret: keyForm('secret'), publishable: keyForm('publishable') };

const EXPECTED: Record<KeyType, string> = {
  secret: 'Send a secret key as "Authorization: Bearer <SECRET_KEY>".',
  publishable: `Send a publishable key in the ${KEY_HEADER_NAME} header.`,
};

const LEAKED =
  'A secret key must never be in a page, where anybody can read it: revoke this one, and keep the next one on your server.';

export function keyHash(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** @throws Refusal unauthorized */
export async function authenticate(
  deps: Pick<Deps, 'store' | 'clock' | 'guestCredential'>,
  type: KeyType,
  key: string | undefined,
): Promise<Credential> {
  if (!key) throw new Refusal('unauthorized', `The credential is missing. ${EXPECTED[type]}`);
  const credential = FORM[type].test(key) ? await find(deps, keyHash(key)) : null;
  const endsAt = credential?.key.endsAt ?? null;
  const isOver = endsAt !== null && endsAt <= deps.clock.now();
  if (credential?.key.type === type && !isOver) return credential;
  // Decided by the format alone, without looking the key up.
  if (type === 'publishable' && FORM.secret.test(key)) {
    throw new Refusal('unauthorized', `This is a secret key. ${EXPECTED[type]}`);
  }
  if (type === 'secret' && FORM.publishable.test(key)) {
    throw new Refusal('unauthorized', `This is a publishable key, which is for pages. ${EXPECTED[type]}`);
  }
  throw new Refusal('unauthorized', `The key is unknown, revoked or of the wrong type. ${EXPECTED[type]}`);
}

async function find(
  { store, guestCredential }: Pick<Deps, 'store' | 'guestCredential'>,
  hash: string,
): Promise<Credential | null> {
  return (await guestCredential(hash)) ?? store.findCredential(hash);
}

/** @throws Refusal origin_not_allowed */
export function requireOrigin({ key, app }: Credential, origin: string | undefined): void {
  if (origin === undefined && key.type === 'secret') return;
  if (origin !== undefined && app.allowedOrigins.includes(origin)) return;
  const isTestPage = key.type === 'publishable' && key.mode === 'test';
  if (isTestPage && origin !== undefined && isLocalhostOrigin(origin)) return;
  throw new Refusal('origin_not_allowed', originHint(origin, app.id, isTestPage));
}

/**
 * Returns the same refusal with a warning first if a secret key was sent from a page. This checks only the format,
 * because a key that is unknown here may be valid on another service.
 * @param keys every header value that may hold a key
 */
export function warnOfLeak(refusal: Refusal, keys: readonly (string | undefined)[]): Refusal {
  if (!keys.some(key => key !== undefined && FORM.secret.test(key))) return refusal;
  const { code, message, extras } = refusal;
  return new Refusal(code, `${LEAKED} ${message}`, extras);
}

/**
 * For a cookie, which browsers send with requests from any page: localhost origins are allowed only for keys.
 * @throws Refusal origin_not_allowed
 */
export function requireListedOrigin(app: AppRecord, origin: string | undefined): void {
  if (origin === undefined || !app.allowedOrigins.includes(origin))
    throw new Refusal('origin_not_allowed', originHint(origin, app.id, false));
}

function originHint(origin: string | undefined, appId: string, isTestPage: boolean): string {
  if (origin === undefined) {
    const which = isTestPage
      ? `; a test key accepts "Origin: http://localhost:3000".`
      : ", exactly as on the app's list.";
    return `This credential needs the Origin header, which browsers send automatically. Outside a browser, send it yourself${which}`;
  }
  const hint = isTestPage
    ? " A test key also works from http://localhost:PORT and http://127.0.0.1:PORT, with the port written out; https and port 80 must be on the app's list."
    : '';
  if (origin === 'null') {
    return `The Origin "null" can never be allowed: serve the page over http or https, not from a file.${hint}`;
  }
  const received = JSON.stringify(origin.slice(0, 300));
  return `The Origin ${received} is not on the app's list. The operator of the service adds it in the portal, or with "app add-origin ${appId} ORIGIN".${hint}`;
}

function keyForm(type: KeyType): RegExp {
  return new RegExp(`^${PREFIX}_${KEY_TAG[type]}_(?:live|test)_[0-9A-Za-z]{${KEY_LENGTH[type]}}$`);
}
