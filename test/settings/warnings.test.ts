/** Which settings are unwise, and which of them stop the start. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { isUnencrypted } from '../../src/domain/origins.ts';
import { unwiseSettings } from '../../src/settings/rules.ts';
import { settingFault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';

const test = suite('setting warnings');
const namesOf = (env: Record<string, string>) =>
  unwiseSettings(loadConfig(env)).map(({ setting }) => setting);

test('BASE_URL without TLS, beyond this machine', () => {
  for (const url of [
    'http://face.example',
    'http://10.0.0.1:8080',
    'http://localhost.example',
    'http://[fe80::1]',
  ])
    assert.equal(namesOf({ BASE_URL: url }), ['BASE_URL'], url);
  for (const url of [
    'https://face.example',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://[::1]:8080',
  ])
    assert.equal(namesOf({ BASE_URL: url }), [], url);
  assert.equal(namesOf({}), []);
  assert.not(isUnencrypted('http://shop.localhost:3000'));
});

test('DEMO beyond loopback: a warning for HOST and BASE_URL, refused for PORTAL_HOST', () => {
  const open = { HOST: '0.0.0.0', BASE_URL: 'https://face.example' };
  assert.equal(namesOf({ ...open, DEMO: 'on' }), ['DEMO']);
  assert.equal(namesOf({ ...open, DEMO: 'off' }), []);
  assert.equal(namesOf({ DEMO: 'on' }), []);
  assert.equal(namesOf({ BASE_URL: 'https://face.example', DEMO: 'on' }), ['DEMO'], 'behind a proxy');
  assert.equal(namesOf({ HOST: '0.0.0.0', BASE_URL: 'http://localhost:8080', DEMO: 'on' }), ['DEMO']);
  assert.equal(namesOf({ BASE_URL: 'http://localhost:8080', DEMO: 'on' }), []);
  for (const PORTAL_HOST of ['0.0.0.0', '::', '10.0.0.1', 'portal.example']) {
    assert.match(
      settingFault({ PORTAL_HOST, DEMO: 'on' }),
      /^DEMO must be off if PORTAL_HOST is ".*, for example DEMO=off$/,
    );
    const portal = { PORTAL_HOST, PORTAL_URL: 'https://portal.example' };
    assert.is(loadConfig(portal).portalHost, PORTAL_HOST);
  }
  assert.ok(loadConfig({ PORTAL_HOST: '::1', DEMO: 'on' }).demo);
});

test.run();
