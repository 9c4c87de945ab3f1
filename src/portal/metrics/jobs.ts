/** Figures of the scheduled jobs, by their names. Held by test/portal/metrics.test.ts. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Condition } from '../health/condition.ts';

const MS = 1_000;

export function jobFigures(registry: Registry): (condition: Condition) => void {
  const common = { labelNames: ['job'] as const, registers: [registry] };
  const runs = new Counter({
    name: 'face_sign_in_job_runs_total',
    help: 'Runs of a scheduled job by this process, failed ones included.',
    ...common,
  });
  const failures = new Counter({
    name: 'face_sign_in_job_failures_total',
    help: 'Runs of a scheduled job by this process that failed.',
    ...common,
  });
  const lastRun = new Gauge({
    name: 'face_sign_in_job_last_run_timestamp_seconds',
    help: 'When the job last ended in this process, well or not.',
    ...common,
  });
  const lastSuccess = new Gauge({
    name: 'face_sign_in_job_last_success_timestamp_seconds',
    help: 'When the job last ended well, in this process, an earlier one or by command.',
    ...common,
  });
  const duration = new Gauge({
    name: 'face_sign_in_job_last_duration_seconds',
    help: 'How long the last run of the job by this process took.',
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
