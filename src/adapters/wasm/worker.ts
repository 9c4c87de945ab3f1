/**
 * Entry of a worker thread. It has a core with its own memory, and answers each batch with one message. On request it
 * helps another worker to search, through a second instance of the core on that worker's memory. An unexpected error
 * ends the thread, and the pool starts a new one with empty galleries.
 * Held by test/matcher/pool.test.ts, help.long.test.ts and death.test.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Core, type CoreSettings } from './core.ts';
import { Holdings } from './holdings.ts';
import { perform } from './perform.ts';
import type { Batch, HelpRequest } from './wire.ts';

if (parentPort === null) throw new Error('worker.ts runs only as a worker of the matcher pool');
const port = parentPort;
const { module, settings, memory } = workerData as {
  module: WebAssembly.Module;
  settings: CoreSettings;
  memory: WebAssembly.Memory;
};
const core = new Core(module, settings, memory);
const holdings = new Holdings(core);
/** Cores on the memories of other workers, by worker number. */
const others = new Map<number, Core>();

port.on('message', (message: Batch | HelpRequest) => {
  if ('owner' in message) return assist(message);
  const answer = perform(core, holdings, message);
  core.endBatch();
  port.postMessage(answer, [answer.numbers.buffer, answer.units.buffer]);
  if (message.changes.length > 0) tendLater();
});

let isTending = false;

/** Tends the galleries between messages, a little at a time, so that no search waits for it. */
function tendLater(): void {
  if (isTending) return;
  isTending = true;
  setImmediate(() => {
    isTending = false;
    if (holdings.tend()) tendLater();
  });
}

function assist({ owner, batches, memory }: HelpRequest): void {
  if (memory) others.set(owner, new Core(module, settings, memory));
  others.get(owner)?.assist(batches);
}
