/** `events`: filters, moments, pages, and following what is added. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { momentOf } from '../../src/cli/moment.ts';
import { enrolled, faces, type Json, match } from '../support/client.ts';
import { assertLike, environment, ISO, ROOT, text } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: events');
const HOUR = 3_600_000;
let ada: Json;

const run = serviceFor(test);
const app = appFor(test, run);
const other = appFor(test, run);
test.before(async () => {
  ada = (await enrolled(run, app, { descriptors: [faces.genuine(0)], ip: '198.51.100.7' })).user;
  run.clock.advance(HOUR);
  await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(1)] });
  await enrolled(run, other, { descriptors: [faces.genuine(2)] });
  run.clock.advance(HOUR);
  await match(run, app, { descriptors: [faces.genuine(0, 1)] });
  await match(run, app, { descriptors: [faces.stranger(0)] });
});

const asked = (...args: string[]) => run.cli(['events', ...args]);
const kinds = async (...args: string[]) =>
  (await asked(...args)).json.events.map(({ type, mode }: Json) => (mode === 'live' ? type : `test ${type}`));

test('the newest last, with every field', async () => {
  const { events, next_cursor } = (await asked('--user', ada.id)).json;
  assert.is(next_cursor, null);
  assertLike(events[0], {
    id: /^evt_/,
    app_id: app.id,
    mode: 'live',
    user_id: ada.id,
    type: 'enroll',
    at: ISO,
    ip: '198.51.100.7',
    user_agent: events[0].user_agent,
    liveness: events[0].liveness,
  });
  assert.is(events[0].liveness.score, 0.9);
  const times = (await asked()).json.events.map(({ at }: Json) => at);
  assert.equal(times, [...times].sort());
  assert.is(times.length, 5);
});

test('every filter narrows, and together they do', async () => {
  assert.equal(await kinds('--app', other.id), ['enroll']);
  assert.equal(await kinds('--mode', 'test'), ['test enroll']);
  assert.equal(await kinds('--user', ada.id), ['enroll', 'match']);
  assert.equal(await kinds('--type', 'match_failed'), ['match_failed']);
  assert.equal(await kinds('--since', '90m', '--type', 'enroll', '--app', app.id), ['test enroll']);
  assert.equal(await kinds('--until', '90m'), ['enroll']);
  assert.equal(
    await kinds('--since', '2026-03-15T13:00Z', '--until', '2026-03-15 13:00:00.001', '--app', other.id),
    ['enroll'],
  );
  assert.equal(await kinds('--user', 'usr_nobody'), []);
});

test('pages go back in time without a gap', async () => {
  const found: string[] = [];
  let more: string[] = [];
  for (;;) {
    const { events, next_cursor } = (await asked('--limit', '2', ...more)).json;
    found.unshift(...events.map(({ id }: Json) => id));
    if (next_cursor === null) break;
    more = ['--cursor', next_cursor];
  }
  assert.equal(
    found,
    (await asked()).json.events.map(({ id }: Json) => id),
  );
});

test('moments: ISO 8601 with and without a zone, ages; anything else is wrong usage', () => {
  const now = Date.parse('2026-03-15T12:00:00Z');
  const read = (text: string) =>
    momentOf({ options: { since: text }, usage: 'events' } as never, 'since', now);
  const rows: [string, string][] = [
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:30', '2026-03-01T10:30:00.000Z'],
    ['2026-03-01 10:30:15 UTC', '2026-03-01T10:30:15.000Z'],
    ['2026-03-01T10:30:15.250Z', '2026-03-01T10:30:15.250Z'],
    ['2026-03-01T10:30:15+02:00', '2026-03-01T08:30:15.000Z'],
    ['24h', '2026-03-14T12:00:00.000Z'],
    ['2w', '2026-03-01T12:00:00.000Z'],
    ['90s', '2026-03-15T11:58:30.000Z'],
  ];
  for (const [typed, wanted] of rows) assert.is(new Date(read(typed) ?? 0).toISOString(), wanted, typed);
  for (const typed of ['', 'yesterday', '2026-02-30', '2026-13-01', '24', '1y', '2026-03-01T25:00', '-1h'])
    assert.throws(() => read(typed), /--since must be ISO 8601.*24h.*use: events/, typed);
});

test('people read columns, and what to leave out when nothing is found', async () => {
  const env = { DATA_DIR: run.dataDir };
  const lines = (await text(['events', '--limit', '2'], env)).trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^TIME +TYPE +MODE +APP +USER +ADDRESS +BROWSER$/);
  const row = new RegExp(`^2026-03-15 14:00:00 UTC  match +live  ${app.id}  ${ada.id}`);
  assert.ok(
    lines.some(line => row.test(line)),
    lines.join('\n'),
  );
  assert.match(lines.at(-1) ?? '', /^Older events: .*--cursor /);
  assert.match(await text(['events', '--user', 'usr_x'], env), /no matching events: try without --user/);
});

for (const json of [false, true])
  test(`--follow${json ? ' --json' : ''} tells what is added, once each, and ends with SIGINT and exit 0`, async () => {
    const args = ['src/main.ts', 'events', '--follow', '--limit', '1', ...(json ? ['--json'] : [])];
    const child = spawn(process.execPath, args, { cwd: ROOT, env: environment({ DATA_DIR: run.dataDir }) });
    const closed = once(child, 'close');
    try {
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', line => lines.push(line));
      const printed = () => lines.filter(line => /match/.test(line));
      const until = async (howMany: number) => {
        for (let i = 0; i < 400 && printed().length < howMany; i++) await delay(50);
        assert.is(printed().length, howMany, lines.join('\n'));
      };
      await until(1);
      for (const i of [1, 2]) await match(run, app, { descriptors: [faces.genuine(0, i)] });
      await until(3);
      child.kill('SIGINT');
      assert.equal(await closed, [0, null]);
      assert.is(printed().length, 3);
      if (json)
        assert.equal(
          lines.slice(-2).map(line => JSON.parse(line).type),
          ['match', 'match'],
        );
    } finally {
      child.kill('SIGKILL');
    }
  });

test.run();
