/** `job …` beside a server, and what a start makes up for. The rules of the jobs are held by test/jobs/jobs.test.ts. */
import * as assert from 'uvu/assert';
import { JOBS } from '../../src/jobs/jobs.ts';
import { text } from '../support/process.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const HOUR = 3_600_000;
const NAMES = [
  'challenges',
  'signing-key',
  'tokens',
  'data-keys',
  'outbox',
  'test-users',
  'retention',
  'events',
  'audit',
];

const test = suite('cli: jobs');
const run = serviceFor(test);

async function lastRuns(): Promise<Record<string, string | null>> {
  const { json } = await run.cli(['job', 'list']);
  return Object.fromEntries(
    json.jobs.map((job: { name: string; last_run: string | null }) => [job.name, job.last_run]),
  );
}

/** The start runs what was missed in the background. */
async function untilAllRan(): Promise<Record<string, string | null>> {
  for (let i = 0; i < 100; i++) {
    const runs = await lastRuns();
    if (NAMES.every(name => runs[name] !== null)) return runs;
    await new Promise(turn => setTimeout(turn, 20));
  }
  throw new Error('some jobs did not run at the start');
}

test('the list has every job with its schedule and its last run', async () => {
  await untilAllRan();
  const { code, json } = await run.cli(['job', 'list']);
  assert.is(code, 0);
  assert.equal(
    json.jobs.map((job: { name: string }) => job.name),
    NAMES,
  );
  for (const job of json.jobs) {
    assert.equal(Object.keys(job), ['name', 'schedule', 'last_run']);
    assert.match(job.schedule, /^\d+ (\*|\d+) \* \* \*$/);
    assert.is(job.last_run, new Date(run.clock.now()).toISOString());
  }
});

test('people also read what each job is for', async () => {
  const printed = await text(['job', 'list'], { DATA_DIR: run.dataDir });
  const [heading = '', ...lines] = printed.trimEnd().split('\n');
  assert.match(heading, /^JOB +SCHEDULE +LAST RUN +ABOUT$/);
  assert.equal(
    lines.map(line => line.slice(heading.indexOf('ABOUT'))),
    JOBS.map(({ about }) => about),
  );
  assert.ok(JOBS.every(({ about }) => about.length > 20));
});

test('a run answers what it did, and is remembered', async () => {
  await untilAllRan();
  run.clock.advance(60_000);
  const { code, json } = await run.cli(['job', 'run', 'tokens']);
  assert.equal([code, json], [0, { job: 'tokens', affected: 0 }]);
  assert.is((await lastRuns()).tokens, new Date(run.clock.now()).toISOString());
});

test('a start runs the jobs that were missed, and no others', async () => {
  const before = await untilAllRan();
  run.clock.advance(2 * HOUR);
  await run.restart();
  const now = new Date(run.clock.now()).toISOString();
  let after = await lastRuns();
  const missed = () =>
    ['challenges', 'signing-key', 'tokens', 'data-keys', 'outbox'].filter(name => after[name] !== now);
  for (let tries = 0; tries < 500 && missed().length > 0; tries++) {
    await new Promise(turn => setTimeout(turn, 20));
    after = await lastRuns();
  }
  assert.equal(missed(), []);
  for (const name of ['test-users', 'retention', 'events']) assert.is(after[name], before[name], name);
});

test.run();
