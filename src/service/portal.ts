/** Wires what the portal needs besides the service itself. */
import { commit, licences } from '../adapters/build.ts';
import { simpleWebAuthn } from '../adapters/passkeys/simplewebauthn.ts';
import type { Deps } from '../domain/deps.ts';
import type { ScoreWatch } from '../domain/scores/watch.ts';
import { listJobs } from '../jobs/jobs.ts';
import { runNow, type Schedule } from '../jobs/schedule.ts';
import type { OperationDeps } from '../operations/table/deps.ts';
import type { PortalOptions } from '../portal/app.ts';
import type { PortalSources } from './operations.ts';

interface Parts extends Pick<OperationDeps, 'portal' | 'refusals' | 'auditCounts'> {
  readonly scores: Pick<ScoreWatch, 'findings'>;
  /** Null until the jobs run. */
  readonly schedule: () => Schedule | null;
}

export function portalParts(
  deps: Deps,
  { condition, metrics }: PortalSources,
  { schedule, scores, ...parts }: Parts,
): Pick<PortalOptions, 'deps' | 'metrics'> {
  const jobs = { list: () => listJobs(deps), run: async (name: string) => runNow(schedule(), name) };
  const program = { commit: commit(), licences };
  const findings = () => scores.findings();
  return {
    deps: { ...deps, ...parts, passkeys: simpleWebAuthn, condition, findings, jobs, program },
    metrics,
  };
}
