/** What a forgery is: how it is made from a good token, and what each judge has to say of it. */
import type { KeyObject } from 'node:crypto';
import type { Chance } from '../support/chance.ts';
import type { Claims, Header } from '../support/token-forge.ts';
import type { Home, Setup } from './setup.ts';

/** `valid`, a reason of /v1/tokens/verify, or status and code of another answer. */
export type Verdict = string;

/** Of a verifier that works offline. `either`: no documented rule speaks of it, and only we could sign it. */
export type Offline = 'refused' | 'accepted' | 'either';

export interface Wanted {
  /** One of these. Unless told: `invalid`. */
  readonly service?: readonly Verdict[];
  /** Of GET /v1/me, one of these. Unless told: `401 unauthorized`. */
  readonly me?: readonly Verdict[];
  /** The documented verifier. Unless told: `refused`. */
  readonly typescript?: Offline;
  /** The server SDK. Unless told: see wantedOfSdk. */
  readonly sdk?: Offline;
}

/** The server SDK is as strict as the service; of what only the service can know it says what the documented verifiers say. */
export function wantedOfSdk({ service = ['invalid'], typescript = 'refused', sdk }: Wanted): Offline {
  const faulty = service.every(verdict => verdict === 'invalid' || verdict.startsWith('400 '));
  return sdk ?? (faulty ? 'refused' : typescript);
}

/** What a forger starts from: a good token, made a moment ago with the service's own key, which is the control. */
export interface Given {
  readonly setup: Setup;
  readonly chance: Chance;
  /** Whose token it is. */
  readonly home: Home;
  readonly header: Header;
  readonly claims: Claims;
  readonly token: string;
  /** Its three parts. */
  readonly parts: readonly [string, string, string];
  /** The 64 bytes of its signature. */
  readonly bytes: Buffer;
  /** Signs by the service's own key unless told. */
  signed(header: Header | string | Buffer, claims: unknown, key?: KeyObject): string;
  /** The same header and claims but for these, signed by the service's own key; undefined leaves one out. */
  resigned(claims: Claims, header?: Header): string;
  /** The same header and claims with another signature. */
  withSignature(signature: Buffer | string): string;
}

export interface Forged {
  readonly token: unknown;
  readonly wants?: Wanted;
}

export type Make = (given: Given) => unknown;

export interface Variant {
  readonly name: string;
  /** Null: not to be made of this token. */
  readonly make: (given: Given) => Forged | null;
  readonly wants: Wanted;
}

export interface Class {
  readonly name: string;
  readonly variants: readonly Variant[];
}

/** A class from a table. A row's own expectations come before those of the class. */
export function classOf(
  name: string,
  wants: Wanted,
  rows: readonly (readonly [name: string, make: Make, wants?: Wanted])[],
): Class {
  return {
    name,
    variants: rows.map(([row, make, own]) => ({
      name: row,
      make: given => {
        const token = make(given);
        return token === null ? null : { token };
      },
      wants: { ...wants, ...own },
    })),
  };
}

/** Signed by us, so that it says what no forger can: only the service's own strictness is asked. */
export const OURS: Wanted = { typescript: 'either' };
/** Nothing that matters was changed: to be accepted, so a control too. */
export const GOOD: Wanted = { service: ['valid'], me: ['200'], typescript: 'accepted' };
