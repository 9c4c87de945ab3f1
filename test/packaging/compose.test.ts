/**
 * The containers of src/packaging/compose: nothing but the proxy is open to others, the portal to Prometheus alone, and all run
 * without rights, the service with the flags that the Dockerfile tells and bare/image.test.ts tries.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import type { Json } from '../support/client.ts';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('packaging: compose');
const FOLDER = join(ROOT, 'src/packaging/compose');
const TO_JSON = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
const text = readFileSync(join(FOLDER, 'compose.yml'), 'utf8');
let services: Record<string, Json>;
let volumes: Record<string, null>;

test.before(() => {
  const parsed = execFileSync('/usr/bin/python3', ['-c', TO_JSON], { input: text, encoding: 'utf8' });
  ({ services, volumes } = JSON.parse(parsed));
});

test('only the proxy is open to others, and the portal to Prometheus alone', () => {
  const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port: string) => `${name} ${port}`),
  );
  assert.equal(open, [
    'face-sign-in 127.0.0.1:9090:9090',
    'caddy 80:80',
    'caddy 443:443',
    'caddy 443:443/udp',
  ]);
  const shared = Object.entries(services).filter(([, service]) => service.network_mode);
  assert.equal(
    shared.map(([name, service]) => [name, service.network_mode]),
    [['prometheus', 'service:face-sign-in']],
  );
  const { environment } = services['face-sign-in'];
  for (const name of ['PORTAL_HOST', 'PORTAL_PORT', 'HOST', 'DEMO', 'MASTER_SECRET'])
    assert.is(environment[name], undefined, name);
  const scrape = readFileSync(join(FOLDER, '../prometheus.yml'), 'utf8');
  const { portalPort } = loadConfig({});
  assert.ok(scrape.includes(`targets: ["127.0.0.1:${portalPort}"]`));
});

test('all run without rights on a read-only root, and the service as the Dockerfile says', () => {
  for (const [name, service] of Object.entries(services)) {
    assert.is(service.read_only, true, name);
    assert.equal(service.cap_drop, ['ALL'], name);
    assert.equal(service.cap_add ?? [], name === 'caddy' ? ['NET_BIND_SERVICE'] : [], name);
    assert.equal(service.security_opt, ['no-new-privileges:true'], name);
    assert.not.ok(service.privileged ?? service.user ?? service.pid, name);
    assert.is(service.restart, 'unless-stopped', name);
    if (name !== 'face-sign-in') assert.match(service.image, /^docker\.io\/[a-z/]+:v?\d+\.\d+/, name);
  }
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const { tmpfs, volumes: mounted } = services['face-sign-in'];
  for (const flag of [
    '--read-only',
    `--tmpfs ${tmpfs}`,
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
  ])
    assert.ok(dockerfile.includes(flag), flag);
  assert.equal(mounted, ['data:/data']);
  assert.match(dockerfile, /^VOLUME \/data$/m);
});

test('the service gets the settings of a public address behind one proxy, and mail if it is set', () => {
  const { environment, build } = services['face-sign-in'];
  assert.ok(existsSync(join(FOLDER, build, 'Dockerfile')));
  const settings = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries<string>(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+):[-?][^}]*\}/g, (_, variable) => values[variable] ?? ''),
      ]),
    );
  const HOST = '0.0.0.0';
  const config = loadConfig({ HOST, ...settings({ DOMAIN: 'face.example' }) });
  assert.equal([config.baseUrl, config.trustProxy, config.mail], ['https://face.example', 1, null]);
  const MAIL_URL = 'smtps://user:secret@mail.example:465';
  const mailing = loadConfig({ HOST, ...settings({ DOMAIN: 'face.example', MAIL_URL }) });
  assert.is(mailing.mail?.kind, 'smtp');
  assert.match(environment.BASE_URL, /\$\{DOMAIN:\?/);
  const caddyfile = readFileSync(join(FOLDER, '../Caddyfile'), 'utf8');
  for (const name of Object.keys(services.caddy.environment))
    assert.ok(caddyfile.includes(`{$${name}:`), name);
  assert.is(services.caddy.environment.SERVICE, 'face-sign-in:8080');
});

test('every file that is mounted exists, every volume is declared, and all of them are used', () => {
  const used = new Set<string>();
  for (const service of Object.values(services))
    for (const mount of service.volumes as string[]) {
      const [from = '', , mode] = mount.split(':');
      if (from.startsWith('.')) assert.ok(existsSync(join(FOLDER, from)) && mode === 'ro', mount);
      else used.add(from);
    }
  assert.equal([...used].sort(), Object.keys(volumes).sort());
});

test.run();
