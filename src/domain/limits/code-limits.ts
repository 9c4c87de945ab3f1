/**
 * Limits of the routes that send codes and try them. They outlive a restart, and whoever is counted by an address is
 * counted by its keyed hash.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Window } from '../../ports/store.ts';
import {
  CODE_ADDRESS_WINDOW,
  CODES_PER_DAY_AT_LEAST,
  CODES_PER_EMAIL,
  CODES_SHARE_OF_PLAN,
  EMAIL_CHANGES,
  HOUR,
  TEST_CODES_PER_DAY,
} from '../../protocol/limits.ts';
import type { Caller, Client, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { Refusal } from '../refusal.ts';
import { restOfDay } from '../time.ts';
import { takeAppBudget } from './admission.ts';

/** Step 2: requests for codes, or tries of them, of one address over all apps. @throws Refusal rate_limited */
export async function limitCodeAddress(
  deps: Deps,
  { network }: Client,
  what: 'requests' | 'verifies',
): Promise<void> {
  const { limitCodePerIp, limitVerifyPerIp } = deps.settings;
  const limit = what === 'requests' ? limitCodePerIp : limitVerifyPerIp;
  if (limit === 0) return;
  const key = `code-${what}:${deps.secrets.hash('code-address', network)}`;
  await take(
    deps,
    null,
    { key, limit, length: CODE_ADDRESS_WINDOW },
    'Too many requests from this address. Try again later.',
  );
}

/** Step 6 of a request for a code. The cap of the day counts only what every other limit let through. @throws Refusal rate_limited */
export async function admitCodeRequest(deps: Deps, caller: Caller, email: string): Promise<void> {
  const { appId, mode } = caller.gallery;
  takeAppBudget(deps, caller);
  await take(
    deps,
    appId,
    { key: codeRequestsKey(deps, caller.gallery, email), limit: CODES_PER_EMAIL, length: HOUR },
    'Too many codes were requested for this email address. Try again later.',
  );
  const limit = codesPerDay(deps, caller);
  if (limit === null) return;
  const length = restOfDay(deps.clock.now());
  await take(
    deps,
    appId,
    { key: `codes-day:${appId}:${mode}`, limit, length },
    `The app has used its ${limit} code requests of today (UTC).`,
  );
}

/** Step 6 of a change of address: every request counts, for the user and for the new address. @throws Refusal rate_limited */
export async function admitEmailChange(deps: Deps, caller: UserCaller, email: string): Promise<void> {
  const { appId, mode } = caller.gallery;
  const keys = emailChangeKeys(deps, { appId, mode }, caller.user.id, email);
  for (const [key, message] of [
    [keys.user, 'Too many changes of the email address were requested. Try again later.'],
    [keys.to, 'Too many changes to this email address were requested. Try again later.'],
  ] as const) {
    await take(deps, appId, { key, limit: EMAIL_CHANGES, length: HOUR }, message);
  }
}

type Hashing = Pick<Deps, 'secrets'>;

/** By which requests for codes to one address are counted. */
export function codeRequestsKey({ secrets }: Hashing, { appId, mode }: GalleryKey, email: string): string {
  return `codes-email:${appId}:${mode}:${secrets.hash('code-email', email.toLowerCase())}`;
}

/** By which requests to change an address are counted: those of a user, and those for the new address. */
export function emailChangeKeys(
  { secrets }: Hashing,
  { appId, mode }: GalleryKey,
  userId: string,
  email: string,
): { user: string; to: string } {
  const prefix = `email-change:${appId}:${mode}`;
  return {
    user: `${prefix}:user:${secrets.hash('change-user', userId)}`,
    to: `${prefix}:to:${secrets.hash('change-email', email.toLowerCase())}`,
  };
}

/** Null: any number. */
function codesPerDay({ settings }: Deps, { app, gallery }: Caller): number | null {
  if (gallery.mode === 'test') return TEST_CODES_PER_DAY;
  const { monthlyAuths } = planOf(settings.plans, app.plan);
  if (monthlyAuths === null) return null;
  return Math.max(CODES_PER_DAY_AT_LEAST, Math.floor(monthlyAuths * CODES_SHARE_OF_PLAN));
}

async function take(
  { store, clock }: Deps,
  appId: string | null,
  window: Window,
  message: string,
): Promise<void> {
  const now = clock.now();
  const { taken, endsAt } = await store.takeWindow(appId, window, now);
  if (!taken) throw new Refusal('rate_limited', message, { retryAfter: endsAt - now });
}
