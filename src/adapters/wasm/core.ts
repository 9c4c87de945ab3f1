/**
 * The one host file that knows the matching core's exports, pointers and views. A view is dead once the core has
 * grown its memory, so none leaves this file: callers hand in arrays and get copies. It knows slots and user numbers
 * only; names live in holdings.ts. Held by test/matcher/memory.test.ts and oracle.test.ts.
 */
import { DIMENSIONS, type Verdict } from '../../ports/matcher.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly RAW: WebAssembly.Global;
  readonly UNIT: WebAssembly.Global;
  readonly TEMPLATE: WebAssembly.Global;
  readonly RESULT: WebAssembly.Global;
  configure(threshold: number, margin: number, maxPages: number): void;
  create(): number;
  blocks(gallery: number): number;
  reserve(gallery: number, count: number): number;
  checkTemplate(): number;
  add(gallery: number, user: number): number;
  remove(gallery: number, slot: number): number;
  drop(gallery: number): void;
  search(gallery: number, probes: number): number;
  wipe(): void;
}

export interface CoreSettings {
  readonly threshold: number;
  readonly margin: number;
  /** Most memory of one instance, in blocks of 64 KiB; 65536 (4 GiB) when not given. */
  readonly maxBlocks?: number | undefined;
}

/** What the last search found: slot 0 in an empty gallery, distances Infinity where there is none. */
export interface Found {
  slot: number;
  verdict: number;
  distance: number;
  otherDistance: number;
}

/** Verdicts as the core numbers them. */
export const VERDICTS: readonly Verdict[] = ['none', 'near', 'ambiguous', 'match'];
export const BLOCK_BYTES = 65536;
export const MAX_PROBES = 5;

export class Core {
  readonly found: Found = { slot: 0, verdict: 0, distance: 0, otherDistance: 0 };
  readonly #core: Exports;
  // Views of the scratch, which lies in the first block. Length 0 once the memory has grown.
  #raw = new Float64Array();
  #units = new Float32Array();
  #template = new Float32Array();
  #distances = new Float64Array();
  #words = new Uint32Array();

  constructor(module: WebAssembly.Module, settings: CoreSettings) {
    this.#core = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.#core.configure(settings.threshold, settings.margin, settings.maxBlocks ?? 65536);
  }

  /** Handle of a new empty gallery; 0 when memory ends. Handles and slots go up to 2^32. */
  create(): number {
    return this.#core.create() >>> 0;
  }

  /** Bytes that a gallery holds. */
  bytes(gallery: number): number {
    return this.#core.blocks(gallery) * BLOCK_BYTES;
  }

  /** False, with nothing changed, when memory has no room for `count` more templates. */
  reserve(gallery: number, count: number): boolean {
    return this.#core.reserve(gallery, count) !== 0;
  }

  /** Whether the 128 numbers from `offset` are finite and of norm 1. */
  isTemplate(vectors: Float32Array, offset: number): boolean {
    this.#views();
    this.#template.set(vectors.subarray(offset, offset + DIMENSIONS));
    return this.#core.checkTemplate() !== 0;
  }

  /** Slot of the stored template, 0 when memory ends. The caller has checked it. `user` is 1 or more. */
  add(gallery: number, user: number, vectors: Float32Array, offset: number): number {
    this.#views();
    this.#template.set(vectors.subarray(offset, offset + DIMENSIONS));
    return this.#core.add(gallery, user) >>> 0;
  }

  /** False when the slot does not hold a template of this gallery. */
  remove(gallery: number, slot: number): boolean {
    return this.#core.remove(gallery, slot) !== 0;
  }

  drop(gallery: number): void {
    this.#core.drop(gallery);
  }

  /**
   * Searches `gallery` (0: an empty one) for `count` probes that begin at row `row` of `probes`, and writes them
   * normalised to the same rows of `units`. Returns 0 and sets `found`, or the number (from 1) of a refused probe.
   */
  search(gallery: number, probes: Float64Array, units: Float32Array, row: number, count: number): number {
    this.#views();
    const from = row * DIMENSIONS;
    this.#raw.set(probes.subarray(from, from + count * DIMENSIONS));
    const refused = this.#core.search(gallery, count);
    if (refused !== 0) return refused;
    units.set(this.#units.subarray(0, count * DIMENSIONS), from);
    this.found.distance = this.#distances[0] as number;
    this.found.otherDistance = this.#distances[1] as number;
    this.found.slot = this.#words[4] as number;
    this.found.verdict = this.#words[5] as number;
    return 0;
  }

  /** Erases the scratch: probes and templates that went through it. */
  wipe(): void {
    this.#core.wipe();
  }

  /** A copy of the whole memory, for tests that look for what should be gone. */
  snapshot(): Uint8Array {
    return new Uint8Array(this.#core.memory.buffer).slice();
  }

  #views(): void {
    if (this.#raw.length !== 0) return;
    const { memory, RAW, UNIT, TEMPLATE, RESULT } = this.#core;
    this.#raw = new Float64Array(memory.buffer, RAW.value, MAX_PROBES * DIMENSIONS);
    this.#units = new Float32Array(memory.buffer, UNIT.value, MAX_PROBES * DIMENSIONS);
    this.#template = new Float32Array(memory.buffer, TEMPLATE.value, DIMENSIONS);
    this.#distances = new Float64Array(memory.buffer, RESULT.value, 2);
    this.#words = new Uint32Array(memory.buffer, RESULT.value, 6);
  }
}
