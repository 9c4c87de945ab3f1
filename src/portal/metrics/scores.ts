/**
 * Figures of how well the threshold tells the people of an app apart: read when asked, so a figure lives no longer than
 * what it is of. Labels name an app by its id, and nobody else. Held by test/http/scores.test.ts.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Finding } from '../../domain/scores/watch.ts';

export function scoreFigures(registry: Registry): (findings: readonly Finding[]) => void {
  const registers = [registry];
  const labelNames = ['app', 'mode'] as const;
  const labelsOf = ({ gallery: { appId, mode } }: Finding) => ({ app: appId, mode });
  const rate = new Gauge({
    name: 'face_sign_in_impostor_fmr_estimate',
    help: 'Estimated false match rate of two users at MATCH_THRESHOLD, from a sample of the gallery (20 users or more). It may be wrong by a factor of four.',
    labelNames,
    registers,
  });
  const safeUsers = new Gauge({
    name: 'face_sign_in_impostor_safe_users',
    help: 'Users up to which at most 1 in 1,000 strangers is let in (FPIR), by the estimated FMR. The gallery is unsafe when it surely has more.',
    labelNames,
    registers,
  });
  const unsafe = new Gauge({
    name: 'face_sign_in_impostor_unsafe',
    help: '1 where MATCH_THRESHOLD does not tell the people of the app apart: surely more users than is safe (scores), or most enrolments refused as known faces (enrolments).',
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
