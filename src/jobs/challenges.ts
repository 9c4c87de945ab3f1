/** Deletes challenges past their end. Used ones are gone already. */
import type { Deps } from '../domain/deps.ts';

export function deleteExpiredChallenges({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number> {
  return store.deleteExpiredChallenges(clock.now());
}
