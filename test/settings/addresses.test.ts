/** BASE_URL and PORTAL_URL: when they are required, and in which form they are taken. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { settingFault as fault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';

const test = suite('settings: addresses');

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

test.run();
