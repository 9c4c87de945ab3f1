/** The machine's wall clock. */
import type { Clock } from '../../ports/system.ts';

export const systemClock: Clock = { now: () => Date.now() };
