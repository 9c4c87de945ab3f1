/** What the domain's functions work with: ports, and the parts of the domain that keep state between requests. */

import type { Mailer } from '../ports/mailer.ts';
import type { Matcher } from '../ports/matcher.ts';
import type { Credential, Store } from '../ports/store.ts';
import type { Clock, KeyMaker, Random, Secrets } from '../ports/system.ts';
import type { Background } from './background.ts';
import type { Galleries } from './galleries/galleries.ts';
import type { MinuteWindows } from './limits/minute-windows.ts';
import type { Plans } from './plans.ts';
import type { ScoreWatch } from './scores/watch.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

/** Settings that the domain obeys. A limit of 0 is switched off. */
export interface DomainSettings {
  /** `{base_url}`: issuer of the tokens. */
  readonly baseUrl: string;
  readonly plans: Plans;
  /** Age at which a signing key is replaced. */
  readonly signingKeyDays: number;
  readonly matchThreshold: number;
  readonly matchMargin: number;
  readonly limitIpPerMinute: number;
  readonly limitAppPerMinute: number;
  readonly limitSecretKeyPerMinute: number;
  readonly limitFailedMatches: number;
  readonly limitMePerMinute: number;
  readonly limitCodePerIp: number;
  readonly limitVerifyPerIp: number;
  readonly limitMatchesPerUser: number;
  readonly limitEnrollPerIp: number;
  readonly limitCodePerIpDay: number;
  readonly limitUserFailuresDay: number;
  /** When answers to requests for codes leave, after validation. */
  readonly mailAnswerMs: number;
}

/** Enough for what operators do to apps and keys, with no matcher and no server. */
export interface AdminDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyMaker: KeyMaker;
  readonly settings: Pick<DomainSettings, 'plans' | 'signingKeyDays'>;
}

export interface Deps extends AdminDeps {
  readonly matcher: Matcher;
  readonly settings: DomainSettings;
  readonly galleries: Galleries;
  readonly windows: MinuteWindows;
  readonly signingKeys: SigningKeys;
  readonly scores: Pick<ScoreWatch, 'enrolment'>;
  /** Null: no way to send email is set up. */
  readonly mailer: Mailer | null;
  readonly background: Background;
  /** What a key stands for, by its hash, that exists in this process alone; null for any other. */
  readonly guestCredential: (hash: string) => Promise<Credential | null>;
}
