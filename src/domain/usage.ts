/** What an app has used in a month, in its key's mode. */
import type { UsageCounts } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { authOf } from './limits/admission.ts';

export interface Usage extends UsageCounts {
  readonly month: string;
  /** The plan's auths a month; null: any number, and in test mode. */
  readonly limit: number | null;
}

/** @param month `YYYY-MM`, past or future; the current one when not given */
export async function usageOf(deps: Deps, caller: Caller, month: string | undefined): Promise<Usage> {
  const current = authOf(deps, caller);
  const asked = month ?? current.month;
  const counts = await deps.store.usageOf(caller.gallery, asked);
  return { month: asked, limit: current.limit, ...counts };
}
