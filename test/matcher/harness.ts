/**
 * The core and its books on the test's own thread: the code that a worker runs, without messages, so that thousands
 * of galleries take seconds and tests can look at the memory. Pool and workers have tests of their own.
 */
import * as assert from 'uvu/assert';
import { Core, type CoreSettings, VERDICTS } from '../../src/adapters/wasm/core.ts';
import { bestBuild, loadBuild } from '../../src/adapters/wasm/module.ts';
import type { Outcome } from '../../src/adapters/wasm/wire.ts';
import { NamedHoldings, numberOf, pack } from './names.ts';
import {
  type Expected,
  exactDistance,
  MARGIN,
  reference,
  type StoredTemplate,
  THRESHOLD,
} from './reference.ts';

/** The build that the service chooses here; CORE=simd takes the other one. */
const module = await loadBuild(process.env.CORE === 'simd' ? 'simd' : bestBuild());

export interface Found extends Expected {
  readonly sequence: number;
  readonly normalised: readonly Float32Array[];
}

export class Direct {
  readonly core: Core;
  readonly holdings: NamedHoldings;

  constructor(settings: Partial<CoreSettings> = {}) {
    this.core = new Core(module, { threshold: THRESHOLD, margin: MARGIN, ...settings });
    this.holdings = new NamedHoldings(this.core);
  }

  /** One step onward from the sequence that the gallery reflects. */
  change(gallery: number, added: readonly StoredTemplate[], removed: readonly string[] = []): Outcome {
    const from = this.holdings.sequence(gallery);
    const change = { from, to: from + 1, removed: removed.map(numberOf), added: pack(added) };
    return this.holdings.apply(gallery, change);
  }

  /** The number of the refused probe, or what was found. */
  search(gallery: number, probes: readonly ArrayLike<number>[]): Found | number {
    const flat = new Float64Array(probes.length * 128);
    probes.forEach((probe, i) => {
      flat.set(probe, i * 128);
    });
    const units = new Float32Array(flat.length);
    const refused = this.core.search(this.holdings.handle(gallery), flat, units, 0, probes.length);
    if (refused !== 0) return refused;
    const { slot, user, verdict, distance, otherDistance } = this.core.found;
    const [userId, templateId] = this.holdings.names(user, slot);
    return {
      sequence: this.holdings.sequence(gallery),
      verdict: VERDICTS[verdict] ?? 'none',
      best: slot === 0 ? null : { userId, templateId, distance },
      otherDistance: otherDistance === Number.POSITIVE_INFINITY ? null : otherDistance,
      normalised: probes.map((_, i) => units.slice(i * 128, (i + 1) * 128)),
    };
  }

  /** Searches, and compares with the reference on the probes as the core normalised them. */
  verify(
    gallery: number,
    stored: readonly StoredTemplate[],
    probes: readonly ArrayLike<number>[],
    settings: { threshold?: number; margin?: number } = {},
  ): Found {
    const found = this.search(gallery, probes);
    if (typeof found === 'number') throw new Error(`probe ${found} was refused`);
    same(found, reference(stored, found.normalised, { ...settings, distance: exactDistance }));
    return found;
  }
}

/**
 * The same decision, template and user, and distances that are the very same doubles. Where nobody is near the matcher
 * names nobody, and it tells of another user only when that one makes the answer ambiguous.
 */
export function same(found: Expected, expected: Expected, where = 'the answer'): void {
  if (!isSame(found, expected))
    assert.equal(
      { ...found, normalised: undefined },
      reported(expected),
      `${where} differs from the reference`,
    );
}

export function isSame(found: Expected, expected: Expected): boolean {
  const wanted = reported(expected);
  return (
    found.verdict === wanted.verdict &&
    (found.best?.templateId ?? wanted.best?.templateId) === wanted.best?.templateId &&
    found.best?.userId === wanted.best?.userId &&
    found.best?.distance === wanted.best?.distance &&
    found.otherDistance === wanted.otherDistance
  );
}

/** What the matcher tells of an outcome. */
export function reported({ verdict, best, otherDistance }: Expected): Expected {
  return {
    verdict,
    best: verdict === 'none' ? null : best,
    otherDistance: verdict === 'ambiguous' ? otherDistance : null,
  };
}

export function template(id: string, userId: string, vector: Float32Array): StoredTemplate {
  return { id, userId, vector };
}
