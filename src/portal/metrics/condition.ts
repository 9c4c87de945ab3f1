/**
 * Metrics of the service's condition, read anew for every scrape, so that no value is stale. A gallery's labels are its
 * app ID and mode, and no user. The largest galleries have their own series and the others share one, so that the
 * number of series is limited. Held by test/portal/metrics.test.ts and test/http/scores.test.ts.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { shareOf } from '../../domain/limits/budgets.ts';
import type { Condition } from '../../health/condition.ts';
import { PROBLEMS, problemsOf } from '../../health/problems.ts';
import type { GalleryKey } from '../../ports/matcher.ts';

const MOST_GALLERIES = 100;
const OTHERS = 'other';
const MS = 1_000;

type Job = NonNullable<Condition['jobs']>[number];
type Labels = Readonly<Record<string, string>>;
/** A value that could not be read is missing, not stale. */
type Values = (
  condition: Condition,
) => number | null | undefined | readonly (readonly [Labels, number | null])[];
/** With labels, a value for each set of them; equal sets are added up. */
type Figure = readonly [name: string, help: string, values: Values, labels?: readonly string[]];

const GALLERY = ['app', 'mode'];

const FIGURES: readonly Figure[] = [
  ['database_up', '1 if the database answers and accepts writes.', ({ isUp }) => Number(isUp)],
  ['draining', '1 while the service is stopping.', ({ isDraining }) => Number(isDraining)],
  [
    'problem',
    '1 if this problem exists. The names are those of `problems` in /health of the portal, which also has the fix.',
    condition => {
      const found = new Set(problemsOf(condition).map(({ name }) => name));
      return PROBLEMS.map(name => [{ name }, found.has(name) ? 1 : 0]);
    },
    ['name'],
  ],
  [
    'budget_used_ratio',
    `Share of an app's plan for the month, and of its failed faces for the day, that is used. Only from 0.5 on, and only the ${MOST_GALLERIES} fullest.`,
    ({ budgets }) =>
      (budgets ?? [])
        .slice(0, MOST_GALLERIES)
        .map(one => [{ ...labelsOf(one), budget: one.of }, shareOf(one)]),
    [...GALLERY, 'budget'],
  ],
  ['match_workers', 'Matching workers that are running.', ({ matcher }) => matcher.alive],
  [
    'match_workers_wanted',
    'Matching workers that should be running: MATCH_THREADS.',
    ({ matcher }) => matcher.workers,
  ],
  [
    'match_worker_deaths_total',
    'Matching workers that crashed. Each is replaced, unless it crashes repeatedly.',
    ({ matcher }) => matcher.deaths,
  ],
  [
    'match_queue_depth',
    'Searches and gallery changes that wait in the matcher or are in progress.',
    ({ matcher }) => matcher.pending,
  ],
  [
    'galleries_loaded',
    'Galleries in memory. Each app and mode has one.',
    ({ galleries }) => galleries.loaded,
  ],
  [
    'galleries_loading',
    'Large galleries that are being loaded or wait to be loaded.',
    ({ galleries }) => galleries.loading.length,
  ],
  ['templates', 'Templates in memory.', ({ held }) => templatesIn(held.galleries)],
  [
    'templates_unreadable',
    'Templates of loaded galleries that cannot be decrypted. Searches skip them.',
    ({ galleries }) => templatesIn(galleries.unreadable),
  ],
  ['gallery_memory_bytes', 'Memory used by galleries.', ({ held }) => held.bytes],
  [
    'gallery_memory_budget_bytes',
    'MATCH_MEMORY_MB. Above it, the least recently used galleries are unloaded.',
    ({ galleries }) => galleries.budgetBytes,
  ],
  ofGalleries('templates', 'Templates'),
  ofGalleries('bytes', 'Bytes'),
  [
    'database_writes_waiting',
    'Writes that wait in the queue of the database or are being committed.',
    ({ store }) => store?.writesWaiting,
  ],
  [
    'database_file_bytes',
    'Size of the database file and of its write-ahead log.',
    ({ store }) =>
      store?.file
        ? [
            [{ file: 'database' }, store.file.bytes],
            [{ file: 'wal' }, store.file.logBytes],
          ]
        : [],
    ['file'],
  ],
  ['disk_free_bytes', 'Free space on the disk of the database.', ({ freeBytes }) => freeBytes],
  [
    'erasures_unjournaled',
    'Erasures that are not yet in the journal beside the database.',
    ({ store }) => store?.unjournaled,
  ],
  ofJobs('runs_total', 'Runs of the job in this process, including failed ones.', ({ runs }) => runs),
  ofJobs('failures_total', 'Failed runs of the job in this process.', ({ failures }) => failures),
  ofJobs(
    'last_run_timestamp_seconds',
    'When the job last ended in this process, whether or not it succeeded.',
    ({ last }) => last && last.at / MS,
  ),
  ofJobs(
    'last_success_timestamp_seconds',
    'When the job last succeeded, in this process, in an earlier one or by command.',
    ({ succeededAt }) => succeededAt && succeededAt / MS,
  ),
  ofJobs(
    'last_duration_seconds',
    'Duration of the last run of the job in this process.',
    ({ last }) => last?.seconds ?? null,
  ),
  [
    'signing_key_age_seconds',
    'How long the current signing key has been in use. It is replaced after SIGNING_KEY_DAYS.',
    ({ signingKey, at }) =>
      signingKey === null || signingKey.signsSince === null ? null : (at - signingKey.signsSince) / MS,
  ],
  ['signing_keys', 'Published signing keys.', ({ signingKey }) => signingKey?.published],
  [
    'signing_keys_unreadable',
    'Signing keys that cannot be decrypted. They are not used.',
    ({ store }) => store?.unreadableSigningKeys,
  ],
  [
    'webhook_events_waiting',
    'Events that wait for webhooks: all that are tried again, and up to 10,000 others of each webhook.',
    ({ webhooks }) => webhooks?.waiting,
  ],
  [
    'webhook_oldest_waiting_seconds',
    'How long ago the oldest event happened that waits for a webhook; 0 if none does.',
    ({ webhooks, at }) => webhooks && (webhooks.oldestAt === null ? 0 : (at - webhooks.oldestAt) / MS),
  ],
  [
    'nodes',
    'Nodes seen on this database in the last minute; 1 with a database file.',
    ({ nodes, store }) => nodes?.length ?? (store?.file ? 1 : null),
  ],
  [
    'impostor_fmr_estimate',
    'Estimated false match rate between two users at MATCH_THRESHOLD, from a sample of the gallery (20 users or more). It may be wrong by a factor of four.',
    ({ scores }) => scores.map(one => [labelsOf(one), one.estimate?.fmr ?? null]),
    GALLERY,
  ],
  [
    'impostor_safe_users',
    'Estimated number of users up to which the gallery lets in at most 1 in 1,000 strangers (FPIR). The gallery is unsafe if it surely has more.',
    ({ scores }) => scores.map(one => [labelsOf(one), one.safety.safeUsers]),
    GALLERY,
  ],
  [
    'impostor_unsafe',
    '1 if MATCH_THRESHOLD does not separate the users of the app: surely more users than is safe (scores), or most enrollments refused as known faces (enrolments).',
    ({ scores }) =>
      scores.flatMap(one =>
        (['scores', 'enrolments'] as const).map(
          reason => [{ ...labelsOf(one), reason }, one.unsafe.includes(reason) ? 1 : 0] as const,
        ),
      ),
    [...GALLERY, 'reason'],
  ],
];

/** @returns a function that shows a condition */
export function conditionFigures(registry: Registry): (condition: Condition) => void {
  const shows = FIGURES.map(([name, help, values, labels = []]) => {
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    const own = new Kind({ name: `face_sign_in_${name}`, help, labelNames: labels, registers: [registry] });
    return (condition: Condition) => {
      const seen = values(condition) ?? [];
      own.reset();
      // Without labels, a reset leaves a zero.
      if (labels.length === 0) own.remove();
      for (const [of, value] of typeof seen === 'number' ? [[{}, seen] as const] : seen)
        if (value !== null) own.inc(of, value);
    };
  });
  return condition => {
    for (const show of shows) show(condition);
  };
}

function labelsOf({ gallery }: { readonly gallery: GalleryKey }): Labels {
  return { app: gallery.appId, mode: gallery.mode };
}

function templatesIn(galleries: readonly { readonly templates: number }[]): number {
  return galleries.reduce((sum, { templates }) => sum + templates, 0);
}

function ofGalleries(unit: 'templates' | 'bytes', what: string): Figure {
  return [
    `gallery_${unit}`,
    `${what} of each gallery in memory. All but the ${MOST_GALLERIES} largest are added up as app "${OTHERS}".`,
    ({ held }) =>
      held.galleries
        .toSorted((a, b) => b.bytes - a.bytes)
        .map((one, place) => [
          { app: place < MOST_GALLERIES ? one.key.appId : OTHERS, mode: one.key.mode },
          one[unit],
        ]),
    GALLERY,
  ];
}

/** By job name. */
function ofJobs(name: string, help: string, value: (job: Job) => number | null): Figure {
  return [
    `job_${name}`,
    help,
    ({ jobs }) => (jobs ?? []).map(state => [{ job: state.name }, value(state)]),
    ['job'],
  ];
}
