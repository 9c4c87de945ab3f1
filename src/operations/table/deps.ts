/** What operations work with. */

import type { AuditCounts } from '../../domain/access/audit-counts.ts';
import type { OperatorDeps } from '../../domain/access/deps.ts';
import type { AdminDeps, Deps, DomainSettings } from '../../domain/deps.ts';
import type { Galleries } from '../../domain/galleries/galleries.ts';
import type { Finding } from '../../domain/scores/watch.ts';
import type { Condition } from '../../health/condition.ts';
import type { Recording } from '../../ports/store.ts';
import type { RefusalLog } from '../refusal-log.ts';

/** What an operation with a command uses. A command has no session, no limits and no gallery in memory. */
export interface CommandDeps extends AdminDeps {
  readonly settings: AdminDeps['settings'] & Pick<DomainSettings, 'limitPeoplePerOperatorDay'>;
  readonly portal: { readonly url: string };
  readonly galleries: Pick<Galleries, 'refresh'>;
  readonly findings: () => readonly Finding[];
  readonly refusals: Pick<RefusalLog, 'forget'>;
}

export interface OperationDeps extends Deps, Pick<OperatorDeps, 'passkeys'> {
  /** `cli`: how people type a command of the service, where the page is read. Both are known once it listens. */
  readonly portal: { readonly url: string; readonly cli: string };
  /** The current condition of the service. */
  readonly condition: () => Promise<Condition>;
  readonly findings: () => readonly Finding[];
  readonly jobs: PortalJobs;
  readonly program: Program;
  /** For entries of the audit log about what changed nothing. */
  readonly auditCounts: AuditCounts;
  /** What the public API refused lately. */
  readonly refusals: RefusalLog;
}

interface Program {
  /** Null: running from source, or not built from a clone. */
  readonly commit: string | null;
  /** The licences of everything in the executable; null: running from source. */
  licences(): string | null;
}

/** The jobs of the schedule. */
interface PortalJobs {
  list(): Promise<readonly PortalJob[]>;
  /** Runs a job now, after those that run already. @returns how many things it changed */
  run(name: string, entry?: Recording): Promise<number>;
}

interface PortalJob {
  readonly name: string;
  readonly about: string;
  readonly schedule: string;
  /** When it last ended well; null: never. */
  readonly lastRun: number | null;
}
