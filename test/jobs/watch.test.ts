/** What is known of scheduled jobs: failures, success by anybody, being overdue; and a stop in the middle of one. */
import { mock } from 'node:test';
import { pino } from 'pino';
import * as assert from 'uvu/assert';
import type { AdminDeps } from '../../src/domain/deps.ts';
import { findJob, JOBS, runJob } from '../../src/jobs/jobs.ts';
import { startJobs } from '../../src/jobs/schedule.ts';
import { createJobWatch } from '../../src/jobs/watch.ts';
import type { Store } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';

const test = suite('job watch');
// Before the first schedule: the zone of the machine is read once.
process.env.TZ = 'America/St_Johns';
const HOUR = 3_600_000;
/** Long enough after the epoch for every job to have been missed. */
const NOW = 1_000 * HOUR;
const NONE: ReadonlyMap<string, number> = new Map();

test('a job fails from its first failure until it ends well, here or by command', () => {
  const watch = createJobWatch(0);
  const state = (successes = NONE, now = 100) =>
    watch.states(successes, now).find(({ name }) => name === 'events');
  assert.equal(state()?.failingSince, null);
  watch.ended('events', { at: 10, seconds: 1, failed: true });
  watch.ended('events', { at: 20, seconds: 2, failed: true });
  const failing = state(new Map([['events', 5]]));
  assert.equal(
    [failing?.failingSince, failing?.runs, failing?.failures, failing?.succeededAt],
    [10, 2, 2, 5],
  );
  assert.equal(failing?.last, { at: 20, seconds: 2, failed: true });
  assert.is(state(new Map([['events', 30]]))?.failingSince, null, 'by command, later');
  watch.ended('events', { at: 40, seconds: 1, failed: false });
  assert.equal([state()?.failingSince, state()?.runs, state()?.failures], [null, 3, 2]);
});

test('a job is overdue after one and a half periods without a success, counted from the start at the earliest', () => {
  const watch = createJobWatch(1_000 * HOUR);
  const overdue = (hours: number, successes = NONE) =>
    watch
      .states(successes, (1_000 + hours) * HOUR)
      .filter(({ isOverdue }) => isOverdue)
      .map(({ name }) => name)
      .sort();
  const hourly = ['challenges', 'data-keys', 'outbox', 'signing-key', 'tokens'];
  assert.equal(overdue(1.5), []);
  assert.equal(overdue(1.6), hourly);
  assert.equal(
    overdue(
      1.6,
      hourly.reduce((map, name) => map.set(name, 1_001 * HOUR), new Map()),
    ),
    [],
  );
  assert.equal(overdue(36.1).sort(), JOBS.map(({ name }) => name).sort());
});

function jobsWith(store: object, lookAgainMs?: number) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: line => void lines.push(line) });
  const watch = createJobWatch(0);
  const settings = { signingKeyDays: 30 };
  const alone: Store['alone'] = (_, work) => work(new AbortController().signal);
  const deps = {
    store: { alone, jobRuns: async () => NONE, knownTime: async () => null, ...store },
    clock: { now: () => NOW },
    settings,
  };
  return { stop: startJobs(deps as unknown as AdminDeps, log, watch, lookAgainMs).stop, watch, lines };
}

test('jobs that throw are reported, in the log and to the watch', async () => {
  const { stop, watch, lines } = jobsWith({});
  while (lines.length < JOBS.length) await new Promise(resolve => setTimeout(resolve, 5));
  await stop();
  for (const { name, runs, failures, failingSince } of watch.states(NONE, NOW))
    assert.equal([runs, failures, failingSince], [1, 1, NOW], name);
  for (const line of lines) assert.match(line, /"level":50.*job failed/);
});

test('a job that another node runs is looked at until it has run, and done by this one if the other dies', async () => {
  const takes = new Map<string, number>();
  const runs = new Map<string, number>();
  // The other dies in all jobs but the first one, which it ends at the third look.
  const [first] = JOBS;
  const alone = async (lease: string, work: (lost: AbortSignal) => Promise<unknown>) => {
    const name = lease.replace('job ', '');
    const take = (takes.get(name) ?? 0) + 1;
    takes.set(name, take);
    if (name === first?.name && take === 3) runs.set(name, NOW);
    return name === first?.name || take <= 3 ? null : work(new AbortController().signal);
  };
  const { stop, watch } = jobsWith({ alone, jobRuns: async () => runs }, 5);
  const ran = () => watch.states(NONE, NOW).filter(state => state.runs > 0).length;
  while (ran() < JOBS.length - 1) await new Promise(resolve => setTimeout(resolve, 5));
  await new Promise(resolve => setTimeout(resolve, 50));
  await stop();
  assert.equal(
    [...takes.values()],
    JOBS.map(job => (job === first ? 3 : 4)),
  );
});

test('each job runs at its time in UTC, wherever the machine is', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-03-15T03:00:00Z') });
  // Nothing was missed or has just been done, and no job has anything to do it with: each that runs has failed.
  const done = new Map(JOBS.map(({ name }) => [name, NOW - 60_000]));
  const { stop, watch } = jobsWith({ jobRuns: async () => done });
  const ran = () =>
    watch
      .states(NONE, NOW)
      .filter(({ runs }) => runs > 0)
      .map(({ name }) => name);
  const pass = async (minutes: number) => {
    for (let i = 0; i < minutes * 6; i++) {
      mock.timers.tick(10_000);
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  try {
    await pass(4);
    assert.equal(ran(), []);
    await pass(6);
    assert.equal(ran(), ['signing-key', 'tokens']);
    await pass(50);
    assert.equal(ran().sort(), JOBS.map(({ name }) => name).sort());
  } finally {
    await stop();
    mock.timers.reset();
  }
});

test('a stop ends a job between two steps: it is neither recorded as done nor as failed', async () => {
  let steps = 0;
  let recorded = 0;
  const { stop, watch, lines } = jobsWith({
    prune: async () => {
      steps++;
      await new Promise(resolve => setImmediate(resolve));
      return 1_000;
    },
    recordJobRun: async () => void recorded++,
  });
  while (steps < 3) await new Promise(resolve => setImmediate(resolve));
  await stop();
  const then = steps;
  await new Promise(resolve => setTimeout(resolve, 20));
  assert.equal([steps, recorded, lines], [then, 0, []]);
  assert.ok(watch.states(NONE, NOW).every(({ runs }) => runs === 0));
});

test('a job whose lease is lost ends between two steps, and is not recorded as done', async () => {
  const lost = new AbortController();
  let steps = 0;
  let recorded = 0;
  const store = {
    alone: (_: string, work: (lost: AbortSignal) => Promise<unknown>) => work(lost.signal),
    prune: async () => {
      if (++steps === 3) lost.abort(new Error('lost'));
      assert.ok(steps < 10, 'it goes on');
      return 1_000;
    },
    knownTime: async () => null,
    recordJobRun: async () => void recorded++,
  };
  const deps = { store, clock: { now: () => NOW } } as unknown as AdminDeps;
  const end = await runJob(deps, findJob('challenges')).catch(error => error);
  assert.is(end.message, 'lost');
  assert.equal([steps, recorded], [3, 0]);
});

test.run();
