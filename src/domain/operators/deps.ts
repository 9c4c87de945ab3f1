/** What the functions for operators of the portal need. */
import type { Passkeys } from '../../ports/passkeys.ts';
import type { AuditStore, Recording } from '../../ports/store/audit.ts';
import type { OperatorStore } from '../../ports/store/operators.ts';
import type { AdminDeps } from '../deps.ts';

export type PortalStore = AdminDeps['store'] &
  OperatorStore &
  AuditStore & { recording(entry: Recording): PortalStore };

export interface OperatorDeps extends Pick<AdminDeps, 'secrets' | 'clock' | 'random'> {
  readonly store: PortalStore;
  readonly passkeys: Passkeys;
  /** `url`: the portal's origin, known once it listens. */
  readonly portal: { readonly url: string };
}

/** Commands need neither passkeys nor sessions. */
export type OperatorAdminDeps = Omit<OperatorDeps, 'passkeys'>;
