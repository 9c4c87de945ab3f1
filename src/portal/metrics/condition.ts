/**
 * Figures of how the service is: taken over from one look at it whenever they are asked for, so that none outlives what it
 * is of. Galleries name an app by its id; the largest have series of their own, the others share one, so that apps
 * cannot make more than so many. Held by test/portal/metrics.test.ts.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Condition } from '../health/condition.ts';
import { PROBLEMS, problemsOf } from '../health/problems.ts';
import { jobFigures } from './jobs.ts';

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
      // What could not be looked at has no figure, and not an old one.
      if (seen === null || seen === undefined) own.remove();
      else own.set(seen);
    };
  };
  const deaths = new Counter({
    name: `${PREFIX}match_worker_deaths_total`,
    help: 'Matching workers that ended by themselves; each is replaced, unless it happens again and again.',
    registers,
  });
  const shows: Show[] = [
    gauge('database_up', '1 while the database answers and takes writes.', ({ isUp }) => Number(isUp)),
    gauge('draining', '1 while the service is being stopped.', ({ isDraining }) => Number(isDraining)),
    problemFigures(registry),
    gauge('match_workers', 'Matching workers that take searches.', ({ matcher }) => matcher.alive),
    gauge('match_workers_wanted', 'MATCH_THREADS.', ({ matcher }) => matcher.workers),
    ({ matcher }) => {
      deaths.reset();
      deaths.inc(matcher.deaths);
    },
    gauge(
      'match_queue_depth',
      'Searches and changes of galleries that wait at the matcher or are under way there.',
      ({ matcher }) => matcher.pending,
    ),
    gauge(
      'galleries_loaded',
      'Galleries (one of each app and mode) in memory.',
      ({ galleries }) => galleries.loaded,
    ),
    gauge(
      'galleries_loading',
      'Large galleries that are being loaded or wait for their turn.',
      ({ galleries }) => galleries.loading.length,
    ),
    gauge('templates', 'Templates in memory.', ({ held }) =>
      held.galleries.reduce((sum, { templates }) => sum + templates, 0),
    ),
    gauge(
      'templates_unreadable',
      'Templates of loaded galleries that do not open: they are left out of searches.',
      ({ galleries }) => galleries.unreadable.reduce((sum, { templates }) => sum + templates, 0),
    ),
    gauge('gallery_memory_bytes', 'Memory that holds galleries.', ({ held }) => held.bytes),
    gauge(
      'gallery_memory_budget_bytes',
      'MATCH_MEMORY_MB: beyond it the galleries go that were not used for longest.',
      ({ galleries }) => galleries.budgetBytes,
    ),
    galleryFigures(registry),
    gauge(
      'database_writes_waiting',
      'Writes that wait in the queue of the database or are being made durable.',
      ({ store }) => store?.writesWaiting,
    ),
    fileFigures(registry),
    gauge('disk_free_bytes', 'Room on the disk of the database.', ({ freeBytes }) => freeBytes),
    gauge(
      'erasures_unjournaled',
      'Erasures that the journal beside the database lacks.',
      ({ store }) => store?.unjournaled,
    ),
    jobFigures(registry),
    gauge(
      'signing_key_age_seconds',
      'How long the current signing key has signed; it is replaced at SIGNING_KEY_DAYS.',
      ({ signingKey, at }) =>
        signingKey === null || signingKey.signsSince === null ? null : (at - signingKey.signsSince) / MS,
    ),
    gauge('signing_keys', 'Signing keys that are published.', ({ signingKey }) => signingKey?.published),
    gauge(
      'signing_keys_unreadable',
      'Signing keys that do not open: they are left out.',
      ({ store }) => store?.unreadableSigningKeys,
    ),
  ];
  return condition => {
    for (const show of shows) show(condition);
  };
}

function problemFigures(registry: Registry): Show {
  const problems = new Gauge({
    name: `${PREFIX}problem`,
    help: '1 while something waits for an operator: the names are those of `problems` in /health of the portal, which says what to do.',
    labelNames: ['name'],
    registers: [registry],
  });
  return condition => {
    const found = new Set(problemsOf(condition).map(({ name }) => name));
    for (const name of PROBLEMS) problems.set({ name }, found.has(name) ? 1 : 0);
  };
}

function galleryFigures(registry: Registry): Show {
  const own = (what: string, unit: string) =>
    new Gauge({
      name: `${PREFIX}gallery_${unit}`,
      help: `${what} of each gallery in memory; those of all but the ${MOST_GALLERIES} largest together have the app "${OTHERS}".`,
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
