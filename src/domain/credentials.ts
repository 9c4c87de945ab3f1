/**
 * Step 1 of every request: credential, then Origin, from the headers alone. A key of the wrong kind is no credential.
 * Keys are looked up by a hash, of which the store makes a keyed one: nothing about a key can be learned from how long it takes.
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
  deps: Pick<Deps, 'store' | 'guestCredential'>,
  type: KeyType,
  key: string | undefined,
): Promise<Credential> {
  if (!key) throw new Refusal('unauthorized', `The credential is missing. ${EXPECTED[type]}`);
  const credential = FORM[type].test(key) ? await find(deps, keyHash(key)) : null;
  if (credential?.key.type === type) return credential;
  // Told by the form alone: whether there is such a key is not looked up.
  if (type === 'publishable' && FORM.secret.test(key)) {
    throw new Refusal('unauthorized', `This is a secret key. ${EXPECTED[type]}`);
  }
  if (type === 'secret' && FORM.publishable.test(key)) {
    throw new Refusal('unauthorized', `This is a publishable key: it is for pages. ${EXPECTED[type]}`);
  }
  throw new Refusal('unauthorized', `The key is unknown, revoked or of another kind. ${EXPECTED[type]}`);
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
 * The same refusal, which says first that a secret key was in a page. By its form alone: one that is not known here may
 * be good elsewhere.
 * @param keys whatever was sent where keys are
 */
export function warnOfLeak(refusal: Refusal, keys: readonly (string | undefined)[]): Refusal {
  if (!keys.some(key => key !== undefined && FORM.secret.test(key))) return refusal;
  const { code, message, extras } = refusal;
  return new Refusal(code, `${LEAKED} ${message}`, extras);
}

/** For a cookie, which browsers send with the requests of any page: the localhost rule is for keys alone. @throws Refusal origin_not_allowed */
export function requireListedOrigin(app: AppRecord, origin: string | undefined): void {
  if (origin === undefined || !app.allowedOrigins.includes(origin))
    throw new Refusal('origin_not_allowed', originHint(origin, app.id, false));
}

function originHint(origin: string | undefined, appId: string, isTestPage: boolean): string {
  if (origin === undefined) {
    const which = isTestPage
      ? `; a test key takes "Origin: http://localhost:3000".`
      : ', as the app lists it.';
    return `This credential needs the Origin header, which browsers send by themselves. Elsewhere than in a browser send it yourself${which}`;
  }
  const hint = isTestPage
    ? ' A test key also works from http://localhost:PORT and http://127.0.0.1:PORT, with the port written out; https and port 80 have to be listed.'
    : '';
  if (origin === 'null') {
    return `The Origin "null" can never be allowed: serve the page over http or https, not from a file.${hint}`;
  }
  const received = JSON.stringify(origin.slice(0, 300));
  return `The Origin ${received} is not on the app's list: whoever runs the service adds it with "app update ${appId} --origin …", which takes the whole list.${hint}`;
}

function keyForm(type: KeyType): RegExp {
  return new RegExp(`^${PREFIX}_${KEY_TAG[type]}_(?:live|test)_[0-9A-Za-z]{${KEY_LENGTH[type]}}$`);
}
