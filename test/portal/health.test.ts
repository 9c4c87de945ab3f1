/** Health on the operators' address tells what the public one keeps to itself; so do the page and the figures. */
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { call, enrolled, type Json, match, server, someEmail } from '../support/client.ts';
import { requestCode } from '../support/codes.ts';
import { addLargeGallery } from '../support/large-gallery.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: health');
/** Nobody listens there. */
const NO_SERVER = 'smtp://127.0.0.1:1';

async function given(env: Record<string, string>, body: (run: Running) => Promise<void>): Promise<void> {
  await using run = await startService({ env });
  await body(run);
}

async function health(run: Running): Promise<{ status: number; json: Json }> {
  const answer = await fetch(`${run.portal}/health`);
  return { status: answer.status, json: await answer.json() };
}

const problems = async (run: Running): Promise<string[]> =>
  (await health(run)).json.problems.map(({ name }: Json) => name);

/** Jobs that were missed run at the start. */
async function started(run: Running): Promise<void> {
  while ((await health(run)).json.jobs.some(({ last_run }: Json) => last_run === null)) await delay(20);
}

async function until(run: Running, wanted: string[]): Promise<void> {
  const end = Date.now() + 120_000;
  while ((await problems(run)).join() !== wanted.join()) {
    assert.ok(Date.now() < end, `problems: ${wanted} wanted, ${await problems(run)}`);
    await delay(50);
  }
}

/** Health, page and figures agree; the public health stays as it is. */
async function assertReported(run: Running, name: string, status: 'degraded' | 'down'): Promise<Json> {
  const answer = await health(run);
  assert.equal([answer.status, answer.json.status], [status === 'down' ? 503 : 200, status]);
  const found = answer.json.problems.filter((problem: Json) => problem.name === name);
  assert.ok(found.length > 0, name);
  const page = await (await fetch(`${run.portal}/`)).text();
  assert.match(page, new RegExp(`class="state ${status}"`));
  const escaped = (text: string) => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`);
  for (const { message, fix } of found)
    for (const line of [message, fix]) assert.ok(page.includes(escaped(line)), line);
  const figures = parseMetrics(await (await fetch(`${run.portal}/metrics`)).text()).series;
  assert.is(figures.get(`face_sign_in_problem{name="${name}"}`), 1);
  const open = await call(run, 'GET', '/health');
  assert.equal(Object.keys(open.json), ['status', 'db', 'version']);
  assert.is(open.status, answer.status);
  return found[0];
}

test('a service that is well says so, with its parts, and the page has no problem', () =>
  given({}, async run => {
    const { status, json } = await health(run);
    assert.equal([status, json.status, json.db, json.draining, json.problems], [200, 'ok', 'ok', false, []]);
    assert.equal(
      json.jobs.map(({ name }: Json) => name),
      [
        'challenges',
        'signing-key',
        'tokens',
        'data-keys',
        'outbox',
        'test-users',
        'retention',
        'events',
        'audit',
      ],
    );
    assert.equal(json.mail, { transport: 'file', failures: 0, failing_since: null, last_failure: null });
    assert.equal(json.erasures, { unjournaled: 0, rebuild_fails: false, failing_since: null });
    assert.equal([json.matcher.alive, json.matcher.workers, json.signing_key.published], [1, 1, 1]);
    assert.ok(json.database.bytes > 0 && json.database.disk_free_bytes > 0);
    const page = await (await fetch(`${run.portal}/`)).text();
    assert.match(page, /class="state ok">Healthy</);
    assert.match(page, /<ul><\/ul>/);
  }));

test('mail that does not go out is reported, with since when', () =>
  given({ MAIL_URL: NO_SERVER, MAIL_ANSWER_MS: '1000' }, async run => {
    const app = await run.createApp();
    const email = someEmail();
    await enrolled(run, app, { fields: { email } });
    assert.equal(await problems(run), []);
    assert.is((await requestCode(run, app, email)).status, 503);
    const { since, message } = await assertReported(run, 'mail', 'degraded');
    assert.is(since, new Date(run.clock.now()).toISOString());
    assert.match(message, /by smtp/);
    assert.not.ok(JSON.stringify((await health(run)).json).includes(email));
  }));

test('erasures that cannot be journaled are reported, until they can', () =>
  given({}, async run => {
    // A job that meets the folder in the place of the journal would fail too.
    await started(run);
    const app = await run.createApp();
    const { user } = await enrolled(run, app);
    const journal = join(run.dataDir, 'erasures.jsonl');
    rmSync(journal);
    mkdirSync(journal);
    const path = `/v1/users/${user.id}`;
    assert.is((await call(run, 'DELETE', path, { headers: server(app) })).status, 503);
    await until(run, ['erasures']);
    const problem = await assertReported(run, 'erasures', 'degraded');
    assert.match(problem.message, /1 not yet in the journal/);
    assert.is((await health(run)).json.erasures.unjournaled, 1);
    rmdirSync(journal);
    await until(run, []);
    assert.is((await health(run)).json.status, 'ok');
  }));

test('jobs that have not run in time are reported, each, until they have', () =>
  given({}, async run => {
    await started(run);
    run.clock.advance(5 * 3_600_000);
    assert.equal(await problems(run), ['jobs', 'jobs', 'jobs', 'jobs', 'jobs']);
    await assertReported(run, 'jobs', 'degraded');
    for (const name of ['challenges', 'signing-key', 'tokens', 'data-keys', 'outbox'])
      await run.cli(['job', 'run', name]);
    assert.equal(await problems(run), []);
  }));

test('a gallery that does not fit is reported, until its app is gone', () =>
  given({ MATCH_MEMORY_MB: '1' }, async run => {
    const app = await run.createApp();
    addLargeGallery(run, app, 3_000);
    assert.is((await match(run, app)).status, 503);
    const { message, fix } = await assertReported(run, 'galleries', 'degraded');
    assert.ok(message.includes(app.id));
    assert.match(fix, /MATCH_MEMORY_MB/);
    await run.cli(['app', 'delete', app.id, '--yes']);
    await until(run, []);
  }));

test('a database that is gone is down for everybody, and up again when it is back', () =>
  given({}, async run => {
    const file = join(run.dataDir, 'face-sign-in.db');
    const parts = ['', '-wal', '-shm'];
    await started(run);
    for (const end of parts) renameSync(file + end, `${file}.away${end}`);
    try {
      await assertReported(run, 'database', 'down');
    } finally {
      for (const end of parts) renameSync(`${file}.away${end}`, file + end);
    }
    await until(run, []);
    assert.is((await health(run)).json.status, 'ok');
  }));

test.run();
