/**
 * A worker for help.test.ts: a second instance of the core on a memory that it is given, which helps the first one
 * until that has answered so many batches, and then tells in how many passes it took part.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Core } from '../../src/adapters/wasm/core.ts';

const { module, settings, memory, batches } = workerData;
const core = new Core(module, settings, memory);
parentPort?.postMessage('ready');
parentPort?.postMessage(core.assist(batches));
