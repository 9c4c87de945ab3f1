/**
 * A service whose pages send descriptors that do not tell people apart says so: once in the log, and at /metrics, which
 * only the operators' address has. Neither names anybody.
 */
import * as assert from 'uvu/assert';
import { assertError, call, enroll, enrolled, type Json, someEmail } from '../support/client.ts';
import { rawFaces, unit } from '../support/labelled.ts';
import { type Running, serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('scores');
const run = serviceFor(test, { isAlone: true });

const warnings = (app: TestApp) =>
  run.logs.map(line => JSON.parse(line)).filter(({ level, app: id }) => level === 40 && id === app.id);

async function metrics(headers = {}): Promise<Response> {
  return fetch(`${run.portal}/metrics`, { headers });
}

/** Lines of /metrics about the app, by what stands in front of the value. */
async function figures(app: TestApp): Promise<Record<string, number>> {
  const lines = (await (await metrics()).text())
    .replaceAll(/,node_name="[^"]*"|node_name="[^"]*",/g, '')
    .split('\n')
    .filter(line => line.includes(app.id) && line.includes('_impostor_'));
  return Object.fromEntries(
    lines.map(line => {
      const [, name = '', mode = '', reason = '', value] =
        /^(\w+)\{app="\w+",mode="(\w+)"(?:,reason="(\w+)")?\} (\S+)$/.exec(line) ?? [];
      return [
        [name.replace('face_sign_in_impostor_', ''), mode, reason].filter(Boolean).join(' '),
        Number(value),
      ];
    }),
  );
}

async function until(check: () => unknown, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await check())) {
    assert.ok(Date.now() < end, `not within 10 s: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** What the operators' health says of the app. */
async function health(app: TestApp): Promise<{ status: string; problems: Json[]; watched: Json }> {
  const { status, problems, apps } = await (await fetch(`${run.portal}/health`)).json();
  return {
    status,
    problems: problems.filter(({ message }: Json) => message.includes(app.id)),
    watched: apps.watched.find(({ app_id }: Json) => app_id === app.id),
  };
}

test('well-spread faces: safe for more users than there are, and no warning', async () => {
  const app = await run.createApp();
  for (const { descriptor } of rawFaces(22, 1, 40, 0))
    await enrolled(run, app, { descriptors: [[...descriptor]] });
  await until(async () => (await figures(app))['fmr_estimate live'] !== undefined, 'an estimate');
  await until(async () => (await health(app)).watched?.users === 22, 'all are counted');
  const { 'fmr_estimate live': estimate = 1, 'safe_users live': safe = 0, ...unsafe } = await figures(app);
  assert.ok(estimate < 1e-5 && safe >= 22, `${estimate} ${safe}`);
  assert.equal(unsafe, { 'unsafe live scores': 0, 'unsafe live enrolments': 0 });
  assert.equal(warnings(app), []);
  const { problems, watched } = await health(app);
  assert.equal([problems, watched.state, watched.users, watched.safe_users], [[], 'safe', 22, safe]);
});

test('faces with much in common: one warning that says what to do, and the figures', async () => {
  const app = await run.createApp({ name: 'Halfway App' });
  let users = 0;
  const secrets = ['Halfway App'];
  for (const { descriptor } of rawFaces(400, 1, 41, 1.25)) {
    const fields = { email: someEmail(), name: 'Mary Somerville' };
    secrets.push(fields.email, fields.name);
    if ((await enroll(run, app, { descriptors: [[...descriptor]], fields })).status === 201) users++;
    if (users === 25) break;
  }
  assert.is(users, 25);
  await until(() => warnings(app).some(({ reason }) => reason === 'scores'), 'a warning');
  const [warning, ...more] = warnings(app).filter(({ reason }) => reason === 'scores');
  assert.equal(more, []);
  const { level, time, pid, hostname, ...reported } = warning;
  assert.equal(Object.keys(reported), [
    'app',
    'mode',
    'reason',
    'users',
    'safeUsers',
    'threshold',
    'estimatedFmr',
    'meanDistance',
    'todo',
    'msg',
  ]);
  assert.ok(
    reported.mode === 'live' &&
      reported.estimatedFmr > 0.001 &&
      reported.users >= 20 &&
      reported.meanDistance < 0.6,
  );
  assert.ok(reported.safeUsers < reported.users && reported.threshold === 0.35);
  assert.match(reported.todo, /Lower MATCH_THRESHOLD, use a better encoder.*"calibrate"/);
  assert.match(reported.msg, /more users than MATCH_THRESHOLD is safe for/);
  const { status, problems, watched } = await health(app);
  assert.equal([status, problems.length, problems[0].name], ['degraded', 1, 'unsafe-app']);
  assert.match(problems[0].message, /\(live\) has 2\d users but is safe for only 0 at MATCH_THRESHOLD 0\.35/);
  assert.match(
    problems[0].fix,
    /Lower MATCH_THRESHOLD, use a better encoder, or keep fewer users in one app/,
  );
  assert.equal([watched.state, watched.mode, watched.safe_users], ['unsafe', 'live', 0]);
  assert.ok(watched.users >= 20 && watched.fmr_estimate > 0.001);
  const page = await (await fetch(`${run.portal}/`)).text();
  assert.ok(page.includes(app.id), 'the page says it too');
  const { 'fmr_estimate live': estimate = 0, 'unsafe live scores': unsafe } = await figures(app);
  assert.ok(estimate > 0.001);
  assert.is(unsafe, 1);
  const everything = `${await (await metrics()).text()}\n${run.logs.join('\n')}`;
  for (const secret of secrets) assert.not.ok(everything.includes(secret), secret);
});

test('raw descriptors: only the first person gets in, and the refused enrolments are noticed', async () => {
  const app = await run.createApp();
  const answers = [];
  for (const { descriptor } of rawFaces(11, 1, 42))
    answers.push(await enroll(run, app, { descriptors: [unit(descriptor)] }));
  assert.equal(
    answers.map(({ status }) => status),
    [201, ...new Array(10).fill(409)],
  );
  const [warning, ...more] = warnings(app);
  assert.equal(more, []);
  assert.equal(
    [warning.mode, warning.reason, warning.enrolments, warning.refused],
    ['live', 'enrolments', 10, 10],
  );
  assert.match(warning.msg, /refused as known faces/);
  assert.match(warning.todo, /calibrate/);
  assert.equal(await figures(app), { 'unsafe live scores': 0, 'unsafe live enrolments': 1 });
});

test('repeated enrollments of enrolled people are no warning where others get in', async () => {
  const app = await run.createApp();
  const faces = rawFaces(12, 1, 44, 0);
  for (const { descriptor } of faces) await enrolled(run, app, { descriptors: [[...descriptor]] });
  for (const { descriptor } of faces.slice(0, 11))
    assert.is((await enroll(run, app, { descriptors: [[...descriptor]] })).status, 409);
  assert.equal(warnings(app), []);
  assert.is((await figures(app))['unsafe live enrolments'], 0);
});

test('a threshold above the default: one warning at the start, and a problem', async () => {
  const high = await startService({ env: { MATCH_THRESHOLD: '0.4' }, isAlone: true });
  const low = await startService({ env: { MATCH_THRESHOLD: '0.35' }, isAlone: true });
  const reported = ({ logs }: Running) =>
    logs.map(line => JSON.parse(line)).filter(({ msg }) => String(msg).includes('MATCH_THRESHOLD'));
  const problems = async ({ portal }: Running) => (await (await fetch(`${portal}/health`)).json()).problems;
  assert.equal(
    reported(high).map(({ level, threshold }) => [level, threshold]),
    [[40, 0.4]],
  );
  assert.match(reported(high)[0].todo, /Set MATCH_THRESHOLD to 0\.35 or lower/);
  const [problem] = await problems(high);
  assert.is(problem.name, 'threshold');
  assert.match(problem.message, /^MATCH_THRESHOLD is 0\.4, above the default 0\.35/);
  assert.equal([reported(low), await problems(low)], [[], []]);
  await high.close();
  await low.close();
});

test('figures of a deleted app go', async () => {
  const app = await run.createApp();
  const [first] = rawFaces(1, 1, 43);
  for (let n = 0; n < 3; n++) await enroll(run, app, { descriptors: [[...(first?.descriptor ?? [])]] });
  assert.ok(Object.keys(await figures(app)).length > 0);
  await run.cli(['app', 'delete', app.id, '--yes']);
  await until(async () => Object.keys(await figures(app)).length === 0, 'no figures of it');
});

test("/metrics is on the operators' address alone, and refuses foreign pages", async () => {
  const answer = await metrics();
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.is((await metrics({ origin: 'https://evil.example' })).status, 403);
  assertError(await call(run, 'GET', '/metrics'), 'not_found');
});

test.run();
