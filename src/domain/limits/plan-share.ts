/**
 * A network's share of an app's plan, so that one address cannot use it up for everyone. Counted are auths that signed
 * in nobody: failed matches, matches beyond a user's hour, and enrolls. Sign-ins that succeed are not: where all users
 * of an app share one address, such as that of a tablet at a door, a share would make the plan smaller. Each of them
 * has a name in the events, and each user has a limit of an hour. Held by test/http/plan-share.test.ts.
 */
import type { Window } from '../../ports/store.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { nextMonth } from '../time.ts';

/** Of plans with fewer auths a month, a share would be too little for a test. */
const SMALLEST_PLAN = 100;
const PREFIX = 'plan-share';

/** Of the address, or its /64, and of the /48, which has no more. Empty: off, or the plan is unlimited or small. */
export function shareWindows(
  { clock, secrets, settings }: Deps,
  { app, gallery, network, site }: Caller,
): Window[] {
  const percent = settings.limitPlanSharePerIp;
  const auths = gallery.mode === 'live' ? planOf(settings.plans, app.plan).monthlyAuths : null;
  if (percent === 0 || auths === null || auths < SMALLEST_PLAN) return [];
  const now = clock.now();
  return [network, site].flatMap(address => {
    if (address === null) return [];
    const key = `${PREFIX}:${gallery.appId}:${secrets.hash('plan-share', address)}`;
    return [{ key, limit: Math.floor((auths * percent) / 100), length: nextMonth(now) - now }];
  });
}

export const isShare = ({ key }: Window) => key.startsWith(`${PREFIX}:`);

export const SHARE_USED =
  'This network has used its share of the app’s plan for this month: too many attempts from it signed in nobody.';
