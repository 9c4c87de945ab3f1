/** What `/metrics` tells: in the format of Prometheus, right when things happen, bounded, of no person, and documented. */
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { browser, call, enroll, enrolled, faces, match, someEmail, soon } from '../support/client.ts';
import { codeFor, requestCode, verifyCode, wrongCode } from '../support/codes.ts';
import { smtpMailServer } from '../support/mail-servers.ts';
import { type Exposition, parseMetrics } from '../support/prometheus.ts';
import { raw } from '../support/raw.ts';
import { appFor, serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('metrics');
const run = serviceFor(test);
const app = appFor(test, run);

async function text(of = run): Promise<string> {
  return (await fetch(`${of.portal}/metrics`)).text();
}

const look = async (of = run): Promise<Exposition> => parseMetrics(await text(of));
const P = 'face_sign_in_';

/** Series that a row has wanted to change. */
const seen = new Set<string>();

/** Does it, and wants the series to have grown by exactly so much, once what goes on after an answer is over too. */
async function grows(act: () => Promise<unknown>, wanted: Record<string, number>): Promise<void> {
  const before = await look();
  await act();
  const isThere = ({ series }: Exposition) =>
    Object.entries(wanted).every(
      ([name, by]) => (series.get(P + name) ?? 0) - (before.series.get(P + name) ?? 0) === by,
    );
  let after = await look();
  for (let tries = 0; tries < 100 && !isThere(after); tries++) {
    await new Promise(resolve => setTimeout(resolve, 20));
    after = await look();
  }
  for (const [name, by] of Object.entries(wanted)) {
    seen.add(name.replace(/\{.*/, ''));
    const key = P + name;
    assert.ok(after.series.has(key), `${key} is there`);
    assert.is((after.series.get(key) ?? 0) - (before.series.get(key) ?? 0), by, key);
  }
}

const request = (method: string, route: string, status: number) =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`;
const timed = (method: string, route: string) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}"}`;

test('every line is one of the format, and names follow the advice of Prometheus', async () => {
  const answer = await fetch(`${run.portal}/metrics`);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const { families: reported } = parseMetrics(await answer.text());
  for (const [name, type] of reported) {
    assert.match(name, /^(face_sign_in|process|nodejs)_[a-z_]+$/);
    if (!/^nodejs_heap/.test(name)) assert.is(/_total$/.test(name), type === 'counter', name);
    assert.not.match(name, /_(ms|milliseconds|mb|kb|minutes|days)(_|$)/, 'base units');
    if (type === 'histogram') assert.match(name, /_(seconds|searches)$/);
  }
});

test('sign-ins and enrolments are counted, timed and told apart by what became of them', async () => {
  const email = someEmail();
  const own = await run.createApp();
  const empty = 'match_pass_searches_sum{}';
  await grows(() => enrolled(run, own, { descriptors: [faces.genuine(0)], fields: { email } }), {
    [request('POST', '/v1/enroll', 201)]: 1,
    [timed('POST', '/v1/enroll')]: 1,
    [request('POST', '/v1/challenges', 200)]: 1,
    'enrolments_total{outcome="enrolled"}': 1,
    'match_search_duration_seconds_count{}': 1,
    'match_probes_total{}': 1,
    [empty]: 1,
  });
  await grows(() => match(run, own, { descriptors: [faces.genuine(0, 1), faces.genuine(0, 2)] }), {
    'matches_total{outcome="signed_in"}': 1,
    'match_search_duration_seconds_count{}': 1,
    'match_probes_total{}': 2,
    // The gallery comes with the first sign-in.
    'galleries_loaded{}': 1,
    'templates{}': 1,
    [`gallery_templates{app="${own.id}",mode="live"}`]: 1,
    'refusals_total{code="no_match"}': 0,
  });
  await grows(() => match(run, own, { descriptors: [faces.stranger(3)] }), {
    [request('POST', '/v1/match', 401)]: 1,
    'matches_total{outcome="no_match"}': 1,
    'refusals_total{code="no_match"}': 1,
  });
  await grows(() => match(run, own, { challengeId: 'ch_unknown' }), {
    'matches_total{outcome="refused"}': 1,
    'refusals_total{code="challenge_invalid"}': 1,
  });
  await grows(() => enroll(run, own, { descriptors: [faces.genuine(0, 3)] }), {
    'enrolments_total{outcome="face_already_enrolled"}': 1,
  });
  await grows(() => enroll(run, own, { descriptors: [faces.genuine(5)], fields: { email } }), {
    'enrolments_total{outcome="email_taken"}': 1,
  });
  const sizes = await look();
  const bytes = sizes.series.get(`${P}gallery_bytes{app="${own.id}",mode="live"}`) ?? 0;
  assert.ok(bytes > 512 && (sizes.series.get(`${P}gallery_memory_bytes{}`) ?? 0) >= bytes);
  await grows(() => run.cli(['app', 'delete', own.id, '--yes']).then(() => soon(gone, 'the gallery')), {
    'galleries_loaded{}': -1,
    'templates{}': -1,
  });
  async function gone(): Promise<boolean> {
    return !(await text()).includes(own.id);
  }
});

test('email codes and mail are counted', async () => {
  const email = someEmail();
  await enrolled(run, app, { descriptors: [faces.genuine(1)], fields: { email } });
  await grows(() => requestCode(run, app, email), {
    'email_codes_total{outcome="asked"}': 1,
    'mails_total{outcome="sent",transport="file"}': 1,
    'mail_duration_seconds_count{transport="file"}': 1,
  });
  const code = codeFor(run, email);
  await grows(() => verifyCode(run, app, email, wrongCode(code)), {
    'email_codes_total{outcome="wrong"}': 1,
  });
  await grows(() => verifyCode(run, app, email, code), { 'email_codes_total{outcome="verified"}': 1 });
  await grows(() => requestCode(run, app, 'no address'), {
    'email_codes_total{outcome="refused"}': 1,
    'refusals_total{code="invalid_request"}': 1,
  });
  await grows(() => requestCode(run, app, someEmail()), {
    'email_codes_total{outcome="asked"}': 1,
    'mails_total{outcome="sent",transport="file"}': 0,
  });
});

test('mail that fails is counted as failed', async () => {
  const mail = await smtpMailServer();
  mail.decide = () => 'refuse';
  const own = await startService({ env: { MAIL_URL: mail.url, MAIL_ANSWER_MS: '1000' } });
  try {
    const there = await own.createApp();
    const email = someEmail();
    await enrolled(own, there, { fields: { email } });
    assert.is((await requestCode(own, there, email)).status, 503);
    const { series } = await look(own);
    assert.is(series.get(`${P}mails_total{outcome="failed",transport="smtp"}`), 1);
    assert.is(series.get(`${P}mails_total{outcome="sent",transport="smtp"}`), 0);
  } finally {
    await own.close();
    await mail.close();
  }
});

test('a request is in flight until it is answered', async () => {
  const { hostname, port } = new URL(run.base);
  const running = async () => (await look()).series.get(`${P}http_requests_in_flight{}`);
  seen.add('http_requests_in_flight');
  await soon(async () => (await running()) === 0, 'nothing is under way');
  const socket = connect(Number(port), hostname);
  const headers = Object.entries({
    ...browser(app),
    'content-type': 'application/json',
    'content-length': '99',
  });
  socket.write(
    `POST /v1/match HTTP/1.1\r\nHost: x\r\n${headers.map(pair => `${pair.join(': ')}\r\n`).join('')}\r\n{`,
  );
  await soon(async () => (await running()) === 1, 'it is under way');
  socket.destroy();
  await soon(async () => (await running()) === 0, 'it is over');
});

test('what is no HTTP, preflights and unknown methods are counted without series of their own', async () => {
  await grows(() => raw(run, 'NONSENSE\r\n\r\n'), { 'refusals_total{code="invalid_request"}': 1 });
  const origin = 'https://app.example';
  await grows(() => call(run, 'OPTIONS', '/v1/match', { headers: { origin } }), {
    [request('OPTIONS', 'preflight', 204)]: 1,
  });
  await grows(() => call(run, 'DELETE', '/v1/match'), {
    [request('DELETE', 'unmatched', 405)]: 1,
    'refusals_total{code="method_not_allowed"}': 1,
  });
  await grows(() => raw(run, 'PROPFIND /v1/match HTTP/1.1\r\nHost: x\r\n\r\n'), {
    [request('other', 'unmatched', 405)]: 1,
  });
});

test('jobs, signing key, files, queues and workers', async () => {
  run.clock.advance(3_600_000);
  await grows(() => run.cli(['job', 'run', 'challenges']), {
    'job_last_success_timestamp_seconds{job="challenges"}': 3_600,
    'job_runs_total{job="challenges"}': 0,
  });
  await grows(async () => run.clock.advance(60_000), { 'signing_key_age_seconds{}': 60 });
  await grows(() => run.cli(['signing-key', 'rotate', '--now']), { 'signing_keys{}': 1 });
  const { series, families: reported } = await look();
  const value = (name: string) => {
    seen.add(name.replace(/\{.*/, ''));
    return series.get(P + name) ?? Number.NaN;
  };
  for (const name of ['job_runs_total', 'job_last_run_timestamp_seconds', 'job_last_duration_seconds'])
    assert.ok(value(`${name}{job="retention"}`) > 0, name);
  assert.is(value('job_failures_total{job="retention"}'), 0);
  assert.ok(value('database_file_bytes{file="database"}') > 4_096);
  assert.ok(value('database_file_bytes{file="wal"}') >= 0);
  assert.ok(value('disk_free_bytes{}') > 0);
  assert.equal(
    ['match_workers', 'match_workers_wanted', 'database_up', 'nodes'].map(name => value(`${name}{}`)),
    [1, 1, 1, 1],
  );
  for (const name of [
    'match_worker_deaths_total',
    'match_queue_depth',
    'database_writes_waiting',
    'galleries_loading',
    'erasures_unjournaled',
    'templates_unreadable',
    'signing_keys_unreadable',
    'webhook_events_waiting',
    'webhook_oldest_waiting_seconds',
    'draining',
  ])
    assert.is(value(`${name}{}`), 0, name);
  assert.is(value('problem{name="database"}'), 0);
  assert.ok(value('gallery_memory_budget_bytes{}') > 1_000_000);
  assert.ok(value('event_loop_delay_seconds_count{}') > 0);
  assert.ok(value('event_loop_delay_max_seconds{}') > 0);
  assert.ok(value('event_loop_busy_seconds_total{}') > 0);
  assert.ok(series.get('process_cpu_seconds_total{}'));
  assert.match(
    [...series.keys()].join('\n'),
    /^face_sign_in_build_info\{commit="\w+",node="26[\d.]+",simd="(simd|relaxed)",version="/m,
  );
  // Whoever adds a family adds a row above.
  const others = new Set([
    'build_info',
    'budget_used_ratio',
    'impostor_fmr_estimate',
    'impostor_safe_users',
    'impostor_unsafe',
    'gallery_memory_bytes',
    'gallery_bytes',
    'webhook_attempts_total',
    'webhook_attempt_duration_seconds',
  ]);
  const missing = [...reported.keys()]
    .filter(name => name.startsWith(P))
    .map(name => name.slice(P.length))
    .filter(
      name => !others.has(name) && ![...seen].some(one => one.replace(/_(count|sum|bucket)$/, '') === name),
    );
  assert.equal(missing, []);
});

test.run();
