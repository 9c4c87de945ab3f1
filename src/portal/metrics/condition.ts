/**
 * Metrics of the service's condition, read anew for every scrape, so that no value is stale. A gallery's labels are its
 * app ID and mode. The largest galleries have their own series and the others share one, so that the number of series
 * is limited. Held by test/portal/metrics.test.ts.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { shareOf } from '../../domain/limits/budgets.ts';
import type { Condition } from '../../health/condition.ts';
import { PROBLEMS } from '../../health/problem.ts';
import { problemsOf } from '../../health/problems.ts';

const MOST_GALLERIES = 100;
const OTHERS = 'other';
const MS = 1_000;
const PREFIX = 'face_sign_in_';

type Show = (condition: Condition) => void;

export function conditionFigures(registry: Registry): Show {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    value: (condition: Condition) => number | null | undefined,
  ): Show => {
    const own = new Gauge({ name: PREFIX + name, help, registers });
    return condition => {
      const seen = value(condition);
      // A value that could not be read is missing, not stale.
      if (seen === null || seen === undefined) own.remove();
      else own.set(seen);
    };
  };
  const deaths = new Counter({
    name: `${PREFIX}match_worker_deaths_total`,
    help: 'Matching workers that crashed. Each is replaced, unless it crashes repeatedly.',
    registers,
  });
  const shows: Show[] = [
    gauge('database_up', '1 if the database answers and accepts writes.', ({ isUp }) => Number(isUp)),
    gauge('draining', '1 while the service is stopping.', ({ isDraining }) => Number(isDraining)),
    problemFigures(registry),
    budgetFigures(registry),
    gauge('match_workers', 'Matching workers that are running.', ({ matcher }) => matcher.alive),
    gauge(
      'match_workers_wanted',
      'Matching workers that should be running: MATCH_THREADS.',
      ({ matcher }) => matcher.workers,
    ),
    ({ matcher }) => {
      deaths.reset();
      deaths.inc(matcher.deaths);
    },
    gauge(
      'match_queue_depth',
      'Searches and gallery changes that wait in the matcher or are in progress.',
      ({ matcher }) => matcher.pending,
    ),
    gauge(
      'galleries_loaded',
      'Galleries in memory. Each app and mode has one.',
      ({ galleries }) => galleries.loaded,
    ),
    gauge(
      'galleries_loading',
      'Large galleries that are being loaded or wait to be loaded.',
      ({ galleries }) => galleries.loading.length,
    ),
    gauge('templates', 'Templates in memory.', ({ held }) =>
      held.galleries.reduce((sum, { templates }) => sum + templates, 0),
    ),
    gauge(
      'templates_unreadable',
      'Templates of loaded galleries that cannot be decrypted. Searches skip them.',
      ({ galleries }) => galleries.unreadable.reduce((sum, { templates }) => sum + templates, 0),
    ),
    gauge('gallery_memory_bytes', 'Memory used by galleries.', ({ held }) => held.bytes),
    gauge(
      'gallery_memory_budget_bytes',
      'MATCH_MEMORY_MB. Above it, the least recently used galleries are unloaded.',
      ({ galleries }) => galleries.budgetBytes,
    ),
    galleryFigures(registry),
    gauge(
      'database_writes_waiting',
      'Writes that wait in the queue of the database or are being committed.',
      ({ store }) => store?.writesWaiting,
    ),
    fileFigures(registry),
    gauge('disk_free_bytes', 'Free space on the disk of the database.', ({ freeBytes }) => freeBytes),
    gauge(
      'erasures_unjournaled',
      'Erasures that are not yet in the journal beside the database.',
      ({ store }) => store?.unjournaled,
    ),
    jobFigures(registry),
    gauge(
      'signing_key_age_seconds',
      'How long the current signing key has been in use. It is replaced after SIGNING_KEY_DAYS.',
      ({ signingKey, at }) =>
        signingKey === null || signingKey.signsSince === null ? null : (at - signingKey.signsSince) / MS,
    ),
    gauge('signing_keys', 'Published signing keys.', ({ signingKey }) => signingKey?.published),
    gauge(
      'signing_keys_unreadable',
      'Signing keys that cannot be decrypted. They are not used.',
      ({ store }) => store?.unreadableSigningKeys,
    ),
    gauge(
      'nodes',
      'Nodes seen on this database in the last minute; 1 with a database file.',
      ({ nodes, store }) => nodes?.length ?? (store?.file ? 1 : null),
    ),
  ];
  return condition => {
    for (const show of shows) show(condition);
  };
}

function problemFigures(registry: Registry): Show {
  const problems = new Gauge({
    name: `${PREFIX}problem`,
    help: '1 if this problem exists. The names are those of `problems` in /health of the portal, which also has the fix.',
    labelNames: ['name'],
    registers: [registry],
  });
  return condition => {
    const found = new Set(problemsOf(condition).map(({ name }) => name));
    for (const name of PROBLEMS) problems.set({ name }, found.has(name) ? 1 : 0);
  };
}

function budgetFigures(registry: Registry): Show {
  const shares = new Gauge({
    name: `${PREFIX}budget_used_ratio`,
    help: `Share of an app's plan for the month, and of its failed faces for the day, that is used. Only from 0.5 on, and only the ${MOST_GALLERIES} fullest.`,
    labelNames: ['app', 'mode', 'budget'],
    registers: [registry],
  });
  return ({ budgets }) => {
    shares.reset();
    for (const budget of (budgets ?? []).slice(0, MOST_GALLERIES)) {
      const { of, gallery } = budget;
      shares.set({ app: gallery.appId, mode: gallery.mode, budget: of }, shareOf(budget));
    }
  };
}

function galleryFigures(registry: Registry): Show {
  const own = (what: string, unit: string) =>
    new Gauge({
      name: `${PREFIX}gallery_${unit}`,
      help: `${what} of each gallery in memory. All but the ${MOST_GALLERIES} largest are added up as app "${OTHERS}".`,
      labelNames: ['app', 'mode'],
      registers: [registry],
    });
  const [templates, bytes] = [own('Templates', 'templates'), own('Bytes', 'bytes')];
  return ({ held }) => {
    templates.reset();
    bytes.reset();
    held.galleries
      .toSorted((a, b) => b.bytes - a.bytes)
      .forEach(({ key, ...size }, place) => {
        const labels = { app: place < MOST_GALLERIES ? key.appId : OTHERS, mode: key.mode };
        templates.inc(labels, size.templates);
        bytes.inc(labels, size.bytes);
      });
  };
}

function fileFigures(registry: Registry): Show {
  const files = new Gauge({
    name: `${PREFIX}database_file_bytes`,
    help: 'Size of the database file and of its write-ahead log.',
    labelNames: ['file'],
    registers: [registry],
  });
  return ({ store }) => {
    files.reset();
    if (!store?.file) return;
    files.set({ file: 'database' }, store.file.bytes);
    files.set({ file: 'wal' }, store.file.logBytes);
  };
}

function jobFigures(registry: Registry): Show {
  const common = { labelNames: ['job'] as const, registers: [registry] };
  const runs = new Counter({
    name: `${PREFIX}job_runs_total`,
    help: 'Runs of the job in this process, including failed ones.',
    ...common,
  });
  const failures = new Counter({
    name: `${PREFIX}job_failures_total`,
    help: 'Failed runs of the job in this process.',
    ...common,
  });
  const lastRun = new Gauge({
    name: `${PREFIX}job_last_run_timestamp_seconds`,
    help: 'When the job last ended in this process, whether or not it succeeded.',
    ...common,
  });
  const lastSuccess = new Gauge({
    name: `${PREFIX}job_last_success_timestamp_seconds`,
    help: 'When the job last succeeded, in this process, in an earlier one or by command.',
    ...common,
  });
  const duration = new Gauge({
    name: `${PREFIX}job_last_duration_seconds`,
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
