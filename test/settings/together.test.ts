/** Settings that depend on each other: what is required, refused or unwise together. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { isUnencrypted } from '../../src/domain/origins.ts';
import { unwiseSettings } from '../../src/settings/rules.ts';
import { settingFault as fault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';

const test = suite('settings: together');
const namesOf = (env: Record<string, string>) =>
  unwiseSettings(loadConfig(env)).map(({ setting }) => setting);

test('beyond loopback BASE_URL is required; with it, any host will do', () => {
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'face.example', '127.0.0.1.example', '128.0.0.1']) {
    const message = fault({ HOST });
    assert.match(message, 'BASE_URL');
    assert.ok(message.includes(HOST), message);
    assert.is(loadConfig({ HOST, BASE_URL: 'https://face.example' }).host, HOST);
  }
  for (const HOST of ['127.0.0.1', '127.0.0.53', '::1', 'localhost'])
    assert.is(loadConfig({ HOST }).baseUrl, null);
});

test('beyond loopback PORTAL_URL is required, and https', () => {
  for (const PORTAL_HOST of ['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example']) {
    const message = fault({ PORTAL_HOST });
    assert.match(message, /^PORTAL_URL is required if PORTAL_HOST is /);
    assert.ok(message.includes(PORTAL_HOST), message);
    const wrong = fault({ PORTAL_HOST, PORTAL_URL: 'http://localhost:8081' });
    assert.match(wrong, /^PORTAL_URL must be an https address/);
    const url = 'https://portal.example';
    assert.is(loadConfig({ PORTAL_HOST, PORTAL_URL: url }).portalUrl, url);
  }
  for (const PORTAL_HOST of ['127.0.0.1', '127.0.0.53', '::1', 'localhost'])
    assert.is(loadConfig({ PORTAL_HOST }).portalUrl, null);
});

test('BASE_URL becomes the issuer in one form: slashes at its end go, nothing else may cling to it', () => {
  for (const text of ['https://face.example/', 'https://face.example//'])
    assert.is(loadConfig({ BASE_URL: text }).baseUrl, 'https://face.example');
  for (const text of [
    ' https://face.example ',
    'https://face.exa\nmple',
    'https://face.example?',
    'https://face.example#',
    'HTTPS://Face.Example',
    'https://face.example:443',
  ]) {
    let issuer: string | null;
    try {
      issuer = loadConfig({ BASE_URL: text }).baseUrl;
    } catch {
      continue; // refusing is as good
    }
    assert.is(issuer, 'https://face.example', JSON.stringify(text));
  }
});

test('API and portal need a port each, unless both take free ones', () => {
  assert.throws(
    () => loadConfig({ PORT: '8081' }),
    /^PORTAL_PORT is 8081, and so is PORT: .*example PORTAL_PORT=8082$/,
  );
  assert.throws(
    () => loadConfig({ PORTAL_PORT: '8080' }),
    /^PORTAL_PORT is 8080, and so is PORT: .*PORTAL_PORT=8081$/,
  );
  const { port, portalPort } = loadConfig({ PORT: '0', PORTAL_PORT: '0' });
  assert.equal([port, portalPort], [0, 0]);
});

test('a threshold above 0.6 is refused unless a second setting allows it', () => {
  for (const unsafe of [{}, { MATCH_THRESHOLD_UNSAFE: 'no' }, { MATCH_THRESHOLD_UNSAFE: '' }]) {
    const message = fault({ MATCH_THRESHOLD: '0.7', ...unsafe });
    assert.match(message, /^MATCH_THRESHOLD is 0\.7, above 0\.6: .*MATCH_THRESHOLD_UNSAFE=yes/);
  }
  for (const text of ['0.61', '2'])
    assert.is(
      loadConfig({ MATCH_THRESHOLD: text, MATCH_THRESHOLD_UNSAFE: 'yes' }).matchThreshold,
      Number(text),
    );
  assert.match(fault({ MATCH_THRESHOLD: '2.01', MATCH_THRESHOLD_UNSAFE: 'yes' }), /from 0\.01 to 2/);
});

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
      fault({ PORTAL_HOST, DEMO: 'on' }),
      /^DEMO must be off if PORTAL_HOST is ".*, for example DEMO=off$/,
    );
    const portal = { PORTAL_HOST, PORTAL_URL: 'https://portal.example' };
    assert.is(loadConfig(portal).portalHost, PORTAL_HOST);
  }
  assert.ok(loadConfig({ PORTAL_HOST: '::1', DEMO: 'on' }).demo);
});

test.run();
