/** An app's usage in a month, in the mode of its key. */
import type { UsageCounts } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { authOf } from './limits/admission.ts';

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
