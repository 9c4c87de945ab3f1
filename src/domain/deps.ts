/** Dependencies of the domain's functions: ports, and the parts of the domain that keep state between requests. */

import type { Mailer } from '../ports/mailer.ts';
import type { Matcher } from '../ports/matcher.ts';
import type { Credential, Recording, Store } from '../ports/store.ts';
import type { KeyMaker, Random, Secrets } from '../ports/system.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import type { Background } from './background.ts';
import type { Readers } from './feeds/readers.ts';
import type { Galleries } from './galleries/galleries.ts';
import type { KeyUses } from './key-uses.ts';
import type { ServiceClock } from './known-time.ts';
import type { MinuteWindows } from './limits/minute-windows.ts';
import type { Plans } from './plans.ts';
import type { ScoreWatch } from './scores/watch.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

/** Settings of the domain. A limit of 0 is off. */
export interface DomainSettings {
  /** `{base_url}`: issuer of the tokens. */
  readonly baseUrl: string;
  readonly plans: Plans;
  /** Age at which a signing key is replaced. */
  readonly signingKeyDays: number;
  /** A clock that leaps farther is not believed. 0: the guard is off. */
  readonly clockLeapDays: number;
  readonly matchThreshold: number;
  readonly matchMargin: number;
  readonly limitIpPerMinute: number;
  readonly limitAppPerMinute: number;
  readonly limitSecretKeyPerMinute: number;
  readonly limitFailedMatches: number;
  readonly limitFailedFacesPerIpDay: number;
  readonly limitFailedFacesPerAppDay: number;
  readonly limitMePerMinute: number;
  readonly limitCodePerIp: number;
  readonly limitVerifyPerIp: number;
  readonly limitMatchesPerUser: number;
  readonly limitEnrollPerIp: number;
  /** In percent. */
  readonly limitPlanSharePerIp: number;
  readonly limitCodePerIpDay: number;
  readonly limitUserFailuresDay: number;
  readonly limitPeoplePerOperatorDay: number;
  readonly limitExportsPerOperator: number;
  /** Milliseconds after validation at which requests for codes are answered. */
  readonly mailAnswerMs: number;
}

/** What operators need to manage apps and keys, without a matcher or a server. */
export interface AdminDeps {
  readonly store: Store;
  /** Of the act that a function does for somebody. It goes into the audit log with the act. */
  readonly entry?: Recording | undefined;
  readonly secrets: Secrets;
  readonly clock: ServiceClock;
  readonly random: Random;
  readonly keyMaker: KeyMaker;
  readonly webhookSender: WebhookSender;
  /** Null: email is not configured. Commands have none. */
  readonly mailer?: Mailer | null | undefined;
  readonly settings: Pick<DomainSettings, 'plans' | 'signingKeyDays' | 'clockLeapDays'>;
}

export interface Deps extends AdminDeps {
  readonly matcher: Matcher;
  readonly settings: DomainSettings;
  readonly galleries: Galleries;
  readonly windows: MinuteWindows;
  readonly signingKeys: SigningKeys;
  readonly scores: Pick<ScoreWatch, 'enrolment'>;
  /** Null: email is not configured. */
  readonly mailer: Mailer | null;
  readonly background: Background;
  readonly keyUses: Pick<KeyUses, 'note'>;
  readonly readers: Pick<Readers, 'read'>;
  /** Finds a credential that exists only in this process, by the hash of its key. Null for any other. */
  readonly guestCredential: (hash: string) => Promise<Credential | null>;
}
