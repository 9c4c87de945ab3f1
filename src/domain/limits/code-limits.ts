/** Limits of the routes that send and check codes. They survive a restart. Addresses are counted by keyed hash. */
import type { GalleryKey } from '../../ports/matcher.ts';
import {
  CODE_ADDRESS_WINDOW,
  CODES_PER_DAY_AT_LEAST,
  CODES_PER_EMAIL,
  CODES_SHARE_OF_PLAN,
  EMAIL_CHANGES,
  HOUR,
  TEST_CODES_PER_DAY,
} from '../../protocol/limits.ts';
import { restOfDay } from '../../protocol/time.ts';
import type { Caller, Client, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import {
  addressWindows,
  FROM_ADDRESS,
  type Limited,
  personalKey,
  takeAppBudget,
  takeWindows,
} from './request-limits.ts';

/** Step 2: requests for codes from one address over all apps. @throws Refusal rate_limited */
export function limitCodeRequests(deps: Deps, client: Client): Promise<void> {
  return takeAddress(deps, client, 'code-requests', deps.settings.limitCodePerIp);
}

/** Step 2: attempts to enter them. @throws Refusal rate_limited */
export function limitCodeVerifies(deps: Deps, client: Client): Promise<void> {
  return takeAddress(deps, client, 'code-verifies', deps.settings.limitVerifyPerIp);
}

async function takeAddress(deps: Deps, client: Client, prefix: string, limit: number): Promise<void> {
  const counted = { prefix, purpose: 'code-address', limit, length: CODE_ADDRESS_WINDOW };
  await takeWindows(deps, ofAddress(deps, client, counted));
}

/** Step 6 of a request for a code. @throws Refusal rate_limited */
export async function admitCodeRequest(deps: Deps, caller: Caller, email: string): Promise<void> {
  const { appId } = caller.gallery;
  await takeAppBudget(deps, caller);
  const key = codeRequestsKey(deps, caller.gallery, email);
  const message = 'Too many codes were requested for this email address. Try again later.';
  await takeWindows(deps, [{ appId, key, limit: CODES_PER_EMAIL, length: HOUR, message }]);
  await takeDay(deps, caller);
}

/**
 * Step 6 of a change of address: every request counts for the user and for the new address.
 * @throws Refusal rate_limited
 */
export async function admitEmailChange(deps: Deps, caller: UserCaller, email: string): Promise<void> {
  const { appId, mode } = caller.gallery;
  const keys = emailChangeKeys(deps, { appId, mode }, caller.user.id, email);
  for (const [key, message] of [
    [keys.user, 'Too many email address changes were requested. Try again later.'],
    [keys.to, 'Too many changes to this email address were requested. Try again later.'],
  ] as const) {
    await takeWindows(deps, [{ appId, key, limit: EMAIL_CHANGES, length: HOUR, message }]);
  }
  await takeDay(deps, caller);
}

/**
 * The daily caps: for the client's address over all apps, and for the app. They count only requests that passed every
 * other limit. Both count together or not at all, so one address cannot use up an app's codes.
 */
async function takeDay(deps: Deps, caller: Caller): Promise<void> {
  const { appId, mode } = caller.gallery;
  const length = restOfDay(deps.clock.now());
  const windows = ofAddress(deps, caller, {
    prefix: 'code-requests-day',
    purpose: 'code-address-day',
    limit: deps.settings.limitCodePerIpDay,
    length,
  });
  const limit = codesPerDay(deps, caller);
  const message = `The app has used its ${limit} code requests for today (UTC).`;
  if (limit !== null) windows.push({ appId, key: `codes-day:${appId}:${mode}`, limit, length, message });
  await takeWindows(deps, windows);
}

function ofAddress(...counted: Parameters<typeof addressWindows>): Limited[] {
  return addressWindows(...counted).map(window => ({ ...window, appId: null, message: FROM_ADDRESS }));
}

type Hashing = Pick<Deps, 'secrets'>;

/** The key that counts requests for codes to one address. */
export function codeRequestsKey(deps: Hashing, gallery: GalleryKey, email: string): string {
  return personalKey(deps, 'codes-email', gallery, 'code-email', email.toLowerCase());
}

/** The keys that count requests to change an address: per user, and per new address. */
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

/** Null: unlimited. */
function codesPerDay({ settings }: Deps, { app, gallery }: Caller): number | null {
  if (gallery.mode === 'test') return TEST_CODES_PER_DAY;
  const { monthlyAuths } = planOf(settings.plans, app.plan);
  if (monthlyAuths === null) return null;
  return Math.max(CODES_PER_DAY_AT_LEAST, Math.floor(monthlyAuths * CODES_SHARE_OF_PLAN));
}
