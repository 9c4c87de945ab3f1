/** The program's `serve`, in a process that also answers what only the inside knows: heap, handles, event-loop delay. */
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import threads, { BroadcastChannel, type Worker } from 'node:worker_threads';
import { PAGES_CHANNEL, type Pages } from './pages.ts';

export interface Inside {
  readonly heapUsed: number;
  readonly external: number;
  /** Used heap of all matching workers. */
  readonly workerHeapUsed: number;
  /** Pages of 64 KiB of the matching cores' memory. */
  readonly wasmPages: number;
  /** What keeps the event loop alive: sockets, timers, ports, … */
  readonly resources: number;
  /** Milliseconds; since the question before. */
  readonly delayP99: number;
  readonly delayMax: number;
}

const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
const workers = new Set<Worker>();
const pages = ['--import', join(import.meta.dirname, 'pages.ts')];
threads.Worker = class extends threads.Worker {
  constructor(...[script, options]: ConstructorParameters<typeof Worker>) {
    const isMatcher = options?.name === 'matcher';
    super(script, isMatcher ? { ...options, execArgv: [...(options.execArgv ?? []), ...pages] } : options);
    // Others come and go, and one that is going never tells of its heap.
    if (!isMatcher) return;
    workers.add(this);
    this.once('exit', () => workers.delete(this));
  }
};
// What is imported from now on gets this one.
syncBuiltinESMExports();
const pagesOf = new Map<number, number>();
const channel = new BroadcastChannel(PAGES_CHANNEL);
channel.unref();
channel.onmessage = event => {
  const message = (event as MessageEvent).data as Pages;
  pagesOf.set(message.thread, message.pages);
};

process.on('message', async () => process.send?.(await inside()));
const { run } = await import('../../../src/cli/run.ts');
process.exitCode = await run(['serve'], {
  env: process.env,
  print: line => process.stdout.write(`${line}\n`),
  printError: line => process.stderr.write(`${line}\n`),
});
process.disconnect?.();

async function inside(): Promise<Inside> {
  const heaps = await Promise.all([...workers].map(worker => worker.getHeapStatistics()));
  const { heapUsed, external } = process.memoryUsage();
  const answer = {
    heapUsed,
    external,
    workerHeapUsed: heaps.reduce((sum, heap) => sum + heap.used_heap_size, 0),
    wasmPages: [...pagesOf.values()].reduce((sum, each) => sum + each, 0),
    resources: process.getActiveResourcesInfo().length,
    delayP99: delays.percentile(99) / 1e6,
    delayMax: delays.max / 1e6,
  };
  delays.reset();
  return answer;
}
