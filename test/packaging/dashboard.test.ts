/** The dashboard for Grafana, against a Prometheus that scrapes the service as the compose file's does, on the loopback address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import * as assert from 'uvu/assert';
import { enrolled, type Json, match } from '../support/client.ts';
import { ROOT } from '../support/process.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Prometheus, startPrometheus } from './watched.ts';

const test = suite('packaging: dashboard');
const dashboard = JSON.parse(readFileSync(join(ROOT, 'src/packaging/dashboard.json'), 'utf8'));
const panels: Json[] = dashboard.panels.filter((panel: Json) => panel.type !== 'row');
/** Panels that stay empty in a service with a single user. */
const EMPTY = ['Users, and how many are safe'];
let prometheus: Prometheus;

const run = serviceFor(test);
test.before(async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  assert.is((await match(run, app)).status, 200);
  assert.is((await run.cli(['job', 'run', 'challenges'])).code, 0);
  prometheus = await startPrometheus(run.portal);
});
test.after(async () => {
  await prometheus?.stop();
});

/** As Grafana asks, with its variables filled in. */
const asked = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'face-sign-in');

test('Prometheus reaches the portal by its loopback address, and others by no other name', async () => {
  const { activeTargets } = await prometheus.ask('targets');
  assert.equal(
    activeTargets.map(({ labels, health, lastError }: Json) => [labels.job, health, lastError]),
    [['face-sign-in', 'up', '']],
  );
  const { port } = new URL(run.portal);
  for (const host of [`face-sign-in:${port}`, 'face.example']) {
    const answer = await request(`http://127.0.0.1:${port}/metrics`, { headers: { host } });
    assert.is(answer.statusCode, 403, host);
    await answer.body.dump();
  }
});

test('every query of a panel is valid, and what it is labelled by is there', async () => {
  assert.ok(panels.length > 20);
  for (const { title, targets } of panels)
    for (const { expr, legendFormat } of targets) {
      const { result } = await prometheus.ask('query', asked(expr));
      assert.is(result.length > 0, !EMPTY.includes(title), `${title}: ${expr}`);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        for (const { metric } of result) assert.ok(metric[label], `${title}: ${label}`);
    }
});

test('every metric that a panel names is exposed', async () => {
  const text = await (await fetch(`${run.portal}/metrics`)).text();
  for (const { title, targets } of panels)
    for (const { expr } of targets)
      for (const [name] of expr.matchAll(/\b(?:face_sign_in|process|nodejs)_\w+/g)) {
        const type = (of: string) => new RegExp(`^# TYPE ${of} (\\w+)$`, 'm').exec(text)?.[1];
        const ofHistogram = type(name.replace(/_bucket$/, '')) === 'histogram';
        assert.ok(name.endsWith('_bucket') ? ofHistogram : type(name), `${title}: ${name}`);
      }
});

test('the panels have titles and ids of their own, and do not overlap', () => {
  const ids = new Set(dashboard.panels.map(({ id }: Json) => id));
  const titles = new Set(panels.map(({ title }) => title));
  assert.equal([ids.size, titles.size], [dashboard.panels.length, panels.length]);
  const cells = new Set<string>();
  for (const { title, gridPos } of dashboard.panels as Json[])
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !cells.has(`${x} ${y}`), title);
        cells.add(`${x} ${y}`);
      }
});

test.run();
