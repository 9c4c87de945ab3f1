/** Metrics of the scheduled jobs, by job name. Held by test/portal/metrics.test.ts. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Condition } from '../../health/condition.ts';

const MS = 1_000;

export function jobFigures(registry: Registry): (condition: Condition) => void {
  const common = { labelNames: ['job'] as const, registers: [registry] };
  const runs = new Counter({
    name: 'face_sign_in_job_runs_total',
    help: 'Runs of the job in this process, including failed ones.',
    ...common,
  });
  const failures = new Counter({
    name: 'face_sign_in_job_failures_total',
    help: 'Failed runs of the job in this process.',
    ...common,
  });
  const lastRun = new Gauge({
    name: 'face_sign_in_job_last_run_timestamp_seconds',
    help: 'When the job last ended in this process, whether or not it succeeded.',
    ...common,
  });
  const lastSuccess = new Gauge({
    name: 'face_sign_in_job_last_success_timestamp_seconds',
    help: 'When the job last succeeded, in this process, in an earlier one or by command.',
    ...common,
  });
  const duration = new Gauge({
    name: 'face_sign_in_job_last_duration_seconds',
    help: 'Duration of the last run of the job in this process.',
    ...common,
  });
  return ({ jobs }) => {
    for (const family of [runs, failures, lastRun, lastSuccess, duration]) family.reset();
    for (const { name: job, ...state } of jobs ?? []) {
      runs.inc({ job }, state.runs);
      failures.inc({ job }, state.failures);
      if (state.succeededAt !== null) lastSuccess.set({ job }, state.succeededAt / MS);
      if (state.last === null) continue;
      lastRun.set({ job }, state.last.at / MS);
      duration.set({ job }, state.last.seconds);
    }
  };
}
