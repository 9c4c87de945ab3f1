/** What src/packaging has for Prometheus: accepted by its own tool, alerts that come when they should, over figures that there are. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ROOT, tempFolder } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('packaging: prometheus');
const PACKAGING = join(ROOT, 'src/packaging');
const rules = readFileSync(join(PACKAGING, 'alerts.yml'), 'utf8');

test('the scrape configuration and the rules are accepted', () => {
  const said = execFileSync('promtool', ['check', 'config', join(PACKAGING, 'prometheus.yml')], {
    encoding: 'utf8',
  });
  assert.match(said, /SUCCESS: \d+ rules found/);
});

test('all alerts fire when their time has come, and none while all is well', () => {
  const folder = tempFolder();
  copyFileSync(join(PACKAGING, 'alerts.yml'), join(folder, 'alerts.yml'));
  copyFileSync(join(import.meta.dirname, 'alerts.test.yml'), join(folder, 'alerts.test.yml'));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout + stderr);
  const tested = readFileSync(join(folder, 'alerts.test.yml'), 'utf8');
  for (const [, name = ''] of rules.matchAll(/alert: (\w+)/g))
    assert.ok(tested.includes(name), `${name} is tested`);
});

test('the service has every figure that an alert asks for', async () => {
  const run = await startService();
  const metrics = await (await fetch(`${run.portal}/metrics`)).text();
  await run.close();
  const asked = new Set(rules.match(/\b(?:face_sign_in|process)_\w+/g));
  assert.ok(asked.size > 8);
  for (const name of asked) assert.ok(metrics.includes(`# TYPE ${name.replace(/_bucket$/, '')} `), name);
});

test.run();
