/** On PostgreSQL, what differs between engines: races, and what outlives a process. The rest: postgres.long.test.ts. */
import { suite } from '../support/suite.ts';
import { holdOnPostgres } from './postgres-engine.ts';

const test = suite('store contract: races');
holdOnPostgres(test, 'races');
test.run();
