/** What the contract's tests of the portal's operators begin with. */
import type { LinkRecord, NewSession, PasskeyRecord, Redeeming, Store } from '../../src/ports/store.ts';
import { NOW } from './fixtures.ts';

export const MINUTE = 60_000;
export const IDLE = NOW - 60 * MINUTE;
export const ADA = 'ada@mail.example';
export const AT_ONCE = 50;

export const link = (change: Partial<LinkRecord & { hash: string }> = {}) => ({
  id: 'lnk_1',
  hash: 'hash_1',
  email: null,
  operatorId: null,
  teamId: null,
  role: null,
  makesAdmin: false,
  madeBy: 'command line',
  createdAt: NOW,
  expiresAt: NOW + 30 * MINUTE,
  ...change,
});

export const redeeming = (change: Partial<Redeeming> = {}): Redeeming => ({
  hash: 'hash_1',
  now: NOW + 1,
  signedIn: null,
  newId: 'opr_new',
  name: 'Ada',
  email: ADA,
  ...change,
});

export const session = (change: Partial<NewSession> = {}): NewSession => ({
  id: 'ses_1',
  hash: 'cookie_1',
  secretHash: 'secret_1',
  operatorId: 'opr_ada',
  means: 'link',
  beganAt: NOW,
  steppedUpAt: NOW,
  seenAt: NOW,
  endsAt: NOW + 720 * MINUTE,
  ip: '192.0.2.1',
  userAgent: 'Browser/1',
  ...change,
});

export const passkey = (change: Partial<PasskeyRecord> = {}): PasskeyRecord => ({
  id: 'psk_1',
  operatorId: 'opr_ada',
  credentialId: 'credential_1',
  publicKey: new Uint8Array([1, 2, 3]),
  counter: 0,
  transports: ['internal', 'hybrid'],
  label: 'Laptop',
  createdAt: NOW,
  lastUsedAt: null,
  ...change,
});

/** Creates an operator, as every one is: by a link. */
export async function operator(store: Store, name: string, { makesAdmin = false } = {}) {
  const id = `opr_${name}`;
  await store.createLink(link({ id: `lnk_${name}`, hash: `hash_${name}`, makesAdmin }));
  const email = `${name}@mail.example`;
  const redeemed = await store.redeemLink(redeeming({ hash: `hash_${name}`, newId: id, name, email }));
  if (redeemed.outcome !== 'ok') throw new Error(redeemed.outcome);
  return redeemed.operator;
}

export const linkBy = async (store: Store, hash: string) => (await store.listLinks({ hash }, NOW))[0] ?? null;
