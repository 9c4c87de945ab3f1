/**
 * Loaded into every matching worker before its own script (see serve.ts): tells once a second how many pages of
 * WebAssembly memory there are. The service has no such report, and none is put into it for a trial's sake.
 */
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

export const PAGES_CHANNEL = 'chaos-soak-pages';
const EVERY_MS = 1_000;
const PAGE_BYTES = 65_536;

export interface Pages {
  readonly thread: number;
  readonly pages: number;
}

if (!isMainThread) {
  const memories: WebAssembly.Memory[] = [];
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args, newTarget) {
      const instance: WebAssembly.Instance = Reflect.construct(target, args, newTarget);
      for (const one of Object.values(instance.exports))
        if (one instanceof WebAssembly.Memory) memories.push(one);
      return instance;
    },
  });
  const channel = new BroadcastChannel(PAGES_CHANNEL);
  channel.unref();
  setInterval(() => {
    const bytes = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    channel.postMessage({ thread: threadId, pages: bytes / PAGE_BYTES } satisfies Pages);
  }, EVERY_MS).unref();
}
