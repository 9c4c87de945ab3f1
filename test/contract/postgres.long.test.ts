/** The store's contract on PostgreSQL, but for its races: those are in postgres-races.long.test.ts. */
import { suite } from '../support/suite.ts';
import { holdOnPostgres } from './postgres-engine.ts';

const test = suite('store contract: rest');
holdOnPostgres(test, 'rest');
test.run();
