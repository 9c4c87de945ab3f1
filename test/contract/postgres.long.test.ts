/** The store's contract on PostgreSQL. */
import { suite } from '../support/suite.ts';
import { holdOnPostgres } from './postgres-engine.ts';

const test = suite('store contract: PostgreSQL');
holdOnPostgres(test);
test.run();
