/**
 * The service's matching core, called on this thread (the trial `calls` covers messages to workers), and the same with
 * the help of a second thread, which the service's pool uses for large galleries.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Core, coreMemory, type Found, VERDICTS } from '../../src/adapters/wasm/core.ts';
import { bestBuild, loadModule } from '../../src/adapters/wasm/module.ts';
import { MIN_TEMPLATES_FOR_HELP } from '../../src/adapters/wasm/perform.ts';
import { type Answer, type Engine, MARGIN, type Maker, THRESHOLD, type Turn } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import { type Asked, MOST_PROBES } from '../search/expected.ts';
import type { Gallery } from '../search/gallery.ts';
import { inProcess, timed, upkeepOf } from './in-process.ts';

const settings = { threshold: THRESHOLD, margin: MARGIN };

/** One core holds the gallery, for an engine on one thread and, where it is worthwhile, an engine on two. */
async function engines(gallery: Gallery): Promise<Engine[]> {
  const module = await loadModule();
  const memory = coreMemory();
  const core = new Core(module, settings, memory);
  const handle = core.create();
  const templates = new Map<number, number>();
  const { seconds } = await timed(() => {
    for (let i = 0; i < gallery.n; i++) {
      const slot = core.add(handle, gallery.users[i] as number, gallery.vectors, i * DIMENSIONS);
      if (slot === 0) throw new Error(`the core has no room for ${gallery.n} templates`);
      templates.set(slot, i);
      // The service's workers do it between messages, which bring about so many templates.
      if (i % 1000 === 999 || i === gallery.n - 1) while (core.tend(handle));
    }
  });
  const units = new Float32Array(MOST_PROBES * DIMENSIONS);
  const searching = (helped: boolean) => (probes: Float64Array) => {
    if (core.ask(0, probes, units, 0, probes.length / DIMENSIONS) !== 0)
      throw new Error('a probe was refused');
    core.answer(handle, 1, helped);
    return core.read(0);
  };
  const answerOf = ({ slot, verdict, distance, otherDistance }: Found): Answer => {
    const name = VERDICTS[verdict];
    if (name === undefined) throw new Error(`the core returned an unknown verdict: ${verdict}`);
    return { template: templates.get(slot) ?? -1, distance, otherDistance, verdict: name };
  };
  const prepare = (query: Asked) => Float64Array.from(query.raw.flat());
  const alone: Engine = {
    name: 'wasm',
    settings: '',
    threads: 1,
    rule: 'core',
    about: `the service's core, build "${bestBuild()}"`,
    bytes: core.bytes(handle),
    load_s: seconds,
    turn: inProcess(prepare, searching(false), answerOf),
    work: () => core.takeWork(),
    async upkeep(extra) {
      const slots: number[] = [];
      return upkeepOf(
        extra.length / DIMENSIONS,
        i => {
          slots.push(core.add(handle, gallery.n + i + 1, extra, i * DIMENSIONS));
        },
        i => core.remove(handle, slots[i] as number),
      );
    },
    close: () => core.drop(handle),
  };
  if (gallery.n < MIN_TEMPLATES_FOR_HELP || availableParallelism() < 2) return [alone];
  const worker = new Worker(new URL('wasm-helper.ts', import.meta.url), {
    workerData: { module, settings, memory },
  });
  await once(worker, 'message');
  const turn = inProcess(prepare, searching(true), answerOf);
  let batches = 0;
  const { work, upkeep, ...same } = alone;
  const helped: Engine = {
    ...same,
    threads: 2,
    async turn(request: Turn) {
      worker.postMessage(++batches);
      const done = await turn(request);
      core.endBatch();
      return done;
    },
    async close() {
      await worker.terminate();
    },
  };
  return [alone, helped];
}

export const wasm: Maker = { names: ['wasm'], make: engines };
