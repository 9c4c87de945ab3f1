/**
 * An engine of your own: the smallest interface that the search bench needs. `--engine FILE` loads the default export
 * of a file; own-engine.ts runs it. bench/README.md has an example, which test/bench/readme.long.test.ts runs.
 */
import type { DIMENSIONS } from './data-sets.ts';

export interface OwnEngine {
  /** Its name in the tables. */
  readonly name: string;
  /**
   * Whether it promises the nearest template every time. Then one wrong answer stops the bench. Otherwise the share of
   * right answers is measured.
   */
  readonly exact: boolean;
  /** Loads a gallery. The time it takes is the column load_s. */
  build(gallery: OwnGallery): OwnIndex | Promise<OwnIndex>;
}

export interface OwnGallery {
  /** `n` templates, one after another, each with norm 1. A copy: keep it or change it. */
  readonly vectors: Float32Array<ArrayBuffer>;
  readonly n: number;
  readonly dimensions: typeof DIMENSIONS;
}

export interface OwnIndex {
  /**
   * Finds the template with the largest dot product. This is what is timed. A search of several probes calls it once
   * for each; the answer with the smallest distance counts.
   * @param probe 128 numbers with norm 1
   */
  search(probe: Float32Array): OwnAnswer | Promise<OwnAnswer>;
  /** Memory for the gallery. Without it, the tables and findings do not mention any. */
  readonly bytes?: number;
  close?(): void | Promise<void>;
}

export interface OwnAnswer {
  /** Counted from 0 in the order of `vectors`; -1 if nothing was found. */
  readonly template: number;
  /** 1 minus the dot product; for `template` -1, Infinity. */
  readonly distance: number;
}
