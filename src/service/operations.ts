/**
 * Wires what operators see of a running service. The parts of the service report events through small functions; the
 * portal keeps the metrics and states.
 */
import { build, commit, licences } from '../adapters/build.ts';
import { simpleWebAuthn } from '../adapters/passkeys/simplewebauthn.ts';
import { freeBytes } from '../adapters/system/system.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../domain/deps.ts';
import type { Galleries } from '../domain/galleries/galleries.ts';
import type { GalleryNotice } from '../domain/galleries/notices.ts';
import type { ServiceClock } from '../domain/known-time.ts';
import type { ScoreWatch } from '../domain/scores/watch.ts';
import { type Condition, conditionOf } from '../health/condition.ts';
import { createGalleryFaults, createMailState, createStreak } from '../health/states.ts';
import { listJobs } from '../jobs/jobs.ts';
import { runNow, type Schedule } from '../jobs/schedule.ts';
import { createJobWatch, type JobWatch } from '../jobs/watch.ts';
import type { OperationDeps } from '../operations/table/deps.ts';
import type { PortalOptions } from '../portal/app.ts';
import { type BuildInfo, createMetrics, type Metrics } from '../portal/metrics/metrics.ts';
import type { MailEnd } from '../ports/mailer.ts';
import type { Matcher } from '../ports/matcher.ts';
import type { Recording, Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { fileOf, vitalFileOf } from '../settings/database.ts';
import { VERSION } from '../version.ts';

export interface Operations {
  readonly metrics: Metrics;
  readonly jobs: JobWatch;
  readonly erasures: ReturnType<typeof createStreak>;
  readonly galleries: { record(notice: GalleryNotice): void };
  mailEnded(end: MailEnd): void;
  /** Called once all parts exist. @returns what the portal shows */
  watch(parts: WatchedParts): PortalSources;
}

interface WatchedParts {
  readonly clock: ServiceClock;
  readonly store: Store;
  readonly matcher: Matcher;
  readonly galleries: Galleries;
  readonly scores: ScoreWatch;
  readonly isDraining: () => boolean;
}

export interface PortalSources {
  readonly condition: () => Promise<Condition>;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

export function createOperations(config: Config, clock: Clock): Operations {
  const transport = config.mail?.kind ?? null;
  const metrics = createMetrics(
    buildInfo(),
    transport,
    fileOf(config.database) === null ? config.nodeName : null,
  );
  const now = () => clock.now();
  const mail = transport === null ? null : createMailState(transport, now);
  const jobs = createJobWatch(now());
  const erasures = createStreak(now);
  let matcherOf: Pick<Matcher, 'sequence'> | null = null;
  const faults = createGalleryFaults(now, gallery => matcherOf?.sequence(gallery) ?? 0);
  return {
    metrics,
    jobs,
    erasures,
    galleries: faults,
    mailEnded(end) {
      if (transport !== null) metrics.work.mailed(transport, end.isSent, end.seconds);
      mail?.ended(end);
    },
    watch({ clock: serviceClock, store, matcher, galleries, scores, isDraining }) {
      matcherOf = matcher;
      const condition = conditionOf({
        store,
        clock: serviceClock,
        clockLeapDays: config.clockLeapDays,
        matcher,
        galleries,
        scores,
        threshold: config.matchThreshold,
        settings: config,
        signingKeyDays: config.signingKeyDays,
        jobs,
        mail: () => mail?.state() ?? null,
        galleryFaults: faults,
        erasuresFailingSince: erasures.failingSince,
        freeBytes: () => freeBytes(vitalFileOf(config)),
        isDraining,
      });
      const text = async () => metrics.text(await condition());
      return { condition, metrics: { contentType: metrics.contentType, text } };
    },
  };
}

function buildInfo(): BuildInfo {
  const { commit, node, simd } = build();
  return { version: VERSION, commit, node, simd };
}

interface Parts extends Pick<OperationDeps, 'portal' | 'refusals' | 'auditCounts'> {
  readonly scores: Pick<ScoreWatch, 'findings'>;
  /** Null until the jobs run. */
  readonly schedule: () => Schedule | null;
}

/** What the portal needs besides the service itself. */
export function portalParts(
  deps: Deps,
  { condition, metrics }: PortalSources,
  { schedule, scores, ...parts }: Parts,
): Pick<PortalOptions, 'deps' | 'metrics'> {
  const jobs = {
    list: () => listJobs(deps),
    run: async (name: string, entry?: Recording) => runNow(schedule(), name, entry),
  };
  const program = { commit: commit(), licences };
  const findings = () => scores.findings();
  return {
    deps: { ...deps, ...parts, passkeys: simpleWebAuthn, condition, findings, jobs, program },
    metrics,
  };
}
