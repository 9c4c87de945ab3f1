/** An app's usage in a month, in the mode of its key, and in its last months. */

import type { GalleryKey } from '../ports/matcher.ts';
import type { AppRecord, UsageCounts } from '../ports/store.ts';
import { monthOf, startOfMonth } from '../protocol/time.ts';
import type { Caller } from './caller.ts';
import type { AdminDeps, Deps } from './deps.ts';
import { authOf } from './limits/admission.ts';
import { monthlyAuthsOf } from './plans.ts';

export interface Usage extends UsageCounts {
  readonly month: string;
  /** The plan's auths per month. Null: unlimited, or test mode. */
  readonly limit: number | null;
}

/** @param month `YYYY-MM`, past or future; default: the current one */
export async function usageOf(deps: Deps, caller: Caller, month: string | undefined): Promise<Usage> {
  const current = authOf(deps, caller);
  const asked = month ?? current.month;
  const counts = await deps.store.usageOf(caller.gallery, asked);
  return { month: asked, limit: current.limit, ...counts };
}

/** For operators: newest first, up to the current month. Held by test/portal/internal/numbers.test.ts. */
export async function usageIn(
  { store, clock, settings }: Pick<AdminDeps, 'store' | 'clock' | 'settings'>,
  app: AppRecord,
  gallery: GalleryKey,
  months: number,
): Promise<Usage[]> {
  const limit = monthlyAuthsOf(settings.plans, app, gallery.mode);
  const usage: Usage[] = [];
  for (let back = 0; back < months; back++) {
    const month = monthOf(startOfMonth(clock.now(), -back));
    usage.push({ month, limit, ...(await store.usageOf(gallery, month)) });
  }
  return usage;
}
