/**
 * What operators are shown of apps, keys, people, events and numbers: the command line prints it with --json, and the
 * portal answers with the same. A field that is not here is never shown. test/domain/operating-views.test.ts holds the fields.
 */
import type { Mode } from './mode.ts';
import { iso, isoOrNull, utcDay } from './time.ts';

/** What the audit trail tells of. */
export const EVENT_TYPES = [
  'enroll',
  'enroll_face_known',
  'match',
  'match_failed',
  'match_limited',
  'email_code',
  'email_code_failed',
  'email_changed',
  'email_change_failed',
  'templates_added',
  'templates_refused',
  'user_deleted',
  'app_deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

interface Gallery {
  readonly appId: string;
  readonly mode: Mode;
}

export interface AppView {
  readonly id: string;
  readonly name: string;
  readonly allowed_origins: readonly string[];
  readonly first_party: boolean;
  readonly plan: string;
  readonly created_at: string;
}

interface App {
  readonly id: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly firstParty: boolean;
  readonly plan: string;
  readonly createdAt: number;
}

export function appView({ id, name, allowedOrigins, firstParty, plan, createdAt }: App): AppView {
  return {
    id,
    name,
    allowed_origins: allowedOrigins,
    first_party: firstParty,
    plan,
    created_at: iso(createdAt),
  };
}

export interface KeyView {
  readonly id: string;
  readonly type: 'secret' | 'publishable';
  readonly mode: Mode;
  readonly last4: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

interface NewKey extends Pick<KeyView, 'id' | 'type' | 'mode' | 'last4'> {
  readonly appId: string;
  readonly createdAt: number;
}

export function keyView({
  id,
  type,
  mode,
  last4,
  createdAt,
  revokedAt,
}: NewKey & { readonly revokedAt: number | null }): KeyView {
  return { id, type, mode, last4, created_at: iso(createdAt), revoked_at: isoOrNull(revokedAt) };
}

/** The only view that has the key itself: it is shown once. */
export interface MadeKeyView extends Omit<KeyView, 'revoked_at'> {
  readonly key: string;
  readonly app_id: string;
}

export function madeKeyView(key: string, { id, type, mode, appId, last4, createdAt }: NewKey): MadeKeyView {
  return { id, key, type, mode, app_id: appId, last4, created_at: iso(createdAt) };
}

export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
  readonly email_verified: boolean;
  readonly mode: Mode;
  readonly template_count: number;
}

interface PlacedUser {
  readonly gallery: Gallery;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly emailVerified: boolean;
    readonly createdAt: number;
    readonly lastSignInAt: number | null;
  };
  readonly templateCount: number;
}

export function userView({ gallery, user, templateCount }: PlacedUser): UserView {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    created_at: iso(user.createdAt),
    last_sign_in_at: isoOrNull(user.lastSignInAt),
    email_verified: user.emailVerified,
    mode: gallery.mode,
    template_count: templateCount,
  };
}

export interface EventView {
  readonly id: string;
  readonly app_id: string;
  readonly mode: Mode;
  readonly user_id: string | null;
  readonly type: EventType;
  readonly at: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly liveness: unknown;
}

interface Event extends Pick<EventView, 'id' | 'type' | 'ip' | 'liveness'> {
  readonly gallery: Gallery;
  readonly userId: string | null;
  readonly at: number;
  readonly userAgent: string | null;
}

export function eventView({ id, gallery, userId, type, at, ip, userAgent, liveness }: Event): EventView {
  return {
    id,
    app_id: gallery.appId,
    mode: gallery.mode,
    user_id: userId,
    type,
    at: iso(at),
    ip,
    user_agent: userAgent,
    liveness,
  };
}

/** How often something happened on a day. */
export interface DayView {
  readonly day: string;
  readonly mode: Mode;
  readonly type: EventType;
  readonly count: number;
}

export function dayView({
  day,
  mode,
  type,
  count,
}: Omit<DayView, 'day'> & { readonly day: number }): DayView {
  return { day: utcDay(day), mode, type, count };
}

/** What there is, and what a month has counted, in one mode. */
export interface NumbersView {
  readonly users: number;
  readonly templates: number;
  readonly auths: number;
  readonly enrolls: number;
  readonly matches_ok: number;
  readonly matches_failed: number;
}

interface Numbers extends Omit<NumbersView, 'matches_ok' | 'matches_failed'> {
  readonly matchesOk: number;
  readonly matchesFailed: number;
}

export function numbersView({
  users,
  templates,
  auths,
  enrolls,
  matchesOk,
  matchesFailed,
}: Numbers): NumbersView {
  return { users, templates, auths, enrolls, matches_ok: matchesOk, matches_failed: matchesFailed };
}

/** The numbers of both modes. */
export type BothNumbersView = Readonly<Record<Mode, NumbersView>>;

export function bothNumbersView({ live, test }: Readonly<Record<Mode, Numbers>>): BothNumbersView {
  return { live: numbersView(live), test: numbersView(test) };
}

export interface AppNumbersView extends BothNumbersView {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Live auths of the plan a month; null: any number. */
  readonly monthly_auths: number | null;
  /** To a tenth; null when the plan has no limit. */
  readonly plan_used_percent: number | null;
}

export function appNumbersView({
  app,
  numbers,
  limit,
  used,
}: {
  readonly app: Pick<App, 'id' | 'name' | 'plan'>;
  readonly numbers: Readonly<Record<Mode, Numbers>>;
  readonly limit: number | null;
  readonly used: number | null;
}): AppNumbersView {
  const plan_used_percent = used === null ? null : Math.round(used * 10) / 10;
  const { id, name, plan } = app;
  return { id, name, plan, monthly_auths: limit, plan_used_percent, ...bothNumbersView(numbers) };
}

export interface SigningKeyView {
  readonly kid: string;
  readonly status: 'next' | 'current' | 'previous';
  readonly created_at: string;
}

export function signingKeyView({
  kid,
  status,
  createdAt,
}: Omit<SigningKeyView, 'created_at'> & { readonly createdAt: number }): SigningKeyView {
  return { kid, status, created_at: iso(createdAt) };
}

export interface JobView {
  readonly name: string;
  readonly schedule: string;
  readonly last_run: string | null;
}

export function jobView({
  name,
  schedule,
  lastRun,
}: Omit<JobView, 'last_run'> & { readonly lastRun: number | null }): JobView {
  return { name, schedule, last_run: isoOrNull(lastRun) };
}
