/**
 * The current condition of the service, for health, `/metrics` and the operators' page. A part that cannot be read is
 * null, and the others are still reported. It names apps, and people only by id. Held by test/portal/health.test.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleriesStatus } from '../domain/galleries/galleries.ts';
import { type ClockFault, faultOf, type ServiceClock } from '../domain/known-time.ts';
import { type Budget, type BudgetSources, usedBudgets } from '../domain/limits/budgets.ts';
import type { Finding } from '../domain/scores/watch.ts';
import { currentOf } from '../domain/tokens/signing-keys.ts';
import type { JobState, JobWatch } from '../jobs/watch.ts';
import type { Matcher, MatcherStats, MatcherWork } from '../ports/matcher.ts';
import type { NodeRecord } from '../ports/nodes.ts';
import type { GalleryEncoder, LookAlikes, Store, StoreFigures } from '../ports/store.ts';
import { DAY } from '../protocol/limits.ts';
import type { GalleryFault, MailState, WebhookState } from './states.ts';

interface ConditionSources {
  readonly store: Pick<
    Store,
    | 'ping'
    | 'figures'
    | 'jobRuns'
    | 'knownTime'
    | 'signingKeys'
    | 'encoders'
    | 'nodes'
    | 'lookAlikes'
    | 'listWebhooks'
    | 'webhookFigures'
  > &
    BudgetSources['store'];
  readonly clock: ServiceClock;
  readonly clockLeapDays: number;
  readonly matcher: Pick<Matcher, 'work' | 'stats'>;
  readonly galleries: { status(): GalleriesStatus };
  readonly scores: { findings(): readonly Finding[] };
  readonly threshold: number;
  readonly settings: BudgetSources['settings'];
  readonly signingKeyDays: number;
  readonly jobs: Pick<JobWatch, 'states'>;
  readonly mail: () => MailState | null;
  readonly galleryFaults: {
    list(): readonly GalleryFault[];
    forget(isGone: (gallery: { readonly appId: string }) => boolean): void;
  };
  readonly erasuresFailingSince: () => number | null;
  /** Free bytes on the disk of the database. */
  readonly freeBytes: () => Promise<number>;
  readonly isDraining: () => boolean;
}

export interface Condition {
  readonly at: number;
  readonly isDraining: boolean;
  /** Whether the database answers and accepts writes. */
  readonly isUp: boolean;
  readonly store: StoreFigures | null;
  readonly freeBytes: number | null;
  readonly matcher: MatcherWork;
  readonly held: MatcherStats;
  readonly galleries: GalleriesStatus;
  readonly galleryFaults: readonly GalleryFault[];
  readonly scores: readonly Finding[];
  /** The encoder that each gallery remembers. */
  readonly encoders: readonly GalleryEncoder[] | null;
  /** MATCH_THRESHOLD. */
  readonly threshold: number;
  /** What apps have used half of, or more. */
  readonly budgets: readonly Budget[] | null;
  /** Users whom faces could not tell apart, several times in the last 30 days. */
  readonly lookAlikes: readonly LookAlikes[] | null;
  /** Webhooks, and what waits for them. */
  readonly webhooks: WebhookState | null;
  readonly jobs: readonly JobState[] | null;
  readonly mail: MailState | null;
  readonly signingKey: SigningKeyState | null;
  readonly erasuresFailingSince: number | null;
  /** Null: the clock can be believed, or the database does not answer. */
  readonly clockFault: ClockFault | null;
  /** Null: there is only one, or they cannot be read. */
  readonly nodes: readonly NodeRecord[] | null;
}

interface SigningKeyState {
  /** When the current key began to sign. Null: there is no key. */
  readonly signsSince: number | null;
  readonly published: number;
  /** The age at which the key is replaced. */
  readonly maxAgeMs: number;
}

/** The least time between two test writes. Without them a failure could stay unseen for hours. */
const PROBE_EVERY_MS = 10_000;
const LOOK_ALIKES_MS = 30 * DAY;
const LOOK_ALIKES_TIMES = 3;
const LOOK_ALIKES_SHOWN = 10;
/** How long to wait for the database: health checks have short timeouts. */
const DATABASE_TIMEOUT_MS = 2_000;

/** @returns a function that reads the current condition */
export function conditionOf(sources: ConditionSources): () => Promise<Condition> {
  const { store, clock, matcher, galleries, galleryFaults, jobs } = sources;
  let acceptsWrites = true;
  let probing: Promise<void> | null = null;
  let probedAt = Number.NEGATIVE_INFINITY;

  function probe(): Promise<void> {
    probedAt = performance.now();
    return store
      .ping('writing')
      .then(
        () => true,
        () => false,
      )
      .then(isWritten => {
        acceptsWrites = isWritten;
        probing = null;
        // After a failure the next check tries again at once.
        if (!isWritten) probedAt = Number.NEGATIVE_INFINITY;
      });
  }

  async function isUp(): Promise<boolean> {
    if (performance.now() - probedAt >= PROBE_EVERY_MS) probing ??= probe();
    // A write may have to wait for a rebuild of the database. Until it ends, the result of the last one counts.
    await Promise.race([probing, delay(DATABASE_TIMEOUT_MS, undefined, { ref: false })]);
    const answers = store.ping().then(
      () => true,
      () => false,
    );
    const late = delay(DATABASE_TIMEOUT_MS, false, { ref: false });
    return acceptsWrites && (await Promise.race([answers, late]));
  }

  async function signingKey(): Promise<SigningKeyState> {
    const now = clock.now();
    const keys = await store.signingKeys(now);
    return {
      signsSince: currentOf(keys, now)?.signsAt ?? null,
      published: keys.length,
      maxAgeMs: sources.signingKeyDays * DAY,
    };
  }

  async function webhooks(): Promise<WebhookState> {
    const webhooks = await store.listWebhooks('all');
    return { ...(await store.webhookFigures(webhooks)), webhooks };
  }

  async function currentFaults(): Promise<readonly GalleryFault[]> {
    if (galleryFaults.list().length > 0) {
      const apps = await orNull(store.listApps());
      if (apps) galleryFaults.forget(({ appId }) => !apps.some(({ id }) => id === appId));
    }
    return galleryFaults.list();
  }

  return async () => {
    // First, so that the test write is not counted among the waiting writes.
    const up = await isUp();
    const [figures, free, runs, key, faults, encoders, nodes, used, known, pairs, hooks] = await Promise.all([
      orNull(store.figures()),
      orNull(sources.freeBytes()),
      orNull(store.jobRuns()),
      orNull(signingKey()),
      currentFaults(),
      orNull(store.encoders()),
      store.nodes && orNull(store.nodes.seen()),
      orNull(usedBudgets(sources)),
      orNull(store.knownTime()),
      orNull(store.lookAlikes(clock.now() - LOOK_ALIKES_MS, LOOK_ALIKES_TIMES, LOOK_ALIKES_SHOWN)),
      orNull(webhooks()),
    ]);
    return {
      at: clock.now(),
      isDraining: sources.isDraining(),
      isUp: up,
      store: figures,
      freeBytes: free,
      matcher: matcher.work(),
      held: matcher.stats(),
      galleries: galleries.status(),
      galleryFaults: faults,
      scores: sources.scores.findings(),
      encoders,
      threshold: sources.threshold,
      budgets: used,
      lookAlikes: pairs,
      webhooks: hooks,
      jobs: runs && jobs.states(runs, clock.now()),
      mail: sources.mail(),
      signingKey: key,
      erasuresFailingSince: sources.erasuresFailingSince(),
      clockFault: known === null ? null : faultOf(known, clock.system.now(), sources.clockLeapDays),
      nodes,
    };
  };
}

function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  return answer.catch(() => null);
}
