/**
 * What the search bench knows of a data set: it makes the people of a gallery, and new captures of them. One module
 * each in data-sets/, listed in data-sets/all.ts; test/bench/data.test.ts checks the cosines that README.md
 * states.
 */
import type { Random } from './random.ts';

export const DIMENSIONS = 128;
/** First part of every seed. */
export const SEED = 20240;

export interface DataSet {
  readonly name: string;
  /** Second part of every seed; no two data sets share one. */
  readonly seed: number;
  /** The module and what it reads: when one changes, cached galleries are made again. */
  readonly files: readonly string[];
  /** A new person: their template, of norm 1. With `personOf`, what captures of them vary around. */
  person(random: Random, target: Float64Array): void;
  /** A new capture of a person, with norm 1. */
  capture(random: Random, person: Float64Array, target: Float64Array): void;
  /**
   * The person whose template has this number. With it, a template is itself a capture, and every template is a person
   * of its own.
   */
  personOf?(template: number, target: Float64Array): void;
  /**
   * Fills a whole gallery: the vectors one after another, and the user of each, counted from 1. The first n templates
   * of a larger gallery must be the gallery of n. Without it, every template is a person of its own.
   */
  fill?(random: Random, vectors: Float32Array, users: Uint32Array): void;
}
