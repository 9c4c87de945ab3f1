/**
 * Both builds of the core side by side, with the flat reference beside them: one call changes all three, one search
 * must give the same three times. One test run covers both builds, whatever CORE says.
 */
import * as assert from 'uvu/assert';
import { Core, type CoreSettings, coreMemory, VERDICTS } from '../../src/adapters/wasm/core.ts';
import { type Build, bestBuild, loadBuild } from '../../src/adapters/wasm/module.ts';
import { FlatReference } from './flat.ts';
import { same } from './harness.ts';
import { NamedHoldings, numberOf, pack } from './names.ts';
import { type Expected, MARGIN, type StoredTemplate, THRESHOLD } from './reference.ts';

/** What this engine can run. */
export const BUILDS: readonly Build[] = bestBuild() === 'relaxed' ? ['simd', 'relaxed'] : ['simd'];
const modules = new Map(
  await Promise.all(BUILDS.map(async build => [build, await loadBuild(build)] as const)),
);

/** A core of one build with its books. */
export class Side {
  readonly build: Build;
  readonly memory = coreMemory();
  readonly core: Core;
  readonly holdings: NamedHoldings;

  constructor(build: Build, settings: CoreSettings) {
    this.build = build;
    this.core = new Core(modules.get(build) as WebAssembly.Module, settings, this.memory);
    this.holdings = new NamedHoldings(this.core);
  }

  /** What the core reads of search `search`. */
  reported(search: number): Expected {
    const { slot, user, verdict, distance, otherDistance } = this.core.read(search);
    const [userId, templateId] = this.holdings.names(user, slot);
    return {
      verdict: VERDICTS[verdict] ?? 'none',
      best: slot === 0 ? null : { userId, templateId, distance },
      otherDistance: otherDistance === Number.POSITIVE_INFINITY ? null : otherDistance,
    };
  }
}

export class Both {
  readonly settings: CoreSettings;
  readonly sides: readonly Side[];
  readonly #references = new Map<number, FlatReference>();

  constructor(settings: Partial<CoreSettings> = {}) {
    this.settings = { threshold: THRESHOLD, margin: MARGIN, ...settings };
    this.sides = BUILDS.map(build => new Side(build, this.settings));
  }

  reference(gallery: number): FlatReference {
    const there = this.#references.get(gallery) ?? new FlatReference();
    this.#references.set(gallery, there);
    return there;
  }

  change(gallery: number, added: readonly StoredTemplate[], removed: readonly string[] = []): void {
    for (const { holdings, build } of this.sides) {
      const from = holdings.sequence(gallery);
      const change = { from, to: from + 1, removed: removed.map(numberOf), added: pack(added) };
      assert.is(holdings.apply(gallery, change).error, undefined, build);
    }
    this.reference(gallery).change(added, removed);
  }

  /** Does what is due for a gallery: all, or so many steps. @returns whether there is more with any build */
  tend(gallery: number, steps = Number.POSITIVE_INFINITY): boolean {
    let isMore = true;
    for (let i = 0; i < steps && isMore; i++)
      isMore = this.sides.map(({ core, holdings }) => core.tend(holdings.handle(gallery))).includes(true);
    return isMore;
  }

  drop(gallery: number): void {
    for (const { holdings } of this.sides) holdings.drop(gallery);
    this.#references.delete(gallery);
  }

  /** Searches with every build; both must tell what the reference tells of the probes as they were normalised. */
  verify(gallery: number, probes: readonly ArrayLike<number>[]): Expected {
    return this.verifyAll(gallery, [probes])[0] as Expected;
  }

  /** The same for several searches in one pass. */
  verifyAll(gallery: number, searches: readonly (readonly ArrayLike<number>[])[]): Expected[] {
    const expected: Expected[] = [];
    for (const side of this.sides) {
      const { core, holdings, build } = side;
      const handle = holdings.handle(gallery);
      const units = searches.map((probes, n) => {
        const rowsOf = new Float32Array(probes.length * 128);
        const refused = core.ask(n, rows(probes), rowsOf, 0, probes.length);
        assert.is(refused, 0, `${build} refused probe ${refused}`);
        return probes.map((_, i) => rowsOf.subarray(i * 128, (i + 1) * 128));
      });
      core.answer(handle, searches.length);
      for (const [n, normalised] of units.entries()) {
        expected[n] ??= this.reference(gallery).expected(normalised, this.settings);
        core.read(n);
        same(side.reported(n), expected[n], build);
      }
    }
    return expected;
  }
}

/** Probes one after the other, as the core takes them. */
export function rows(probes: readonly ArrayLike<number>[]): Float64Array<ArrayBuffer> {
  const flat = new Float64Array(probes.length * 128);
  probes.forEach((probe, i) => {
    flat.set(probe, i * 128);
  });
  return flat;
}
