/** Which settings all nodes on one database need alike. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { differentSettings } from '../../src/health/problems.ts';
import { SHARED_SETTINGS, sharedSettings } from '../../src/settings/shared.ts';
import { SETTINGS, type SettingName } from '../../src/settings/table.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('settings: shared');
/** These concern the machine, its operators, or how messages leave it; a wrong MASTER_SECRET is refused at the start. */
const OWN =
  /^(?:SETTINGS_FILE|DATA_DIR|DATABASE_\w+|NODE_NAME|HOST|PORT|PORTAL_\w+|METRICS_TOKEN|MASTER_SECRET|MAIL_\w+|MATCH_THRESHOLD_UNSAFE|MATCH_MEMORY_MB|MATCH_THREADS|DEMO|LOG_LEVEL)$/;
const settings = (env: Record<string, string> = {}, issuer = 'https://face.example') =>
  sharedSettings(loadConfig(env), issuer);
/** Nodes a, b and so on. */
const different = (...all: Record<string, string>[]) =>
  differentSettings(all.map((each, i) => ({ name: 'abc'.charAt(i), settings: each })));

test('a setting is needed alike or a node’s own, and never both', () => {
  const names = Object.keys(SETTINGS) as SettingName[];
  assert.equal(
    names.filter(name => !OWN.test(name)),
    SHARED_SETTINGS,
  );
  assert.ok(SHARED_SETTINGS.length > 10);
});

test('each that differs is named, with the nodes that agree', () => {
  const own = { NODE_NAME: 'b', PORT: '9', MATCH_THREADS: '1', LOG_LEVEL: 'warn' };
  assert.equal(different(settings(), settings(own), settings()), []);
  const other = settings({ MATCH_THRESHOLD: '0.3', LIMIT_IP_PER_MINUTE: '31' });
  assert.equal(different(settings(), other, settings()), [
    'MATCH_THRESHOLD (a, c; b)',
    'LIMIT_IP_PER_MINUTE (a, c; b)',
  ]);
  assert.equal(different(settings(), settings({}, 'https://other.example')), ['BASE_URL (a; b)']);
});

test('plans are compared by what they say, in whatever order', () => {
  const plansOf = (...names: string[]) => {
    const file = join(tempFolder(), 'plans.json');
    const plan = { monthly_auths: 5, live_keys: 1, test_keys: 1 };
    writeFileSync(file, JSON.stringify(Object.fromEntries(names.map(name => [name, plan]))));
    return settings({ PLANS_FILE: file });
  };
  assert.equal(different(plansOf('free', 'paid'), plansOf('paid', 'free')), []);
  assert.equal(different(plansOf('free', 'paid'), plansOf('free', 'more')), ['PLANS_FILE (a; b)']);
});

test('what a node of another version does not know is no difference', () => {
  const { MATCH_MARGIN: _, ...older } = settings();
  assert.equal(different(settings(), older, { OTHER: '1' }), []);
  assert.equal(
    differentSettings([
      { name: 'a', settings: settings() },
      { name: 'b', settings: null },
    ]),
    [],
  );
});

test.run();
