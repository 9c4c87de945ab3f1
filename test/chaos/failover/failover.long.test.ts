/**
 * The shortest failover trial: one kill, one planned stop, and the control, which has to lose writes. Times are not
 * looked at here, because other tests use the machine meanwhile.
 */
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { hasPostgres } from '../../support/postgres.ts';
import { suite } from '../../support/suite.ts';
import { trial } from './trial.ts';

const test = suite('repo: the failover trial');
const TIMES = /pause of writes|go on after/;
/** Where tests are only listed, it is. */
const isInstalled =
  process.env.TEST_LIST === '1' || ['/usr/bin/patroni', '/usr/bin/etcd'].every(path => existsSync(path));

if (!hasPostgres() || !isInstalled)
  test('Patroni, etcd or PostgreSQL is not installed', () => console.log('left out: a failover'));
else
  test('nothing is lost with the primary, and nodes go on; without waiting for a standby, writes are lost', async () => {
    const few = { cycles: 1, machines: 0, silences: 0, stops: 1, switchovers: 0, controls: 1, clients: 6 };
    const said: string[] = [];
    const figures = await trial.run({ ...few, seed: 3 }, line => void said.push(line));
    assert.ok(figures.length > 10);
    const missed = figures.filter(({ what, held }) => !held && !TIMES.test(what));
    assert.equal(missed, [], said.join('\n'));
  });

test.run();
