/** Which settings all nodes on one database need alike. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { differentSettings } from '../../src/portal/health/different-settings.ts';
import { SHARED_SETTINGS, sharedSettings } from '../../src/settings/shared.ts';
import { SETTINGS, type SettingName } from '../../src/settings/table.ts';
import { suite } from '../support/suite.ts';

const test = suite('settings: shared');
/** These concern the machine, its operators, or how messages leave it; a wrong MASTER_SECRET is refused at the start. */
const OWN =
  /^(?:SETTINGS_FILE|DATA_DIR|DATABASE_\w+|NODE_NAME|HOST|PORT|PORTAL_\w+|MASTER_SECRET|MAIL_\w+|MATCH_THRESHOLD_UNSAFE|MATCH_MEMORY_MB|MATCH_THREADS|DEMO|LOG_LEVEL)$/;
const settings = (env: Record<string, string> = {}, issuer = 'https://face.example') =>
  sharedSettings(loadConfig(env), issuer);

test('a setting is needed alike or a node’s own, and never both', () => {
  const names = Object.keys(SETTINGS) as SettingName[];
  assert.equal(
    names.filter(name => !OWN.test(name)),
    SHARED_SETTINGS,
  );
  assert.ok(SHARED_SETTINGS.length > 10);
});

test('each that differs is named, wherever the others are', () => {
  const own = { NODE_NAME: 'b', PORT: '9', MATCH_THREADS: '1', LOG_LEVEL: 'warn' };
  assert.equal(differentSettings([settings(), settings(own), settings()]), []);
  assert.equal(
    differentSettings([settings(), settings({ MATCH_THRESHOLD: '0.3', LIMIT_IP_PER_MINUTE: '31' })]),
    ['MATCH_THRESHOLD', 'LIMIT_IP_PER_MINUTE'],
  );
  assert.equal(differentSettings([settings(), settings({}, 'https://other.example')]), ['BASE_URL']);
});

test('plans are compared by what they say', () => {
  const [plans = ''] = [settings().PLANS_FILE];
  assert.match(plans, /"free",\{"monthlyAuths":1000/);
  const changed = { ...settings(), PLANS_FILE: plans.replace('1000', '1001') };
  assert.equal(differentSettings([settings(), changed]), ['PLANS_FILE']);
});

test('what a node of another version does not know is no difference', () => {
  const { MATCH_MARGIN: _, ...older } = settings();
  assert.equal(differentSettings([settings(), older, { OTHER: '1' }]), []);
  assert.equal(differentSettings([]), []);
});

test.run();
