/**
 * Metrics of how well the threshold separates the users of an app, read anew for every scrape. Labels have the app's ID
 * and no user. Held by test/http/scores.test.ts.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Finding } from '../../domain/scores/watch.ts';

export function scoreFigures(registry: Registry): (findings: readonly Finding[]) => void {
  const registers = [registry];
  const labelNames = ['app', 'mode'] as const;
  const labelsOf = ({ gallery: { appId, mode } }: Finding) => ({ app: appId, mode });
  const rate = new Gauge({
    name: 'face_sign_in_impostor_fmr_estimate',
    help: 'Estimated false match rate between two users at MATCH_THRESHOLD, from a sample of the gallery (20 users or more). It may be wrong by a factor of four.',
    labelNames,
    registers,
  });
  const safeUsers = new Gauge({
    name: 'face_sign_in_impostor_safe_users',
    help: 'Estimated number of users up to which the gallery lets in at most 1 in 1,000 strangers (FPIR). The gallery is unsafe if it surely has more.',
    labelNames,
    registers,
  });
  const unsafe = new Gauge({
    name: 'face_sign_in_impostor_unsafe',
    help: '1 if MATCH_THRESHOLD does not separate the users of the app: surely more users than is safe (scores), or most enrollments refused as known faces (enrolments).',
    labelNames: [...labelNames, 'reason'],
    registers,
  });
  return findings => {
    rate.reset();
    safeUsers.reset();
    unsafe.reset();
    for (const finding of findings) {
      const labels = labelsOf(finding);
      if (finding.estimate) rate.set(labels, finding.estimate.fmr);
      if (finding.safety.safeUsers !== null) safeUsers.set(labels, finding.safety.safeUsers);
      for (const reason of ['scores', 'enrolments'] as const)
        unsafe.set({ ...labels, reason }, finding.unsafe.includes(reason) ? 1 : 0);
    }
  };
}
