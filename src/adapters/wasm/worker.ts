/**
 * Entry of a worker thread: one core with memory of its own, one batch in, one answer out. What it cannot explain it
 * does not answer: an unforeseen error ends the thread, and the pool starts a new one with empty galleries.
 * Held by test/matcher/pool.test.ts and death.test.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Core, type CoreSettings } from './core.ts';
import { Holdings } from './holdings.ts';
import { perform } from './perform.ts';
import type { Batch } from './wire.ts';

if (parentPort === null) throw new Error('worker.ts runs as a worker of the matcher pool only');
const port = parentPort;
const { module, settings } = workerData as { module: WebAssembly.Module; settings: CoreSettings };
const core = new Core(module, settings);
const holdings = new Holdings(core);

port.on('message', (batch: Batch) => {
  const answer = perform(core, holdings, batch);
  port.postMessage(answer, [answer.numbers.buffer, answer.units.buffer]);
});
