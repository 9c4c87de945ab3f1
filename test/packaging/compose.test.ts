/**
 * The containers of src/packaging/compose: nothing but the proxy is open to others, the portal to Prometheus alone, and all run
 * without rights, the service with the flags that the Dockerfile tells and bare/image.test.ts tries.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { suite } from '../support/suite.ts';
import { assertMounts, assertNoRights, composed, openPorts, settingsOf } from './composed.ts';

const test = suite('packaging: compose');
const file = composed('compose');
const { folder, services } = file;

test('only the proxy is open to others, and the portal to Prometheus alone', () => {
  assert.equal(openPorts(file), [
    'face-sign-in 127.0.0.1:9090:9090',
    'caddy 0.0.0.0:80:80',
    'caddy 0.0.0.0:443:443',
    'caddy 0.0.0.0:443:443/udp',
  ]);
  const shared = Object.entries(services).filter(([, service]) => service.network_mode);
  assert.equal(
    shared.map(([name, service]) => [name, service.network_mode]),
    [['prometheus', 'service:face-sign-in']],
  );
  const { environment } = services['face-sign-in'];
  for (const name of ['PORTAL_HOST', 'PORTAL_PORT', 'HOST', 'DEMO', 'MASTER_SECRET'])
    assert.is(environment[name], undefined, name);
  const scrape = readFileSync(join(folder, '../prometheus.yml'), 'utf8');
  const { portalPort } = loadConfig({});
  assert.ok(scrape.includes(`targets: ["127.0.0.1:${portalPort}"]`));
});

test('all run without rights on a read-only root, and the service as the Dockerfile says', () => {
  assertNoRights(file, ['face-sign-in'], ['caddy']);
  for (const [name, { user }] of Object.entries(services)) assert.is(user, undefined, name);
  assert.equal(services['face-sign-in'].volumes, ['data:/data']);
});

test('the service gets the settings of a public address behind one proxy, and mail if it is set', () => {
  const { environment, build } = services['face-sign-in'];
  assert.ok(existsSync(join(folder, build, 'Dockerfile')));
  const settings = (values: Record<string, string>) => settingsOf(services['face-sign-in'], values);
  const HOST = '0.0.0.0';
  const config = loadConfig({ HOST, ...settings({ DOMAIN: 'face.example' }) });
  assert.equal([config.baseUrl, config.trustProxy, config.mail], ['https://face.example', 1, null]);
  const MAIL_URL = 'smtps://user:secret@mail.example:465';
  const mailing = loadConfig({ HOST, ...settings({ DOMAIN: 'face.example', MAIL_URL }) });
  assert.is(mailing.mail?.kind, 'smtp');
  assert.match(environment.BASE_URL, /\$\{DOMAIN:\?/);
  const caddyfile = readFileSync(join(folder, '../Caddyfile'), 'utf8');
  for (const name of Object.keys(services.caddy.environment))
    assert.ok(caddyfile.includes(`{$${name}:`), name);
  assert.is(services.caddy.environment.SERVICE, 'face-sign-in:8080');
});

test('every file that is mounted exists, every volume is declared, and all of them are used', () => {
  assertMounts(file);
});

test.run();
