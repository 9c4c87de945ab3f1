/** The store's contract on PostgreSQL. What only its server can suffer is in test/postgres. */
import { postgresPrograms } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { postgresEngine } from './postgres-engine.ts';
import { holdContract } from './tiers.ts';

const test = suite('store contract');
if (postgresPrograms()) holdContract(test, postgresEngine());
else test('PostgreSQL is not installed', () => console.log('left out: the contract on PostgreSQL'));
test.run();
