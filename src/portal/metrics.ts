/**
 * What `/metrics` tells, in the format of Prometheus: read when asked, so a figure lives no longer than what it is of.
 * Labels name an app by its id, and nobody else. A family of figures is a gauge here and a source in `MetricSources`.
 * Held by test/http/scores.test.ts.
 */
import { Gauge, Registry } from 'prom-client';
import type { Finding } from '../domain/scores/watch.ts';

export interface MetricSources {
  readonly scores: () => readonly Finding[];
}

export function createMetrics({ scores }: MetricSources): Registry {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['app', 'mode'] as const;
  const labelsOf = ({ gallery: { appId, mode } }: Finding) => ({ app: appId, mode });
  new Gauge({
    name: 'face_sign_in_impostor_fmr_estimate',
    help: 'Estimated false match rate of two users at MATCH_THRESHOLD, from a sample of the gallery (20 users or more).',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const finding of scores()) if (finding.estimate) this.set(labelsOf(finding), finding.estimate.fmr);
    },
  });
  new Gauge({
    name: 'face_sign_in_impostor_unsafe',
    help: '1 where MATCH_THRESHOLD does not tell the people of the app apart: by the scores of its users, or by the enrolments refused as known faces.',
    labelNames: [...labelNames, 'reason'],
    registers,
    collect() {
      this.reset();
      for (const finding of scores())
        for (const reason of ['scores', 'enrolments'] as const)
          this.set({ ...labelsOf(finding), reason }, finding.unsafe.includes(reason) ? 1 : 0);
    },
  });
  return registry;
}
