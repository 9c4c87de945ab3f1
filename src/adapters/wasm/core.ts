/**
 * The only TypeScript file that knows the matching core's exports, pointers and views. The memory is shared between
 * threads and only grows. The scratch area never moves, so views of it stay valid. No view leaves this file: callers
 * pass arrays and get copies. holdings.ts knows which template is in which slot.
 * Held by test/matcher/memory.test.ts and oracle.test.ts.
 */
import { DIMENSIONS, type Verdict } from '../../ports/matcher.ts';

interface Exports {
  readonly RAW: WebAssembly.Global;
  readonly UNIT: WebAssembly.Global;
  readonly STATE: WebAssembly.Global;
  readonly MAX_SEARCHES: WebAssembly.Global;
  readonly SCRATCH_PAGES: WebAssembly.Global;
  configure(threshold: number, maxPages: number): number;
  templateAddress(): number;
  searchAt(search: number): number;
  create(): number;
  pages(gallery: number): number;
  reserve(gallery: number, count: number): number;
  checkTemplate(): number;
  add(gallery: number, user: number): number;
  remove(gallery: number, slot: number): number;
  drop(gallery: number): void;
  tend(gallery: number): number;
  ask(search: number, probes: number, margin: number): number;
  answer(gallery: number, searches: number, helped: number): void;
  wipe(): void;
  assist(owner: number, batches: number): number;
  endBatch(): void;
  takeCount(which: number): number;
}

export interface CoreSettings {
  readonly threshold: number;
  /** Margin of searches that do not give their own. */
  readonly margin: number;
  /** Memory limit for the galleries of one instance, in blocks of 64 KiB. Default: 65536 (4 GiB). */
  readonly maxBlocks?: number | undefined;
}

/** Result of a search. Slot 0: nobody is near. otherDistance is Infinity unless it makes the best match ambiguous. */
export interface Found {
  slot: number;
  user: number;
  verdict: number;
  distance: number;
  otherDistance: number;
}

/** Work since the counts were last read, in templates × searches. */
export interface Work {
  readonly scanned: number;
  readonly refined: number;
  readonly exact: number;
}

/** Views of one search's record in the scratch. */
interface Search {
  readonly raw: Float64Array;
  readonly units: Float32Array;
  readonly distances: Float64Array;
  readonly words: Uint32Array;
}

/** Verdicts, in the core's numbering. */
export const VERDICTS: readonly Verdict[] = ['none', 'near', 'ambiguous', 'match'];
const BLOCK_BYTES = 65536;
export const MAX_PROBES = 5;
/** Scratch of the first instance of a memory: after the page with the compiler's own data. */
const FIRST_SCRATCH = BLOCK_BYTES;
const SCRATCH_PAGES = 3;
/** Address of its counter of answered batches. */
const BATCHES = FIRST_SCRATCH + SCRATCH_PAGES * BLOCK_BYTES - 8;
/** More batches than any worker answers. */
const ALL_BATCHES = 0x3fffffff;

/** Memory for one core and its helpers. All address space is reserved; pages are allocated when used. */
export function coreMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
}

/** Releases the helpers of the first instance of a memory, because that instance has ended. */
export function releaseHelpers(memory: WebAssembly.Memory): void {
  const { buffer } = memory;
  if (buffer.byteLength > BATCHES) Atomics.store(new Int32Array(buffer, BATCHES, 1), 0, ALL_BATCHES);
}

export class Core {
  readonly found: Found = { slot: 0, user: 0, verdict: 0, distance: 0, otherDistance: 0 };
  /** How many searches one pass can answer. */
  readonly maxSearches: number;
  readonly #core: Exports;
  readonly #memory: WebAssembly.Memory;
  readonly #margin: number;
  readonly #searches: readonly Search[];
  readonly #template: Float32Array;

  /** @throws Error if there is no memory for the scratch */
  constructor(module: WebAssembly.Module, settings: CoreSettings, memory = coreMemory()) {
    this.#memory = memory;
    const abort = () => {
      throw new Error('the matching core has aborted');
    };
    const instance = new WebAssembly.Instance(module, { env: { memory, abort } });
    this.#core = instance.exports as unknown as Exports;
    const { threshold, margin, maxBlocks } = settings;
    this.#margin = margin;
    if (this.#core.configure(threshold, maxBlocks ?? 65536) === 0)
      throw new Error('the matching core has no memory for its scratch');
    if (this.#core.SCRATCH_PAGES.value !== SCRATCH_PAGES)
      throw new Error('the matching core is another version: run npm run build');
    this.maxSearches = this.#core.MAX_SEARCHES.value;
    this.#searches = Array.from({ length: this.maxSearches }, (_, n) => this.#viewsOf(n));
    this.#template = new Float32Array(memory.buffer, this.#core.templateAddress() >>> 0, DIMENSIONS);
  }

  /** @returns handle of a new empty gallery, or 0 if there is no memory. Handles and slots go up to 2^32. */
  create(): number {
    return this.#core.create() >>> 0;
  }

  /** Memory of a gallery, in bytes. */
  bytes(gallery: number): number {
    return this.#core.pages(gallery) * BLOCK_BYTES;
  }

  /** @returns false, with nothing changed, if there is no memory for `count` more templates */
  reserve(gallery: number, count: number): boolean {
    return this.#core.reserve(gallery, count) !== 0;
  }

  /** Whether the 128 numbers from `offset` are finite and of norm 1. */
  isTemplate(vectors: Float32Array, offset: number): boolean {
    this.#template.set(vectors.subarray(offset, offset + DIMENSIONS));
    return this.#core.checkTemplate() !== 0;
  }

  /** The caller has checked the template. `user` is 1 or more. @returns its slot, or 0 if there is no memory */
  add(gallery: number, user: number, vectors: Float32Array, offset: number): number {
    this.#template.set(vectors.subarray(offset, offset + DIMENSIONS));
    return this.#core.add(gallery, user) >>> 0;
  }

  /** @returns the user of the removed template, or 0 if the slot holds no template of this gallery */
  remove(gallery: number, slot: number): number {
    return this.#core.remove(gallery, slot) >>> 0;
  }

  drop(gallery: number): void {
    this.#core.drop(gallery);
  }

  /** Does about a tenth of a millisecond of what makes searches faster. @returns whether there is more to do */
  tend(gallery: number): boolean {
    return this.#core.tend(gallery) !== 0;
  }

  /**
   * Prepares search number `search` (below maxSearches) of a pass: `count` probes from row `row` of `probes`. Writes
   * them normalised to the same rows of `units`. @returns 0, or the number (from 1) of a rejected probe
   */
  ask(
    search: number,
    probes: Float64Array,
    units: Float32Array,
    row: number,
    count: number,
    margin = this.#margin,
  ): number {
    const views = this.#searches[search] as Search;
    const from = row * DIMENSIONS;
    views.raw.set(probes.subarray(from, from + count * DIMENSIONS));
    const refused = this.#core.ask(search, count, margin);
    if (refused === 0) units.set(views.units.subarray(0, count * DIMENSIONS), from);
    return refused;
  }

  /** Runs the first `searches` searches in one pass over `gallery` (0: an empty one). `helped`: helpers may join. */
  answer(gallery: number, searches: number, helped = false): void {
    this.#core.answer(gallery, searches, helped ? 1 : 0);
  }

  /** Reads the result of a search into `found`. */
  read(search: number): Found {
    const { distances, words } = this.#searches[search] as Search;
    this.found.distance = distances[0] as number;
    this.found.otherDistance = distances[1] as number;
    this.found.slot = words[4] as number;
    this.found.verdict = words[5] as number;
    this.found.user = words[7] as number;
    return this.found;
  }

  /** A single search: `ask`, `answer` and `read`. */
  search(
    gallery: number,
    probes: Float64Array,
    units: Float32Array,
    row: number,
    count: number,
    margin?: number,
  ): number {
    const refused = this.ask(0, probes, units, row, count, margin);
    if (refused !== 0) return refused;
    this.answer(gallery, 1);
    this.read(0);
    return 0;
  }

  /** Erases the scratch with its probes and templates. */
  wipe(): void {
    this.#core.wipe();
  }

  /** Counts one more answered batch, so that helpers stop. */
  endBatch(): void {
    this.#core.endBatch();
  }

  /** Helps the first instance of this memory until it has answered `batches` batches in all. @returns how often */
  assist(batches: number): number {
    return this.#core.assist(FIRST_SCRATCH, batches);
  }

  /** Reads and resets the counts of work, for benchmarks: they do not depend on the machine. */
  takeWork(): Work {
    const [scanned, refined, exact] = [0, 1, 2].map(which => this.#core.takeCount(which)) as [
      number,
      number,
      number,
    ];
    return { scanned, refined, exact };
  }

  /** A copy of the whole memory, for tests that search it for erased data. */
  snapshot(): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#memory.buffer.byteLength);
    copy.set(new Uint8Array(this.#memory.buffer));
    return copy;
  }

  #viewsOf(search: number): Search {
    const { RAW, UNIT, STATE } = this.#core;
    const { buffer } = this.#memory;
    const at = this.#core.searchAt(search) >>> 0;
    return {
      raw: new Float64Array(buffer, at + RAW.value, MAX_PROBES * DIMENSIONS),
      units: new Float32Array(buffer, at + UNIT.value, MAX_PROBES * DIMENSIONS),
      distances: new Float64Array(buffer, at + STATE.value, 2),
      words: new Uint32Array(buffer, at + STATE.value, 8),
    };
  }
}
