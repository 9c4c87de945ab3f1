/**
 * What a client knows of one account: how it has to be after everything that was answered, and, when the last request
 * went unanswered, how it may be instead. Nothing in between is allowed.
 */
import type { SyntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { decoded } from '../../support/client.ts';
import { towards } from '../../support/me.ts';

const MOST_TEMPLATES = 10;
const LEARNED_AT = 0.3;
/** Beyond the threshold of every enrolled template, and near to the learned one. */
const PROBE_AT = 0.45;
/** Codes live for ten minutes, tokens for an hour: what is older proves nothing. */
export const CODE_GOOD_MS = 8 * 60_000;
export const TOKEN_GOOD_MS = 45 * 60_000;

/** Events that are left by each kind of request that the person is known by. */
export type EventType = 'enroll' | 'match' | 'email_code' | 'email_changed' | 'templates_added';

export interface Account {
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  /** Variants that were learned, oldest first. */
  readonly learned: readonly number[];
  readonly events: Readonly<Record<EventType, number>>;
  readonly revoked: readonly string[];
  /** Whether a first code has ended all tokens from before it. */
  readonly unprovenEnded: boolean;
  /** Or those that were issued before this second: by a first change of the address. */
  readonly unprovenBefore: number;
  /** A time before the last sign-in. */
  readonly signedInAt: number | null;
  /** The pending code; `?`: whether there is one, and which, is not known. */
  readonly code: { readonly digits: string; readonly at: number } | null | '?';
}

export interface Token {
  readonly text: string;
  readonly jti: string;
  readonly at: number;
  /** Whether it says that the address is proven. */
  readonly proven: boolean;
  /** In seconds. */
  readonly iat: number;
  /** Whether an event names it: templates are added without one. */
  readonly isTold: boolean;
}

export interface Person {
  /** Two faces belong to each person, so that every enrolled template can be found by itself. */
  readonly number: number;
  readonly descriptors: number;
  /** Null until an answer, or the database, has told it. */
  id: string | null;
  standing: 'coming' | 'here' | 'gone' | 'absent' | 'lost';
  account: Account;
  /** How it is when the unanswered request took effect. */
  doubt: Account | 'gone' | null;
  tokens: Token[];
  readonly usedCodes: { email: string; digits: string }[];
  /** Every email and name of the person: none may be left after an erasure. */
  readonly marks: string[];
  /** Kept below the limits of an hour. */
  codeRequests: number;
  wrongCodes: number;
  changes: number;
  nextVariant: number;
  /** The cycle in which something happened to the person. */
  touched: number;
}

const NO_EVENTS = { enroll: 1, match: 0, email_code: 0, email_changed: 0, templates_added: 0 };

export function newPerson(number: number, descriptors: number, email: string, name: string): Person {
  const account = { email, name, verified: false, learned: [], events: NO_EVENTS };
  return {
    number,
    descriptors,
    id: null,
    standing: 'coming',
    account: {
      ...account,
      revoked: [],
      unprovenEnded: false,
      unprovenBefore: 0,
      signedInAt: null,
      code: null,
    },
    doubt: null,
    tokens: [],
    usedCodes: [],
    marks: [email, name],
    codeRequests: 0,
    wrongCodes: 0,
    changes: 0,
    nextVariant: 0,
    touched: 0,
  };
}

/** Whether this request may be made of the person now. */
export const isFree = (person: Person) => person.standing === 'here' && person.doubt === null;

export function withEvent(account: Account, type: EventType): Account {
  return { ...account, events: { ...account.events, [type]: account.events[type] + 1 } };
}

/** The oldest learned one goes first, an enrolled one never. */
export function withLearned(person: Person, variants: readonly number[]): Account {
  const learned = [...person.account.learned, ...variants].slice(person.descriptors - MOST_TEMPLATES);
  return withEvent({ ...person.account, learned }, 'templates_added');
}

export function addToken(person: Person, text: string, isTold = true): void {
  const { jti, iat, email_verified: proven } = decoded(text).claims;
  person.tokens.push({ text, jti, iat, at: Date.now(), proven, isTold });
}

export function goodTokens({ tokens, account }: Person): Token[] {
  const since = Date.now() - TOKEN_GOOD_MS;
  return tokens.filter(token => token.at > since && !isRevoked(account, token));
}

export function isRevoked(account: Account, { jti, proven, iat }: Token): boolean {
  const isEnded = account.unprovenEnded || iat < account.unprovenBefore;
  return account.revoked.includes(jti) || (isEnded && !proven);
}

export function enrolledFaces(faces: SyntheticFaces, { number, descriptors }: Person): number[][] {
  return Array.from({ length: descriptors }, (_, n) => faces.genuine(2 * number + n));
}

/** What only the n-th enrolled template answers to. */
export function enrolledProbe(faces: SyntheticFaces, { number }: Person, n: number): number[] {
  return faces.genuine(2 * number + n, 1);
}

export function learnedFace(faces: SyntheticFaces, { number }: Person, variant: number): number[] {
  return faces.atDistance(2 * number, LEARNED_AT, variant);
}

/** What only this learned template answers to. */
export function learnedProbe(faces: SyntheticFaces, person: Person, variant: number): number[] {
  return towards(faces.genuine(2 * person.number), learnedFace(faces, person, variant), PROBE_AT);
}
