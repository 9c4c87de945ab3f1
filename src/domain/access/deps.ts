/** What the functions for operators of the portal need. */
import type { Passkeys } from '../../ports/passkeys.ts';
import type { AdminDeps } from '../deps.ts';

export interface OperatorDeps extends Pick<AdminDeps, 'store' | 'entry' | 'secrets' | 'clock' | 'random'> {
  readonly passkeys: Passkeys;
  /** `url`: the portal's origin, known once it listens. */
  readonly portal: { readonly url: string };
}

/** Commands need neither passkeys nor sessions. */
export type OperatorAdminDeps = Omit<OperatorDeps, 'passkeys'>;
