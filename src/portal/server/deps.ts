/** What the handlers of the internal API work with. */
import type { Deps } from '../../domain/deps.ts';
import type { OperatorDeps } from '../../domain/operators/deps.ts';
import type { Finding } from '../../domain/scores/watch.ts';
import type { Condition } from '../health/condition.ts';
import type { RefusalLog } from './refusal-log.ts';

export interface PortalDeps extends Omit<Deps, 'store'>, Pick<OperatorDeps, 'store' | 'passkeys' | 'portal'> {
  /** The current condition of the service. */
  readonly condition: () => Promise<Condition>;
  readonly findings: () => readonly Finding[];
  /** Runs a job of the schedule now, after those that run already. @returns how many things it changed */
  readonly runJob: (name: string) => Promise<number>;
  /** What the public API refused lately. */
  readonly refusals: RefusalLog;
}
