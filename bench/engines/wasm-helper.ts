/** The second thread of the engine `wasm`: helps the first with its searches until the turn ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { Core } from '../../src/adapters/wasm/core.ts';

const { module, settings, memory } = workerData;
const core = new Core(module, settings, memory);
parentPort?.on('message', (batches: number) => core.assist(batches));
parentPort?.postMessage('ready');
