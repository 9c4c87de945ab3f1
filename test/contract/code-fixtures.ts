/** Codes that the contract's tests store and try. A hash is any text here: the store only compares. */
import type { CodeAttempt, NewCode, NewEmailChange, Store, Window } from '../../src/ports/store.ts';
import { nextTurn, type TestDatabase } from './engine.ts';
import { LIVE, NOW, TOKEN, UNLIMITED } from './fixtures.ts';

export const LIFETIME = 600_000;
export const WINDOW = 900_000;

/** Failures of one address. */
export function failuresOf(whose: string, change: Partial<Window> = {}): Window {
  return { key: `failures of ${whose}`, limit: 5, length: WINDOW, ...change };
}

/** A window that locks nobody out, where something else is asked. */
export const wide = (whose = 'ana') => failuresOf(whose, { limit: 1_000 });

let codes = 0;

export function newCode(userId: string, change: Partial<NewCode> = {}): NewCode {
  const id = `code_${++codes}`;
  return { id, gallery: LIVE, userId, hash: `hash of ${id}`, expiresAt: NOW + LIFETIME, ...change };
}

export function newChange(
  userId: string,
  email: string,
  change: Partial<NewEmailChange> = {},
): NewEmailChange {
  return { ...newCode(userId), email, lockoutKey: failuresOf(email).key, ...change };
}

export function attempt(hash: string, change: Partial<CodeAttempt> = {}) {
  return {
    gallery: LIVE,
    hash,
    at: NOW + 1,
    lockout: failuresOf('ana'),
    origin: { ip: '192.0.2.4', userAgent: 'Browser/4', liveness: undefined },
    token: TOKEN,
    issuedAt: NOW,
    ...change,
  };
}

/** Tries a code to sign in and tells what came of it. */
export async function tried(
  store: Store,
  userId: string | null,
  hash: string,
  change: Partial<Parameters<Store['useCode']>[0]> = {},
): Promise<string> {
  return (await store.useCode({ ...attempt(hash), userId, auth: UNLIMITED, ...change })).outcome;
}

/** Tries the code of a change of address and tells what came of it. */
export async function confirmed(
  store: Store,
  userId: string,
  hash: string,
  change: Partial<CodeAttempt> = {},
): Promise<string> {
  return (await store.confirmEmailChange({ ...attempt(hash), userId, ...change })).outcome;
}

/** Calls in turn on the store and on a second handle, all at once. */
export async function overTwoHandles<Answer>(
  { db, store }: { db: TestDatabase; store: Store },
  size: number,
  call: (store: Store, i: number) => Promise<Answer>,
): Promise<Answer[]> {
  const other = await db.open();
  await nextTurn();
  return Promise.all(Array.from({ length: size }, (_, i) => call(i % 2 ? other : store, i)));
}
