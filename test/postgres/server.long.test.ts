/** What only a database on a server has: its connections, its locks, what nodes share, its schema. */
import { hasPostgres } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { afterRestores } from './after-restore.ts';
import { connections } from './connections.ts';
import { copies } from './copy.ts';
import { deletions } from './deletion.ts';
import { doctors } from './doctor.ts';
import { exports } from './export.ts';
import { journal } from './journal.ts';
import { leases } from './leases.ts';
import { locks } from './locks.ts';
import { lostAnswers } from './lost-answers.ts';
import { minutes } from './minutes.ts';
import { nodes } from './nodes.ts';
import { rewrites } from './rewrite.ts';
import { rolling } from './rolling.ts';
import { rotation } from './rotation.ts';
import { schema } from './schema.ts';
import { sealing } from './sealing.ts';
import { terminated } from './terminated.ts';
import { together } from './together.ts';
import { unexpiredRows } from './unexpired.ts';
import { versions } from './version.ts';

const test = suite('postgres: server');
if (hasPostgres())
  for (const part of [
    afterRestores,
    connections,
    copies,
    deletions,
    doctors,
    exports,
    locks,
    lostAnswers,
    leases,
    minutes,
    journal,
    nodes,
    rewrites,
    rolling,
    rotation,
    schema,
    sealing,
    terminated,
    together,
    unexpiredRows,
    versions,
  ])
    part(test);
else test('PostgreSQL is not installed', () => console.log('left out: what only a server has'));
test.run();
