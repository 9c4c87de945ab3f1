/**
 * What all callers of an app share, and one of them may use up for the others: the auths of its plan and the failed
 * faces of a day. Operators see it from the half on. Held by test/http/failed-faces.test.ts
 * and plan-share.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { monthOf } from '../../protocol/time.ts';
import type { DomainSettings } from '../deps.ts';
import { planOf } from '../plans.ts';

/** The window of an app and mode is `KIND:APP:MODE`. */
export const FAILED_FACES_OF_APP = 'failed-faces-app';
const SHOWN_FROM = 0.5;

export interface Budget {
  readonly of: 'plan' | 'failed-faces';
  readonly gallery: GalleryKey;
  readonly used: number;
  readonly limit: number;
}

export interface BudgetSources {
  readonly store: Pick<Store, 'listApps' | 'usageIn' | 'galleryWindows'>;
  readonly clock: Clock;
  readonly settings: Pick<DomainSettings, 'plans' | 'limitFailedFacesPerAppDay'>;
}

export const shareOf = ({ used, limit }: Pick<Budget, 'used' | 'limit'>) => used / limit;

/** Those of which half is used, or more; the fullest first. */
export async function usedBudgets({ store, clock, settings }: BudgetSources): Promise<Budget[]> {
  const now = clock.now();
  const plans = new Map((await store.listApps()).map(({ id, plan }) => [id, planOf(settings.plans, plan)]));
  const auths = (await store.usageIn(monthOf(now), null)).flatMap(({ gallery, auths: used }) => {
    const limit = gallery.mode === 'live' ? plans.get(gallery.appId)?.monthlyAuths : null;
    return limit ? [{ of: 'plan' as const, gallery, used, limit }] : [];
  });
  const limit = settings.limitFailedFacesPerAppDay;
  const failed = limit === 0 ? [] : await store.galleryWindows(FAILED_FACES_OF_APP, now);
  const faces = failed.map(({ gallery, count }) => ({
    of: 'failed-faces' as const,
    gallery,
    used: count,
    limit,
  }));
  return [...auths, ...faces]
    .filter(budget => shareOf(budget) >= SHOWN_FROM)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
}
