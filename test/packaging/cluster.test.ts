/**
 * The files of src/packaging/cluster that only a whole cluster tries (test/chaos/failover): settings that the service
 * takes, strict replication, units that systemd takes, ports that README.md names.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import type { PostgresUrl } from '../../src/settings/postgres.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { fromYaml } from './composed.ts';

const test = suite('packaging: cluster');
const FOLDER = join(ROOT, 'src/packaging/cluster');
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const MACHINES = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];

test('the settings of a node are taken, with all machines, TLS to the database and one proxy in front', () => {
  const lines = text('settings')
    .replace('THIS_ADDRESS', '10.0.0.1')
    .replace('MASTER_SECRET=', `MASTER_SECRET=${'A'.repeat(43)}`)
    .split('\n')
    .filter(line => /^\w+=/.test(line))
    .map(line => line.split(/=(.*)/).slice(0, 2));
  const config = loadConfig(Object.fromEntries(lines));
  const database = config.database as PostgresUrl;
  assert.equal([database.hosts, database.ssl], [MACHINES, { rejectUnauthorized: true }]);
  assert.is(database.authorityFile, '/etc/face-sign-in/database-ca.pem');
  assert.equal([config.trustProxy, config.portalHost], [1, '127.0.0.1']);
});

test('a write waits for a standby, always, and nobody gets in without TLS and a password', () => {
  const { bootstrap, postgresql } = fromYaml(text('patroni.yml'));
  const { synchronous_mode, synchronous_mode_strict, synchronous_node_count } = bootstrap.dcs;
  assert.equal([synchronous_mode, synchronous_mode_strict, synchronous_node_count], [true, true, 2]);
  const { ttl, loop_wait, retry_timeout } = bootstrap.dcs;
  assert.ok(loop_wait + 2 * retry_timeout <= ttl);
  for (const rule of postgresql.pg_hba.slice(1)) assert.match(rule, /^hostssl .* scram-sha-256$/);
  for (const login of Object.values<{ sslmode: string }>(postgresql.authentication))
    assert.is(login.sslmode, 'verify-full');
});

test('systemd understands what the cluster adds to the units of a node and of Patroni', () => {
  const folder = tempFolder();
  copyFileSync(join(FOLDER, '../face-sign-in.service'), join(folder, 'face-sign-in.service'));
  writeFileSync(join(folder, 'patroni.service'), '[Service]\nExecStart=/bin/true\n');
  for (const name of ['face-sign-in', 'patroni']) {
    mkdirSync(join(folder, `${name}.service.d`));
    copyFileSync(join(FOLDER, `${name}.conf`), join(folder, `${name}.service.d/cluster.conf`));
    // It also says that the program is not installed.
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', `${name}.service`], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    assert.not.match(stderr, /cluster\.conf/);
  }
});

test('README.md names the port of everything that listens', () => {
  const readme = text('README.md');
  const all = ['etcd', 'patroni.yml', 'haproxy.cfg'].flatMap(name =>
    [...text(name).matchAll(/(?:listen: |_URLS=|bind |")\S*?:(\d+)\b/g)].map(([, port]) => port),
  );
  assert.equal([...new Set(all)].sort(), ['2379', '2380', '443', '5432', '80', '8008', '8080', '9101']);
  for (const port of new Set(all)) assert.ok(new RegExp(`\\b${port}\\b`).test(readme), `port ${port}`);
});

test.run();
