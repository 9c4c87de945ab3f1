/**
 * Health for operators, with the details that the public `/health` leaves out. `degraded` is still 200: the service
 * works, but something needs an operator. Held by test/portal/health.test.ts and
 * test/http/gallery-loading.long.test.ts.
 */

import type { JobState } from '../jobs/watch.ts';
import type { NodeRecord } from '../ports/nodes.ts';
import type { Answer } from '../protocol/portal/answers.ts';
import { isoOrNull } from '../protocol/time.ts';
import { VERSION } from '../version.ts';
import type { Condition } from './condition.ts';
import { problemsOf, statusOf } from './problems.ts';
import { watchedApps } from './safety.ts';

const MS = 1_000;

export function healthAnswer(condition: Condition): {
  readonly status: 200 | 503;
  readonly body: Answer<'fullHealth'>;
} {
  const problems = problemsOf(condition);
  const status = statusOf(condition, problems);
  return {
    status: status === 'down' ? 503 : 200,
    body: {
      status,
      db: condition.isUp ? 'ok' : 'down',
      version: VERSION,
      draining: condition.isDraining,
      problems: problems.map(problem => ({ ...problem, since: isoOrNull(problem.since) })),
      ...parts(condition),
    },
  };
}

function parts(condition: Condition): Record<string, unknown> {
  const { store, freeBytes, matcher, galleries, jobs, mail, signingKey } = condition;
  const { loading, loaded, bytes, budgetBytes } = galleries;
  return {
    database: store && {
      bytes: store.file?.bytes ?? null,
      log_bytes: store.file?.logBytes ?? null,
      writes_waiting: store.writesWaiting,
      disk_free_bytes: freeBytes,
    },
    matcher,
    galleries: {
      loading: loading.map(({ gallery, ...progress }) => ({
        app_id: gallery.appId,
        mode: gallery.mode,
        ...progress,
      })),
      unreadable: galleries.unreadable.map(({ gallery, templates }) => ({
        app_id: gallery.appId,
        mode: gallery.mode,
        templates,
      })),
      loaded,
      bytes,
      budget_bytes: budgetBytes,
    },
    apps: watchedApps(condition.scores, condition.encoders ?? []),
    jobs: jobs?.map(jobView) ?? null,
    mail: mail && {
      transport: mail.transport,
      failures: mail.failures,
      failing_since: isoOrNull(mail.failingSince),
      last_failure: isoOrNull(mail.failedAt),
    },
    signing_key: signingKey && {
      signs_since: isoOrNull(signingKey.signsSince),
      published: signingKey.published,
      unreadable: store?.unreadableSigningKeys ?? null,
    },
    erasures: store && {
      unjournaled: store.unjournaled,
      rebuild_fails: store.file?.rebuildFails ?? false,
      failing_since: isoOrNull(condition.erasuresFailingSince),
    },
    nodes: condition.nodes?.map(nodeView) ?? null,
  };
}

function nodeView({ name, version, startedAt, seenAt, lagMs, clockOffsetMs }: NodeRecord): object {
  return {
    name,
    version,
    started: isoOrNull(startedAt),
    seen: isoOrNull(seenAt),
    lag_ms: lagMs,
    clock_offset_ms: clockOffsetMs,
  };
}

function jobView({ name, last, succeededAt, failingSince, isOverdue }: JobState): object {
  return {
    name,
    last_success: isoOrNull(succeededAt),
    last_run: isoOrNull(last?.at ?? null),
    last_run_seconds: last === null ? null : Math.round(last.seconds * MS) / MS,
    failing_since: isoOrNull(failingSince),
    overdue: isOverdue,
  };
}
