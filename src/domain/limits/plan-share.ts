/**
 * An address's share of an app's plan for a day, so that one address cannot use up a month's plan in an hour. Counted
 * are auths that signed in nobody: failed matches, matches beyond a user's hour, and enrolls. What costs no auth does
 * not count, so that nobody shuts out their neighbours for free. Sign-ins that succeed do not count either: where all
 * users of an app share one address, such as that of a tablet at a door, a share would make the plan smaller. Each of
 * them has a name in the events, and each user has a limit of an hour. Held by test/http/plan-share.test.ts.
 */
import type { Window } from '../../ports/store.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { restOfDay } from '../time.ts';
import { addressWindows } from './address-windows.ts';

/** Of plans with fewer auths a month, a share would be too little for a test. */
const SMALLEST_PLAN = 100;
const PREFIX = 'plan-share';

/** Empty: off, or the plan is unlimited or small. */
export function shareWindows(deps: Deps, caller: Caller): Window[] {
  const { clock, settings } = deps;
  const { app, gallery } = caller;
  const auths = gallery.mode === 'live' ? planOf(settings.plans, app.plan).monthlyAuths : null;
  if (auths === null || auths < SMALLEST_PLAN) return [];
  return addressWindows(deps, caller, {
    prefix: `${PREFIX}:${gallery.appId}`,
    purpose: 'plan-share',
    limit: Math.floor((auths * settings.limitPlanSharePerIp) / 100),
    length: restOfDay(clock.now()),
  });
}

export const isShare = ({ key }: Window) => key.startsWith(`${PREFIX}:`);

export const SHARE_USED =
  'This network has used its share of the app’s plan for today (UTC): too many attempts from it signed in nobody.';
