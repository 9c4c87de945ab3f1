/**
 * Loaded into a program and its workers before all else: each thread writes every few seconds, to a file of its own, what
 * only the inside knows. The service has no such report, and none is put into it for a trial's sake.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread, threadId } from 'node:worker_threads';

const EVERY_MS = 5_000;
const PAGE_BYTES = 65_536;
const memories: WebAssembly.Memory[] = [];
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args, newTarget) {
    const instance: WebAssembly.Instance = Reflect.construct(target, args, newTarget);
    for (const one of Object.values(instance.exports))
      if (one instanceof WebAssembly.Memory) memories.push(one);
    return instance;
  },
});
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
setInterval(() => {
  const bytes = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  // Milliseconds since the report before.
  const delayP99 = isMainThread ? delays.percentile(99) / 1e6 : 0;
  delays.reset();
  const inside = { wasmPages: bytes / PAGE_BYTES, delayP99 };
  writeFileSync(join(process.env.SOAK_FOLDER ?? '', `${threadId}.json`), JSON.stringify(inside));
}, EVERY_MS).unref();
