/** The store's contract on memory-store/, a second implementation in plain collections. */
import { suite } from '../support/suite.ts';
import { memoryEngine } from './memory-engine.ts';
import { holdContract } from './tiers.ts';

const test = suite('store contract, in memory');
holdContract(test, memoryEngine);
test.run();
