/** The trial of nodes sees what it is there to see: races that are lost without locks, and what kills must not do. */
import * as assert from 'uvu/assert';
import { hasPostgres } from '../../support/postgres.ts';
import { serverWithReady } from '../../support/ready-database.ts';
import { suite } from '../../support/suite.ts';
import { playHeard } from './heard.ts';
import { playKills } from './kills.ts';
import { controlled, WITHOUT_LOCKS } from './races.ts';
import { playSeen } from './seen.ts';

const test = suite('chaos: nodes');
const FEW = { rounds: 2, parallel: 24 };
/** Of figures in seconds, a busy machine decides. */
const TIMED = /^(?:within|at most)/;

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: trials of nodes'));
else
  test('races are held by three nodes and lost without locks; what one says, the others know; kills lose nothing', async () => {
    const server = await serverWithReady();
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    try {
      for (const { name, tried, held, faults } of await controlled(server, FEW))
        assert.is(held, tried, `${name}: ${faults}`);
      const lost = await controlled(server, FEW, WITHOUT_LOCKS);
      assert.ok(
        lost.some(({ tried, held }) => held < tried),
        'without locks every race was held',
      );
      const [missed] = await playHeard(server, 4, say, false);
      assert.is(missed?.measured, '2 of 2', 'verifiers that read no feed');
      for (const figure of [
        ...(await playSeen(server, 4, say)),
        ...(await playHeard(server, 40, say)),
        ...(await playKills(server, { seed: 3, kills: 1 }, say)),
      ])
        assert.ok(
          figure.held || TIMED.test(figure.wanted),
          `${figure.what}: ${figure.measured} ${said.join('\n')}`,
        );
    } finally {
      server.stop();
    }
  });

test.run();
