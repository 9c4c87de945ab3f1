/** What only a database on a server has: its connections, its locks, what nodes share, its schema. */
import { postgresPrograms } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { afterRestores } from './after-restore.ts';
import { connections } from './connections.ts';
import { copies } from './copy.ts';
import { doctors } from './doctor.ts';
import { journal } from './journal.ts';
import { leases } from './leases.ts';
import { locks } from './locks.ts';
import { minutes } from './minutes.ts';
import { nodes } from './nodes.ts';
import { rotation } from './rotation.ts';
import { schema } from './schema.ts';
import { terminated } from './terminated.ts';
import { together } from './together.ts';

const test = suite('postgres: server');
if (postgresPrograms())
  for (const part of [
    afterRestores,
    connections,
    copies,
    doctors,
    locks,
    leases,
    minutes,
    journal,
    nodes,
    rotation,
    schema,
    terminated,
    together,
  ])
    part(test);
else test('PostgreSQL is not installed', () => console.log('left out: what only a server has'));
test.run();
