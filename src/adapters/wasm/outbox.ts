/**
 * Collects the calls of one turn for one worker; link.ts sends them. Probes are copied at the call, so callers may
 * reuse their arrays, and erased here when they are taken. Held by test/matcher/pool.test.ts.
 */
import { DIMENSIONS, type SearchResult } from '../../ports/matcher.ts';
import { buffersOf } from '../../ports/template-rows.ts';
import type { Batch, Change, Outcome } from './wire.ts';

/** How to settle one call. */
export type Call = SearchCall | ChangeCall;
interface SearchCall {
  readonly kind: 'search';
  readonly probes: number;
  /** Null: the configured margin. */
  readonly margin: number | null;
  readonly done: (found: SearchResult) => void;
  readonly fail: (error: Error) => void;
}
interface ChangeCall {
  readonly kind: 'change';
  readonly done: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

const FIRST_ROWS = 64;

export class Outbox {
  #settles: Call[] = [];
  #calls: number[] = [];
  #changes: (Change | 'drop')[] = [];
  #staged = new Float64Array(FIRST_ROWS * DIMENSIONS);
  #used = 0;

  get isEmpty(): boolean {
    return this.#settles.length === 0;
  }

  get size(): number {
    return this.#settles.length;
  }

  addSearch(gallery: number, probes: readonly (readonly number[])[], call: SearchCall): void {
    for (const probe of probes) {
      if (this.#used === this.#staged.length) this.#enlarge();
      this.#staged.set(probe, this.#used);
      this.#used += DIMENSIONS;
    }
    this.#calls.push(gallery, call.probes);
    this.#settles.push(call);
  }

  addChange(gallery: number, change: Change | 'drop', call: ChangeCall): void {
    this.#changes.push(change);
    this.#calls.push(gallery, 0);
    this.#settles.push(call);
  }

  /** The galleries that the collected calls search. */
  searched(): number[] {
    return this.#calls.filter((_, i) => i % 2 === 0 && this.#calls[i + 1] !== 0);
  }

  /** Takes everything collected: the message, the buffers to transfer with it, and the calls to settle. */
  take(helped: boolean): { batch: Batch; buffers: ArrayBuffer[]; settles: Call[]; searches: number } {
    const probes = this.#staged.slice(0, this.#used);
    this.#staged.fill(0, 0, this.#used);
    const margins = this.#settles.flatMap(call => (call.kind === 'search' ? [call.margin] : []));
    const taken = {
      batch: {
        calls: this.#calls,
        probes,
        changes: this.#changes,
        // Few searches have their own margin.
        margins: margins.some(margin => margin !== null) ? margins : undefined,
        helped,
      },
      buffers: [
        probes.buffer,
        ...this.#changes.flatMap(change => (change === 'drop' ? [] : buffersOf(change.added))),
      ],
      settles: this.#settles,
      searches: this.#settles.length - this.#changes.length,
    };
    this.#settles = [];
    this.#calls = [];
    this.#changes = [];
    this.#used = 0;
    return taken;
  }

  #enlarge(): void {
    const larger = new Float64Array(this.#staged.length * 2);
    larger.set(this.#staged);
    this.#staged.fill(0);
    this.#staged = larger;
  }
}
