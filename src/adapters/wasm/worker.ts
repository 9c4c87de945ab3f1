/**
 * Entry of a worker thread: one core with a memory of its own, one batch in, one answer out; and, when asked, a hand
 * for another worker's search, through a second instance of the core on that one's memory. What it cannot explain it
 * does not answer: an unforeseen error ends the thread, and the pool starts a new one with empty galleries.
 * Held by test/matcher/pool.test.ts, help.long.test.ts and death.test.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Core, type CoreSettings } from './core.ts';
import { Holdings } from './holdings.ts';
import { perform } from './perform.ts';
import type { Batch, Plea } from './wire.ts';

if (parentPort === null) throw new Error('worker.ts runs as a worker of the matcher pool only');
const port = parentPort;
const { module, settings, memory } = workerData as {
  module: WebAssembly.Module;
  settings: CoreSettings;
  memory: WebAssembly.Memory;
};
const core = new Core(module, settings, memory);
const holdings = new Holdings(core);
/** Cores on the memories of other workers, by their numbers. */
const others = new Map<number, Core>();

port.on('message', (message: Batch | Plea) => {
  if ('owner' in message) return assist(message);
  const answer = perform(core, holdings, message);
  core.endBatch();
  port.postMessage(answer, [answer.numbers.buffer, answer.units.buffer]);
});

function assist({ owner, batches, memory }: Plea): void {
  if (memory) others.set(owner, new Core(module, settings, memory));
  others.get(owner)?.assist(batches);
}
