/**
 * The Matcher on worker threads. Each gallery stays in one worker, so messages keep the order of the calls and nothing
 * needs a lock. Idle workers help to search large galleries. This side keeps only sequences and sizes; the templates
 * are in the workers. There is no fallback search in JavaScript. Held by test/matcher/pool.test.ts, order.test.ts,
 * memory.test.ts and death.test.ts.
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
import { MIN_TEMPLATES_FOR_HELP } from './perform.ts';
import type { Change } from './wire.ts';

/** Maximum number of helpers for one batch. With more, memory bandwidth limits the scan. */
const MAX_HELPERS = 8;

export interface MatcherOptions {
  /** Worker threads, 1 or more. */
  readonly threads: number;
  readonly threshold: number;
  readonly margin: number;
  /** Replaces the core built by `npm run build`. */
  readonly modulePath?: string | URL;
  /** Replaces the entry file of the workers. */
  readonly workerPath?: string | URL;
  /** Memory limit for the galleries of one worker, in blocks of 64 KiB. Default: 65536 (4 GiB). */
  readonly maxBlocks?: number;
  /** Called for each batch with searches, with their number. */
  readonly onPass?: (searches: number) => void;
  /** Called with each new worker, for monitoring and tests. */
  readonly onWorker?: (worker: Worker) => void;
}

interface Gallery {
  readonly key: GalleryKey;
  readonly number: number;
  readonly link: Link;
  /** The sequence that the gallery will reflect after the calls made so far. */
  sequence: number;
  /** Number of failed changes. Lets a failure that follows from an earlier one leave the sequence alone. */
  failures: number;
  /** Templates after the calls made so far, to choose the least loaded worker. */
  expected: number;
  templates: number;
  bytes: number;
}

/** @throws Error (one line) if the core is missing or does not compile */
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
  /** Number of templates, by gallery number. */
  readonly #sizes = new Map<number, number>();
  #numbers = 0;

  constructor(module: WebAssembly.Module, options: MatcherOptions) {
    const { threads, threshold, margin, maxBlocks, workerPath, onPass, onWorker } = options;
    const settings = { threshold, margin, maxBlocks };
    this.#links = Array.from({ length: threads }, (_, i) => {
      const onDeath = () => this.#forgetAllOf(i);
      const requestHelp = (link: Link, galleries: readonly number[]) => this.#requestHelp(i, link, galleries);
      return new Link({ module, settings, workerPath, requestHelp, onDeath, onPass, onWorker });
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
      // It rejects only if the worker has ended, so the gallery is lost.
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
      // The first change of the gallery failed, so it does not exist.
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
  #requestHelp(owner: number, link: Link, searched: readonly number[]): boolean {
    if (
      this.#links.length === 1 ||
      !searched.some(number => (this.#sizes.get(number) ?? 0) >= MIN_TEMPLATES_FOR_HELP)
    )
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

/** The mode comes first: it contains no space, so no app id can make two keys equal. */
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
