/**
 * The Matcher over worker threads. Every gallery belongs to one worker for life, so that the order of messages is the
 * order of calls and nothing is locked; idle workers help with the searches of large ones. The caller's side keeps only
 * sequences and sizes; templates, names and searches live in the workers. There is no search in JavaScript to fall
 * back on. Held by test/matcher/pool.test.ts, order.test.ts, memory.test.ts and death.test.ts.
 */
import type { Worker } from 'node:worker_threads';
import {
  DIMENSIONS,
  type GalleryChanges,
  type GalleryKey,
  type Matcher,
  type MatcherStats,
  MatcherUnavailable,
  type MatcherWork,
  type SearchResult,
} from '../../ports/matcher.ts';
import { MAX_PROBES } from './core.ts';
import { Link } from './link.ts';
import { loadModule } from './module.ts';
import { WORTH_HELP } from './perform.ts';
import type { Change } from './wire.ts';

/** Other workers that help with one batch at most: memory is what limits a scan then. */
const MAX_HELPERS = 8;

export interface MatcherOptions {
  /** Worker threads, 1 or more. */
  readonly threads: number;
  readonly threshold: number;
  readonly margin: number;
  /** The built core, when it is not where `npm run build` puts it. */
  readonly modulePath?: string | URL;
  /** Another entry of the workers. */
  readonly workerPath?: string | URL;
  /** Most memory for galleries of one worker, in blocks of 64 KiB; 65536 (4 GiB) when not given. */
  readonly maxBlocks?: number;
  /** Called with every batch that holds searches: with how many. */
  readonly onPass?: (searches: number) => void;
  /** Called with every worker that is started, for watching and for tests. */
  readonly onWorker?: (worker: Worker) => void;
}

interface Gallery {
  readonly key: GalleryKey;
  readonly number: number;
  readonly link: Link;
  /** What the gallery will reflect after the calls made so far. */
  sequence: number;
  /** Counts changes that failed, so that the failures which follow from one do not set the sequence again. */
  failures: number;
  /** Templates promised to the worker, for the choice of the least loaded. */
  expected: number;
  templates: number;
  bytes: number;
}

/** @throws Error (one line) when the core is missing or does not compile */
export async function createMatcher(options: MatcherOptions): Promise<Matcher> {
  if (!(options.threads >= 1)) throw new RangeError('threads must be 1 or more');
  const pool = new Pool(await loadModule(options.modulePath), options);
  try {
    await pool.ready();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

class Pool implements Matcher {
  readonly #links: readonly Link[];
  readonly #galleries = new Map<string, Gallery>();
  /** Templates of the galleries, by number. */
  readonly #sizes = new Map<number, number>();
  #numbers = 0;

  constructor(module: WebAssembly.Module, options: MatcherOptions) {
    const { threads, threshold, margin, maxBlocks, workerPath, onPass, onWorker } = options;
    const settings = { threshold, margin, maxBlocks };
    this.#links = Array.from({ length: threads }, (_, i) => {
      const onDeath = () => this.#forgetAllOf(i);
      const callHelp = (link: Link, galleries: readonly number[]) => this.#callHelp(i, link, galleries);
      return new Link({ module, settings, workerPath, callHelp, onDeath, onPass, onWorker });
    });
  }

  /** Resolves when every worker has answered once. */
  async ready(): Promise<void> {
    const probe = Array.from({ length: DIMENSIONS }, () => 1);
    await Promise.all(this.#links.map(link => link.search(0, [probe])));
  }

  sequence(key: GalleryKey): number {
    return this.#galleries.get(nameOf(key))?.sequence ?? 0;
  }

  search(key: GalleryKey, probes: readonly (readonly number[])[], margin?: number): Promise<SearchResult> {
    if (probes.length < 1 || probes.length > MAX_PROBES) {
      return Promise.reject(new RangeError(`a search takes 1 to ${MAX_PROBES} probes`));
    }
    for (const probe of probes) {
      if (probe.length !== DIMENSIONS)
        return Promise.reject(new RangeError(`a probe has ${DIMENSIONS} numbers`));
    }
    if (margin !== undefined && !(margin >= 0 && margin < Number.POSITIVE_INFINITY))
      return Promise.reject(new RangeError('a margin is a finite number, 0 or more'));
    const gallery = this.#galleries.get(nameOf(key));
    if (gallery) return gallery.link.search(gallery.number, probes, margin);
    return this.#leastLoaded().search(0, probes, margin);
  }

  async apply(key: GalleryKey, changes: GalleryChanges): Promise<void> {
    const change = checked(changes);
    const name = nameOf(key);
    const reflected = this.sequence(key);
    if (changes.from !== reflected) {
      throw new Error(`changes follow sequence ${changes.from}, but the gallery reflects ${reflected}`);
    }
    const gallery = this.#galleries.get(name) ?? this.#create(key, name);
    const failures = gallery.failures;
    gallery.sequence = changes.to;
    gallery.expected += changes.added.count;
    const outcome = await gallery.link.change(gallery.number, change).catch(error => {
      // Only the end of a worker rejects: nothing of the gallery is left.
      this.#forget(gallery);
      throw error;
    });
    gallery.templates = gallery.expected = outcome.templates;
    if (this.#galleries.get(name) === gallery) this.#sizes.set(gallery.number, outcome.templates);
    gallery.bytes = outcome.bytes;
    if (outcome.error === undefined) return;
    if (gallery.failures === failures) {
      gallery.failures++;
      gallery.sequence = outcome.sequence;
      // A gallery whose first change failed was never there.
      if (outcome.sequence === 0) this.#forget(gallery);
    }
    throw new MatcherUnavailable(outcome.error);
  }

  async drop(key: GalleryKey): Promise<void> {
    const gallery = this.#galleries.get(nameOf(key));
    if (gallery === undefined) return;
    this.#galleries.delete(nameOf(key));
    this.#sizes.delete(gallery.number);
    await gallery.link.change(gallery.number, 'drop');
  }

  stats(): MatcherStats {
    const galleries = [...this.#galleries.values()].map(({ key, templates, bytes }) => ({
      key,
      templates,
      bytes,
    }));
    return { bytes: galleries.reduce((sum, gallery) => sum + gallery.bytes, 0), galleries };
  }

  work(): MatcherWork {
    const sum = (of: (link: Link) => number) => this.#links.reduce((total, link) => total + of(link), 0);
    return {
      alive: sum(link => (link.hasEnded ? 0 : 1)),
      workers: this.#links.length,
      deaths: sum(link => link.deaths),
      pending: sum(link => link.pending),
    };
  }

  async close(): Promise<void> {
    this.#galleries.clear();
    await Promise.all(this.#links.map(link => link.close()));
  }

  /** Asks idle workers for help with a batch that searches a large gallery. */
  #callHelp(owner: number, link: Link, searched: readonly number[]): boolean {
    if (this.#links.length === 1 || !searched.some(number => (this.#sizes.get(number) ?? 0) >= WORTH_HELP))
      return false;
    const idle = this.#links.filter(other => other !== link && other.isIdle).slice(0, MAX_HELPERS);
    for (const helper of idle) helper.help(owner, link);
    return idle.length > 0;
  }

  #create(key: GalleryKey, name: string): Gallery {
    const link = this.#leastLoaded();
    const number = ++this.#numbers;
    const gallery = { key, number, link, sequence: 0, failures: 0, expected: 0, templates: 0, bytes: 0 };
    this.#galleries.set(name, gallery);
    return gallery;
  }

  #leastLoaded(): Link {
    const alive = this.#links.filter(link => !link.hasEnded);
    const load = new Map((alive.length > 0 ? alive : this.#links).map(link => [link, 0]));
    for (const { link, expected } of this.#galleries.values()) {
      load.set(link, (load.get(link) ?? 0) + expected + 1);
    }
    return [...load].reduce((a, b) => (b[1] < a[1] ? b : a))[0];
  }

  #forget(gallery: Gallery): void {
    const name = nameOf(gallery.key);
    if (this.#galleries.get(name) === gallery) this.#galleries.delete(name);
    this.#sizes.delete(gallery.number);
  }

  #forgetAllOf(index: number): void {
    for (const gallery of this.#galleries.values())
      if (gallery.link === this.#links[index]) this.#forget(gallery);
  }
}

/** Mode first: its values are ours, so no app id can make two keys the same. */
function nameOf({ appId, mode }: GalleryKey): string {
  return `${mode} ${appId}`;
}

function checked({ from, to, removed, added }: GalleryChanges): Change {
  if (!(to > from)) throw new RangeError('a change leads to a higher sequence');
  const { count, sequences, users, vectors } = added;
  if (vectors.length !== count * DIMENSIONS) throw new RangeError(`a template has ${DIMENSIONS} numbers`);
  if (sequences.length !== count || users.length !== count)
    throw new RangeError('a template has one sequence and one user');
  return { from, to, removed: [...removed], added };
}
