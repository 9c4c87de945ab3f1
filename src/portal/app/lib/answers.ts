/** What the internal API answers, as far as pages read it. */
import type { Mode } from '../../../protocol/mode.ts';
import type { AppView } from '../../../protocol/operating/apps.ts';
import type { EventType } from '../../../protocol/operating/events.ts';
import type { KeyView, SigningKeyView } from '../../../protocol/operating/keys.ts';
import type { UserView } from '../../../protocol/operating/people.ts';
import type { Action, Rank, Right, Role } from '../../../protocol/portal/roles.ts';
import type { FaultCode } from './api.ts';

export type { Action, AppView, EventType, Mode, Rank, Right, Role, SigningKeyView };

export interface TeamOfOperator {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly teams: readonly TeamOfOperator[];
}
export interface Begun {
  readonly session: { readonly secret: string; readonly expires_at: string };
  readonly operator: Operator;
}
export interface OwnSession {
  readonly session: { readonly expires_at: string };
  readonly operator: Operator;
}
/** A link may also add a membership to the session that there is: then no new one begins. */
export interface Redeemed extends Omit<Begun, 'session'> {
  readonly session: { readonly secret?: string; readonly expires_at: string } | null;
}
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly language: string | null;
  readonly theme: string | null;
  readonly recovery_codes: number;
}
export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}
export interface SessionRow {
  readonly id: string;
  readonly means: 'link' | 'passkey' | 'recovery';
  readonly began_at: string;
  readonly seen_at: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly current?: boolean;
}
export interface App extends AppView {
  readonly team_id: string;
  /** Not in the list. */
  readonly limits?: { readonly live_keys: number; readonly test_keys: number };
  /** In the list only. */
  readonly users?: Readonly<Record<Mode, number>>;
  /** Live auths of this month, and the most of the plan. */
  readonly auths?: number;
  readonly monthly_auths?: number | null;
  /** Of the last 30 days, today last. */
  readonly auths_by_day?: readonly number[];
  readonly unsafe?: boolean;
}
export interface Key extends KeyView {
  readonly label: string | null;
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  readonly ends_at: string | null;
}
export interface MadeKey extends Pick<Key, 'id' | 'type' | 'mode' | 'label' | 'last4' | 'created_at'> {
  readonly key: string;
}
export interface RefusalRow {
  readonly at: string;
  readonly code: FaultCode;
  readonly origin: string | null;
}
export type { UserView };

/** All that is shown of one user. */
export interface Person {
  readonly user: UserView;
  readonly consent: {
    readonly policy_version: string;
    readonly accepted_at: string;
    readonly ip: string;
    readonly user_agent: string;
  } | null;
  readonly templates: readonly {
    readonly id: string;
    readonly origin: 'enrolled' | 'learned';
    readonly created_at: string;
  }[];
  readonly counters: readonly { readonly about: string; readonly count: number; readonly ends_at: string }[];
}
export interface EventRow {
  readonly id: string;
  readonly at: string;
  readonly type: EventType;
  readonly user_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
}
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: string;
}
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}
export interface MadeLink {
  readonly link: { readonly url: string } | string;
}
