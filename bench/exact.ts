/**
 * The exactness trial: well over 100,000 seeded queries against the float64 reference. It covers both builds, alone and
 * in passes of several searches, and through the port with 1 to 4 threads, while templates are added and removed. The
 * galleries are unrelated people, people with a strong common mean, families, near-duplicates, and faces as the default
 * encoder describes them; some grow from a small app to thousands and shrink again. The probes are enrolled people,
 * strangers, and points at the threshold, at threshold + margin and at the margin. An answer is a
 * mismatch unless verdict, template (which the port does not name), user and both distances equal the reference's, bit
 * for bit. Any mismatch fails the trial.
 */
import type { Build } from '../src/adapters/wasm/module.ts';
import { createMatcher } from '../src/adapters/wasm/pool.ts';
import type { GalleryKey, Matcher, SearchResult } from '../src/ports/matcher.ts';
import { BUILDS, rows, Side } from '../test/matcher/both.ts';
import { below, random } from '../test/matcher/data.ts';
import { isSame, reported } from '../test/matcher/harness.ts';
import { named, numberOf, pack } from '../test/matcher/names.ts';
import { CASES, type Case, Gallery } from '../test/matcher/population.ts';
import { type Expected, normalise, type StoredTemplate } from '../test/matcher/reference.ts';
import { MARGIN, THRESHOLD } from './engines.ts';
import { type Row, table } from './table.ts';

const SETTINGS = { threshold: THRESHOLD, margin: MARGIN };

interface Plan {
  readonly n: number;
  readonly queries: number;
  /** Sizes that the gallery takes one after another; without them it stays about as large. */
  readonly sizes?: readonly number[];
}

/** Queries made directly to the core, for each case. Every build answers each of them. */
const ALONE: readonly Plan[] = [
  { n: 1000, queries: 8000 },
  { n: 5000, queries: 2500 },
  { n: 20_000, queries: 500 },
  {
    n: 200,
    queries: 1600,
    sizes: [300, 200, 260, 900, 1100, 3000, 4500, 17_500, 4000, 900, 257, 255, 300, 100],
  },
];
/** Through the port, where galleries above 20,000 templates are searched by several threads. */
const THROUGH_PORT = [
  { threads: 1, build: 'relaxed' },
  { threads: 2, build: 'simd' },
  { threads: 2, build: 'relaxed' },
  { threads: 3, build: 'relaxed' },
  { threads: 4, build: 'simd' },
] as const;
const PORT_QUERIES = 1000;
const CORES = {
  simd: new URL('../dist/core/matcher.wasm', import.meta.url),
  relaxed: new URL('../dist/core/matcher-relaxed.wasm', import.meta.url),
};
const PORT_SIZES: Readonly<Record<Case, number>> = {
  easy: 1000,
  hard: 20_200,
  families: 5000,
  duplicates: 2000,
  faces: 20_200,
};
/** Queries between two changes of a gallery. */
const QUERIES_PER_CHANGE = 40;
const CONCURRENT_CALLS = 25;

export async function exact(): Promise<Row[]> {
  const lines: Row[] = [];
  for (const plan of ALONE) for (const name of CASES) lines.push(...alone(name, plan));
  for (const { threads, build } of THROUGH_PORT)
    if (BUILDS.includes(build)) lines.push(...(await throughPort(threads, build)));
  const sum = (column: string) => lines.reduce((total, row) => total + Number(row[column]), 0);
  lines.push({
    ...lines[0],
    case: 'all',
    engine: '',
    threads: '',
    n: '',
    queries: sum('queries'),
    match: sum('match'),
    ambiguous: sum('ambiguous'),
    near: sum('near'),
    none: sum('none'),
    mismatches: sum('mismatches'),
  });
  if (sum('mismatches') > 0) {
    console.error(table(lines));
    throw new Error(`${sum('mismatches')} of ${sum('queries')} queries differ from the reference`);
  }
  return lines;
}

/** Counts for one row of the table. */
class Tally {
  readonly #head: Row;
  readonly #verdicts = { match: 0, ambiguous: 0, near: 0, none: 0 };
  #queries = 0;
  #mismatches = 0;

  constructor(head: Row) {
    this.#head = head;
  }

  add(found: Expected, expected: Expected): void {
    this.#queries++;
    this.#verdicts[expected.verdict]++;
    if (isSame(found, expected)) return;
    this.#mismatches++;
    console.error('mismatch', JSON.stringify({ ...this.#head, found, wanted: reported(expected) }));
  }

  get row(): Row {
    return { ...this.#head, queries: this.#queries, ...this.#verdicts, mismatches: this.#mismatches };
  }
}

/** The core on this thread: every build gets every query, up to 8 of them in one pass. */
function alone(name: Case, { n, queries, sizes = [] }: Plan): Row[] {
  console.error(`${name}, ${n} templates, ${queries} queries by every build alone`);
  const gallery = new Gallery(name, n + queries);
  const sides = BUILDS.map(build => new Side(build, SETTINGS));
  const tallies = sides.map(({ build }) => new Tally({ case: name, engine: build, threads: 1, n }));
  const next = random(n + 7);
  const change = (added: StoredTemplate[], removed: string[]) => {
    gallery.reference.change(added, removed);
    for (const { holdings } of sides) {
      const from = holdings.sequence(1);
      const step = { from, to: from + 1, removed: removed.map(numberOf), added: pack(added) };
      const { error } = holdings.apply(1, step);
      if (error !== undefined) throw new Error(error);
    }
  };
  change(gallery.arrivals(n), []);
  for (let done = 0; done < queries; ) {
    const searches = Array.from({ length: Math.min(1 + below(next, 8), queries - done) }, () =>
      gallery.query(),
    );
    const expected = searches.map(probes => gallery.reference.expected(probes.map(normalise), SETTINGS));
    for (const [i, side] of sides.entries()) {
      const { core, holdings } = side;
      const handle = holdings.handle(1);
      // Searches come while the gallery learns its axes and is coded again.
      for (let steps = below(next, 60); steps > 0 && core.tend(handle); ) steps--;
      for (const [search, probes] of searches.entries())
        core.ask(search, rows(probes), new Float32Array(640), 0, probes.length);
      core.answer(handle, searches.length);
      for (const [search, outcome] of expected.entries()) tallies[i]?.add(side.reported(search), outcome);
    }
    const part = Math.floor(done / QUERIES_PER_CHANGE);
    done += searches.length;
    if (part === Math.floor(done / QUERIES_PER_CHANGE)) continue;
    change(gallery.arrivals(1 + below(next, n / 100)), gallery.departures(1 + below(next, n / 100)));
    const size = sizes[part % sizes.length] ?? gallery.reference.size;
    change(gallery.arrivals(size - gallery.reference.size), gallery.reference.ids.slice(size));
  }
  return tallies.map(({ row }) => row);
}

interface Call {
  readonly gallery: PortGallery;
  /** Of the gallery after the calls before this one. */
  readonly sequence: number;
  readonly answer: Promise<SearchResult>;
}

interface PortGallery {
  readonly key: GalleryKey;
  readonly gallery: Gallery;
  readonly tally: Tally;
  sequence: number;
  /** Changes, in order, that are not replayed on the reference yet. */
  readonly pending: { readonly to: number; readonly added: StoredTemplate[]; readonly removed: string[] }[];
}

/** All cases at once through the port, with concurrent calls. The reference follows the sequence of each answer. */
async function throughPort(threads: number, build: Build): Promise<Row[]> {
  console.error(`all cases through the port, ${threads} threads, ${PORT_QUERIES} queries each`);
  const matcher = await createMatcher({ threads, ...SETTINGS, modulePath: CORES[build] });
  const galleries: PortGallery[] = [];
  for (const name of CASES) {
    const gallery = new Gallery(name, threads, name);
    const key: GalleryKey = { appId: name, mode: 'test' };
    const tally = new Tally({ case: name, engine: `port, ${build}`, threads, n: PORT_SIZES[name] });
    const one: PortGallery = { key, gallery, tally, sequence: 0, pending: [] };
    change(matcher, one, gallery.arrivals(PORT_SIZES[name]), []);
    replay(one, 1);
    galleries.push(one);
  }
  const next = random(threads + 9);
  for (let done = 0; done < PORT_QUERIES; done += CONCURRENT_CALLS / CASES.length) {
    const calls: Call[] = [];
    for (let call = 0; call < CONCURRENT_CALLS; call++) {
      const gallery = galleries[call % galleries.length] as PortGallery;
      if (next() < 0.1)
        change(
          matcher,
          gallery,
          gallery.gallery.arrivals(below(next, 40)),
          gallery.gallery.departures(below(next, 40)),
        );
      calls.push({
        gallery,
        sequence: gallery.sequence,
        answer: matcher.search(gallery.key, gallery.gallery.query()),
      });
      // Some calls share a turn of the event loop and a pass, others find the workers busy.
      if (next() < 0.2) await new Promise(setImmediate);
    }
    for (const { gallery, sequence, answer } of calls) {
      const found = await answer;
      if (found.sequence !== sequence) throw new Error(`sequence ${found.sequence} for ${sequence}`);
      replay(gallery, sequence);
      gallery.tally.add(named(found), gallery.gallery.reference.expected(found.normalised, SETTINGS));
    }
  }
  await matcher.close();
  return galleries.map(({ tally }) => tally.row);
}

function change(matcher: Matcher, one: PortGallery, added: StoredTemplate[], removed: string[]): void {
  const { key, sequence } = one;
  one.pending.push({ to: ++one.sequence, added, removed });
  // A change that fails makes every later answer differ, so the trial fails too.
  matcher
    .apply(key, { from: sequence, to: sequence + 1, removed: removed.map(numberOf), added: pack(added) })
    .catch(error => console.error(error));
}

function replay({ gallery, pending }: PortGallery, sequence: number): void {
  while ((pending[0]?.to ?? Number.POSITIVE_INFINITY) <= sequence) {
    const next = pending.shift();
    gallery.reference.change(next?.added ?? [], next?.removed);
  }
}
