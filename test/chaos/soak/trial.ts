/**
 * Half an hour of mixed load on one service: nothing may grow that need not.
 *
 * - Memory: the slope of VmRSS over the last two thirds, by least squares, below 1 MB a minute. At 600 requests a second
 *   that is 30 bytes a request: whatever is kept of each would show. Much less could not be told from what the garbage
 *   collector does in twenty minutes. Under ten minutes it is told and not judged: caches still fill.
 * - The event loop: p99 of its delay below 250 ms. All of 32 clients in closed loops wait for it at once, so that it
 *   is never idle; a person waits through two or three requests, and no more than a second in all.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AT_ONCE_BYTES } from '../../../src/adapters/sqlite/compaction.ts';
import { openPostbox } from '../../support/postbox.ts';
import { type Figure, figure, type Trial } from '../../support/trial.ts';
import { makeApp } from '../crash/app.ts';
import { memoryFigure, settled, shiftOf, slopeOf } from './judge.ts';
import { type Load, startLoad } from './load.ts';
import { soakPlot } from './plot.ts';
import { MB } from './process-figures.ts';
import { runningAt } from './running.ts';
import { type Sample, type Soaked, startSoaked } from './service.ts';

const SAMPLE_MS = 5_000;
const REST_MS = 8_000;
/** The setting of src/adapters/sqlite/driver.ts, and what a checkpoint that has to wait for a reader lets it overshoot. */
const WAL_BYTES = 1.5 * 16 * MB;
/** While a database is small, erasures have it rebuilt, and SQLite writes the whole of it through the log. */
const WAL_MOST_BYTES = AT_ONCE_BYTES + WAL_BYTES;
const DELAY_MS = 250;
const HANDLES_DRIFT = 2;

type Timed = Sample & { readonly deeds: number; readonly people: number };

export const trial: Trial = {
  about: 'minutes of mixed load: memory, handles, WASM pages, -wal and event loop sampled and plotted',
  options: { minutes: 30, connections: 32, gallery: 1_000 },
  async run({ minutes = 30, connections = 32, gallery = 1_000 }, say) {
    const postbox = await openPostbox();
    const service = await startSoaked(postbox.url);
    try {
      const app = await makeApp(service.dataDir, service.env);
      const run = runningAt(service.base, service.dataDir, to => postbox.mails(to));
      const before = service.handles();
      say(`filling a gallery of ${gallery}`);
      const load = await startLoad(run, app, connections, gallery);
      const samples = await watched(service, load, minutes, say);
      await load.stop();
      await delay(REST_MS);
      const code = await service.stop();
      const seconds = samples.at(-1)?.at ?? 0;
      const places = keep(
        samples,
        `${connections} clients in closed loops, gallery of ${gallery}, ${minutes} min, one matching worker`,
      );
      for (const place of places) say(place);
      say(JSON.stringify(load.tally.requests));
      for (const fault of [...load.tally.faults, ...service.complaints]) say(fault);
      return judged(samples, minutes, load, service, { code, before, seconds });
    } finally {
      postbox.close();
      if (!service.isOver()) await service.stop();
    }
  },
};

async function watched(
  service: Soaked,
  load: Load,
  minutes: number,
  say: (line: string) => void,
): Promise<Timed[]> {
  const samples: Timed[] = [];
  const began = performance.now();
  await service.sample(0);
  for (let n = 1; n * SAMPLE_MS <= minutes * 60_000; n++) {
    await delay(began + n * SAMPLE_MS - performance.now());
    const sample = await service.sample((performance.now() - began) / 1_000);
    samples.push({ ...sample, deeds: load.done(), people: load.people() });
    if (n % 12 !== 0) continue;
    const { rss, handles, delayP99, deeds } = samples.at(-1) as Timed;
    const faults = load.tally.faultCount;
    say(
      `minute ${n / 12}: ${(rss / MB).toFixed(0)} MB, ${handles} handles, p99 ${delayP99.toFixed(0)} ms, ${deeds} deeds, ${faults} faults`,
    );
  }
  return samples;
}

interface End {
  readonly code: number | null;
  readonly before: number;
  readonly seconds: number;
}

function judged(
  samples: readonly Timed[],
  minutes: number,
  load: Load,
  service: Soaked,
  { code, before, seconds }: End,
): Figure[] {
  const last = settled(samples);
  const slope = (of: (sample: Timed) => number) =>
    slopeOf(last.map(sample => ({ at: sample.at / 60, value: of(sample) })));
  const most = (of: (sample: Timed) => number) => Math.max(...samples.map(of));
  const unrisen = (what: string, of: (sample: Timed) => number, drift: number) => {
    const shift = shiftOf(last.map(of));
    const range = `${Math.min(...last.map(of))} to ${Math.max(...last.map(of))}`;
    return figure(what, 'no rise', `${range}; shift ${shift}`, shift <= drift);
  };
  const p99 =
    [...last].sort((a, b) => a.delayP99 - b.delayP99)[Math.ceil(0.99 * last.length) - 1]?.delayP99 ?? 0;
  const { tally } = load;
  const done = load.done();
  const expected = done - tally.faultCount;
  const wal = most(({ walBytes }) => walBytes);
  const ends = [samples[0], samples.at(-1)].map(sample => ((sample?.databaseBytes ?? 0) / MB).toFixed(1));
  return [
    figure(
      'deeds, each of 1 to 20 requests',
      'any number',
      `${done}, ${(done / seconds).toFixed(0)}/s`,
      done > 0,
    ),
    figure('deeds answered as expected', 'all', `${expected} of ${done}`, expected === done),
    figure(
      'log lines above info',
      '0',
      `${service.complaints.length} of ${service.logged()}`,
      service.complaints.length === 0,
    ),
    memoryFigure(
      'memory (VmRSS)',
      samples.map(({ at, rss }) => ({ at, value: rss / MB })),
      minutes,
    ),
    figure(
      'heap in use, slope of the last two thirds',
      'reported',
      `${slope(s => s.heapUsed / MB).toFixed(2)} MB/min`,
      true,
    ),
    figure(
      'heap of the matching worker, slope',
      'reported',
      `${slope(sample => sample.workerHeapUsed / MB).toFixed(2)} MB/min`,
      true,
    ),
    unrisen('WASM pages of the matching worker', sample => sample.wasmPages, 0),
    unrisen('open handles (/proc/PID/fd)', sample => sample.handles, HANDLES_DRIFT),
    unrisen('active resources of the event loop', sample => sample.resources, resourceDrift(samples)),
    figure(
      '-wal, highest',
      `below ${WAL_MOST_BYTES / MB} MB`,
      `${(wal / MB).toFixed(1)} MB`,
      wal < WAL_MOST_BYTES,
    ),
    figure('database file', 'reported', `${ends[0]} to ${ends[1]} MB`, true),
    figure(
      'event-loop delay, p99 of 5 s, 99 of 100 samples',
      `below ${DELAY_MS} ms`,
      `${p99.toFixed(0)} ms`,
      p99 < DELAY_MS,
    ),
    figure('gallery, people', 'constant', `${samples[0]?.people} to ${samples.at(-1)?.people}`, true),
    figure('handles before the load, exit code', 'reported, 0', `${before}, ${code}`, code === 0),
  ];
}

/** Requests under way come and go: a tenth of what is seen is no drift. */
function resourceDrift(samples: readonly Timed[]): number {
  return Math.max(...samples.map(({ resources }) => resources)) / 10;
}

/** Writes the plot into the repository and the samples beside other temporary files. */
function keep(samples: readonly Timed[], note: string): string[] {
  const of = (name: keyof Timed, by = 1) => samples.map(sample => sample[name] / by);
  const rates = samples.map((sample, n) => {
    const from = samples[n - 1] ?? { deeds: 0, at: 0 };
    return (sample.deeds - from.deeds) / (sample.at - from.at);
  });
  const panels = [
    { title: 'Memory (VmRSS)', unit: 'MB', values: of('rss', MB) },
    { title: 'Heap in use', unit: 'MB', values: of('heapUsed', MB) },
    { title: 'External memory', unit: 'MB', values: of('external', MB) },
    { title: 'WASM memory', unit: 'pages of 64 KiB', values: of('wasmPages') },
    { title: 'Heap of the matching worker', unit: 'MB', values: of('workerHeapUsed', MB) },
    { title: 'Open handles', unit: 'number', values: of('handles') },
    { title: 'Active resources', unit: 'number', values: of('resources') },
    { title: 'Event-loop delay, p99 of 5 s', unit: 'ms', values: of('delayP99'), limit: DELAY_MS },
    { title: 'Event-loop delay, longest of 5 s', unit: 'ms', values: of('delayMax') },
    { title: 'Write-ahead log', unit: 'MB', values: of('walBytes', MB), limit: WAL_MOST_BYTES / MB },
    { title: 'Database', unit: 'MB', values: of('databaseBytes', MB) },
    { title: 'Deeds', unit: 'per second', values: rates },
  ];
  const drawn = join(import.meta.dirname, '../results/soak.svg');
  mkdirSync(join(drawn, '..'), { recursive: true });
  writeFileSync(
    drawn,
    soakPlot(
      note,
      samples.map(({ at }) => at),
      panels,
    ),
  );
  const data = join(mkdtempSync(join(tmpdir(), 'face-sign-in-soak-')), 'samples.json');
  writeFileSync(data, JSON.stringify(samples));
  return [drawn, data];
}
