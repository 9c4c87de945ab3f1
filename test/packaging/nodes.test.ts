/**
 * The containers of src/packaging/cluster/compose.yml: nothing but HAProxy is open to others, all run without rights, the
 * nodes differ where they have to, and HAProxy takes its file with the environment that it gets. bare/image.test.ts runs
 * two nodes in containers, haproxy.test.ts and balanced.test.ts run HAProxy.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import type { PostgresUrl } from '../../src/settings/postgres.ts';
import { certificate } from '../support/certificate.ts';
import { changed } from '../support/packaged.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { assertMounts, assertNoRights, composed, fromYaml, openPorts, settingsOf } from './composed.ts';
import { accepted } from './haproxy.ts';

const test = suite('packaging: nodes');
const file = composed('cluster');
const { folder, services, networks } = file;
const NODES = ['node1', 'node2'];
const HOST = '0.0.0.0';
const ENV = { DOMAIN: 'face.example', POSTGRES_PASSWORD: 'c0ffee', MASTER_SECRET: 'A'.repeat(43) };
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

test('only HAProxy is open to others, and on IPv4 only', () => {
  assert.equal(openPorts(file), ['haproxy 0.0.0.0:80:80', 'haproxy 0.0.0.0:443:443']);
  for (const [name, { network_mode }] of Object.entries(services)) assert.is(network_mode, undefined, name);
});

test('all run without rights on a read-only root, and the nodes as the Dockerfile says', () => {
  assertNoRights(file, NODES, []);
  assert.is(services.database.user, 'postgres');
});

test('the nodes get one database, one secret and the address of the balancer, and do not start without', () => {
  for (const name of NODES) {
    const config = loadConfig({ HOST, ...settingsOf(services[name], ENV) });
    assert.equal(
      [config.baseUrl, config.trustProxy, config.portalHost],
      ['https://face.example', 1, '127.0.0.1'],
    );
    assert.equal(config.masterSecret, Buffer.alloc(32));
    const { hosts, port, user, password, database } = config.database as PostgresUrl;
    const { POSTGRES_USER, POSTGRES_PASSWORD } = settingsOf(services.database, ENV);
    assert.equal([hosts, port], [['database'], 5432]);
    // Its image names the database after the user.
    assert.equal([user, password, database], [POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_USER]);
    assert.equal(services[name].depends_on, { database: { condition: 'service_healthy' } });
  }
  for (const name of Object.keys(ENV))
    for (const [, sign] of text('compose.yml').matchAll(new RegExp(`\\$\\{${name}(.)`, 'g')))
      assert.is(sign, ':', name);
  for (const name of Object.keys(ENV)) assert.ok(text('compose.yml').includes(`\${${name}:?`), name);
});

test('each node has its own name, volume and address, which HAProxy is given', () => {
  const [{ subnet, ip_range }] = networks.default.ipam.config;
  const addresses = NODES.map(name => services[name].networks.default.ipv4_address);
  assert.equal(services.haproxy.environment, {
    CONTAINER: 'yes',
    NODE1: addresses[0],
    NODE2: addresses[1],
  });
  for (const address of addresses) {
    assert.is(address.replace(/\d+$/, '0/24'), subnet);
    // The second half of the subnet is for containers without a fixed address.
    assert.ok(Number(address.split('.')[3]) < 128);
  }
  assert.is(ip_range, subnet.replace('0/24', '128/25'));
  for (const name of NODES)
    assert.equal([services[name].hostname, services[name].volumes], [name, [`${name}:/data`]]);
});

test('PostgreSQL is made as the service needs it, and is healthy only once nodes can connect', () => {
  const { image, environment, volumes, healthcheck } = services.database;
  assert.is(environment.POSTGRES_INITDB_ARGS, '--encoding=UTF8 --locale=C');
  // Since version 18, the image keeps its files below this folder.
  assert.match(image, /^docker\.io\/library\/postgres:18@/);
  assert.equal(volumes, ['database:/var/lib/postgresql']);
  assert.equal(healthcheck.test.slice(0, 4), ['CMD', 'pg_isready', '-h', '127.0.0.1']);
});

test('HAProxy takes its file with these nodes, and with those of three machines', () => {
  const temporary = tempFolder();
  const pem = '/etc/ssl/face.example/haproxy.pem';
  const path = join(temporary, 'haproxy.cfg');
  const put = (...changes: [string, string][]) =>
    writeFileSync(path, changed('cluster/haproxy.cfg', [[pem, certificate(temporary)], ...changes]));
  put();
  accepted(path, services.haproxy.environment);
  put(['THIS_ADDRESS', '127.0.0.1']);
  accepted(path);
  // What the file sets stays set when HAProxy reloads it, so that must not make a machine look like a container.
  assert.not.match(text('haproxy.cfg'), /setenv CONTAINER/);
  assert.ok(services.haproxy.volumes.includes(`./tls:${pem.replace('/haproxy.pem', '')}:ro`));
});

test('every file that is mounted exists, and the private key stays out of the repository and the image', () => {
  assertMounts(file, ['./tls']);
  for (const name of ['.gitignore', '.dockerignore'])
    assert.ok(readFileSync(join(ROOT, name), 'utf8').split('\n').includes('src/packaging/cluster/tls'), name);
});

test('nodes in containers take the database of three machines as containers.md says', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text('containers.md')) ?? [];
  const { environment, configs } = fromYaml(yaml)['x-node'];
  const config = loadConfig({ HOST, ...settingsOf(services.node1, ENV), ...environment });
  const { hosts, ssl, authorityFile } = config.database as PostgresUrl;
  assert.equal([hosts, ssl], [['10.0.0.1', '10.0.0.2', '10.0.0.3'], { rejectUnauthorized: true }]);
  assert.equal(configs, [{ source: 'ca', target: authorityFile }]);
});

test.run();
