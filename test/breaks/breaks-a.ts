/** Rules broken in the source, one row each. */
import type { Break } from './break.ts';

export const BREAKS_A: readonly Break[] = [];
