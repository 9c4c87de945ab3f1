/** The usage of the last months, for operators. Held by test/portal/internal/numbers.test.ts. */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { AppRecord } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { monthOf } from '../time.ts';
import type { Usage } from '../usage.ts';

/** Newest first, up to the current month. */
export async function usageIn(
  { store, clock, settings }: Pick<AdminDeps, 'store' | 'clock' | 'settings'>,
  app: AppRecord,
  gallery: GalleryKey,
  months: number,
): Promise<Usage[]> {
  const limit = gallery.mode === 'live' ? planOf(settings.plans, app.plan).monthlyAuths : null;
  const now = new Date(clock.now());
  const usage: Usage[] = [];
  for (let back = 0; back < months; back++) {
    const month = monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    usage.push({ month, limit, ...(await store.usageOf(gallery, month)) });
  }
  return usage;
}
