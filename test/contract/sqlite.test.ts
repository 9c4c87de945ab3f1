/** The store's contract on SQLite. What only a database in a file can suffer is in test/sqlite. */
import { suite } from '../support/suite.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { holdContract } from './tiers.ts';

const test = suite('store contract');
holdContract(test, sqliteEngine);
test.run();
