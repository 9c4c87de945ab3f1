/**
 * Half an hour of mixed load on one service: nothing may grow that need not.
 *
 * - Memory: the slope of VmRSS over the last two thirds, by least squares, below 1 MB a minute. At 600 requests a second
 *   that is 30 bytes a request: whatever is kept of each would show. Much less could not be told from what the garbage
 *   collector does in twenty minutes. Under ten minutes it is told and not judged: caches still fill.
 * - The event loop: p99 of its delay below 250 ms. All of 32 clients in closed loops wait for it at once, so that it
 *   is never idle; a person waits through two or three requests, and no more than a second in all.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../../bench/measure.ts';
import { AT_ONCE_BYTES } from '../../../src/adapters/sqlite/compaction.ts';
import { openPostbox } from '../../support/postbox.ts';
import { newDataDir, tempFolder } from '../../support/process.ts';
import { handlesOf, MB, memoryOf } from '../../support/process-figures.ts';
import type { Running } from '../../support/service.ts';
import { type Figure, figure, none, some, type Trial, told } from '../../support/trial.ts';
import { makeApp, type Program, startProgram } from '../crash/program.ts';
import { databaseFile } from '../crash/rows.ts';
import { memoryFigure, settled, shiftOf } from './judge.ts';
import { type Load, startLoad } from './load.ts';
import { soakPlot } from './plot.ts';

const SAMPLE_MS = 5_000;
const REST_MS = 8_000;
/** The setting of src/adapters/sqlite/driver.ts, and what a checkpoint that has to wait for a reader lets it overshoot. */
const WAL_BYTES = 1.5 * 16 * MB;
/** While a database is small, erasures have it rebuilt, and SQLite writes the whole of it through the log. */
const WAL_MOST_BYTES = AT_ONCE_BYTES + WAL_BYTES;
const DELAY_MS = 250;
const HANDLES_DRIFT = 2;

type Sample = ReturnType<typeof sampled>;
/** Where the files of inside.ts are. */
const folder = tempFolder();

export const trial: Trial = {
  about: 'minutes of mixed load: memory, handles, WASM pages, -wal and event loop sampled and plotted',
  options: { minutes: 30, connections: 32, gallery: 1_000 },
  async run({ minutes = 30, connections = 32, gallery = 1_000 }, say) {
    const postbox = await openPostbox();
    const dataDir = newDataDir();
    const inside = `--import=${join(import.meta.dirname, 'inside.ts')}`;
    const env = {
      ...{ MAIL_URL: postbox.url, LOG_LEVEL: 'info', MATCH_THREADS: '1' },
      ...{ NODE_OPTIONS: inside, SOAK_FOLDER: folder },
    };
    const program = await startProgram({ dataDir, env });
    try {
      const app = await makeApp(dataDir);
      const run = { base: program.base, mails: (to?: string) => postbox.mails(to) } as Running;
      say(`filling a gallery of ${gallery}`);
      const load = await startLoad(run, app, connections, gallery);
      const samples = await watched(program, dataDir, load, minutes, say);
      await load.stop();
      await delay(REST_MS);
      const { code } = await program.end('SIGTERM');
      const who = `${connections} clients in closed loops, gallery of ${gallery}, ${minutes} min, one matching worker`;
      for (const place of keep(samples, who)) say(place);
      say(JSON.stringify(load.tally.requests));
      for (const fault of load.tally.faults) say(fault);
      return judged(samples, minutes, load, program, code);
    } finally {
      postbox.close();
      if (!program.isOver()) await program.end('SIGKILL');
    }
  },
};

async function watched(
  program: Program,
  dataDir: string,
  load: Load,
  minutes: number,
  say: (line: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const began = performance.now();
  for (let n = 1; n * SAMPLE_MS <= minutes * 60_000; n++) {
    await delay(began + n * SAMPLE_MS - performance.now());
    const sample = sampled(program, dataDir, load, (performance.now() - began) / 1_000);
    samples.push(sample);
    if (n % 12 !== 0) continue;
    const { rss, handles, delayP99, deeds } = sample;
    const now = `${(rss / MB).toFixed(0)} MB, ${handles} handles, p99 ${delayP99.toFixed(0)} ms`;
    say(`minute ${n / 12}: ${now}, ${deeds} deeds, ${load.tally.faultCount} faults`);
  }
  return samples;
}

/** @param at seconds since the load began */
function sampled({ pid }: Program, dataDir: string, load: Load, at: number) {
  const all: { wasmPages: number; delayP99: number }[] = readdirSync(folder).map(name =>
    JSON.parse(readFileSync(join(folder, name), 'utf8') || '{}'),
  );
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(dataDir);
  return {
    at,
    rss: memoryOf(pid),
    handles: handlesOf(pid),
    wasmPages: all.reduce((sum, { wasmPages = 0 }) => sum + wasmPages, 0),
    delayP99: Math.max(0, ...all.map(({ delayP99 = 0 }) => delayP99)),
    walBytes: sizeOf(`${file}-wal`),
    databaseBytes: sizeOf(file),
    deeds: load.done(),
    people: load.people(),
  };
}

function judged(
  samples: readonly Sample[],
  minutes: number,
  load: Load,
  program: Program,
  code: number | null,
): Figure[] {
  const last = settled(samples);
  const unrisen = (what: string, of: (sample: Sample) => number, drift: number) => {
    const shift = shiftOf(last.map(of));
    const range = `${Math.min(...last.map(of))} to ${Math.max(...last.map(of))}`;
    return figure(
      what,
      'no rise',
      `${range}; shift ${shift}`,
      shift <= drift && last.every(one => of(one) > 0),
    );
  };
  const below = (what: string, limit: number, unit: string, value: number) =>
    figure(what, `below ${limit} ${unit}`, `${value.toFixed(1)} ${unit}`, value < limit);
  const p99 = quantile(
    last.map(({ delayP99 }) => delayP99),
    0.99,
  );
  const complaints = program.printed().match(/^{"level":.*/gm) ?? [];
  const done = load.done();
  const from = (of: (sample: Sample) => number) =>
    [samples[0], samples.at(-1)].map(one => (one ? of(one) : 0));
  const [first, end] = from(({ databaseBytes }) => databaseBytes / MB);
  return [
    some('deeds, each of 1 to 20 requests', done),
    told('of them a second', (done / (samples.at(-1)?.at ?? 0)).toFixed(0)),
    none('deeds not answered as expected', load.tally.faultCount),
    none(`log lines above info, of ${program.lines()}`, complaints),
    memoryFigure(
      'memory (VmRSS)',
      samples.map(({ at, rss }) => ({ at, value: rss / MB })),
      minutes,
    ),
    unrisen('WASM pages of the matching worker', sample => sample.wasmPages, 0),
    unrisen('open handles (/proc/PID/fd)', sample => sample.handles, HANDLES_DRIFT),
    below('-wal, highest', WAL_MOST_BYTES / MB, 'MB', Math.max(...samples.map(one => one.walBytes)) / MB),
    told('database file', `${first?.toFixed(1)} to ${end?.toFixed(1)} MB`),
    below('event-loop delay, p99 of 5 s, 99 of 100 samples', DELAY_MS, 'ms', p99),
    told('gallery, people', from(({ people }) => people).join(' to ')),
    figure('exit code', '0', String(code), code === 0),
  ];
}

/** Writes the plot into the repository and the samples beside other temporary files. */
function keep(samples: readonly Sample[], note: string): string[] {
  const of = (name: keyof Sample, by = 1) => samples.map(sample => sample[name] / by);
  const rates = samples.map((sample, n) => {
    const from = samples[n - 1] ?? { deeds: 0, at: 0 };
    return (sample.deeds - from.deeds) / (sample.at - from.at);
  });
  const panels = [
    { title: 'Memory (VmRSS)', unit: 'MB', values: of('rss', MB) },
    { title: 'WASM memory', unit: 'pages of 64 KiB', values: of('wasmPages') },
    { title: 'Open handles', unit: 'number', values: of('handles') },
    { title: 'Event-loop delay, p99 of 5 s', unit: 'ms', values: of('delayP99'), limit: DELAY_MS },
    { title: 'Write-ahead log', unit: 'MB', values: of('walBytes', MB), limit: WAL_MOST_BYTES / MB },
    { title: 'Deeds', unit: 'per second', values: rates },
  ];
  const drawn = join(import.meta.dirname, '../results/soak.svg');
  mkdirSync(join(drawn, '..'), { recursive: true });
  writeFileSync(drawn, soakPlot(note, of('at'), panels));
  const data = join(mkdtempSync(join(tmpdir(), 'face-sign-in-soak-')), 'samples.json');
  writeFileSync(data, JSON.stringify(samples));
  return [drawn, data];
}
