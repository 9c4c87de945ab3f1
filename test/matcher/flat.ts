/**
 * The float64 reference once more, on flat arrays and four templates at a time: fast enough for galleries of thousands
 * and for a hundred thousand queries. Each sum still runs in double and in index order, so it gives the very doubles of
 * reference.ts; bound.long.test.ts holds it to that.
 */
import type { Expected, StoredTemplate } from './reference.ts';

const DIMENSIONS = 128;

export interface Settings {
  readonly threshold: number;
  readonly margin: number;
}

export class FlatReference {
  #vectors = new Float64Array(1024 * DIMENSIONS);
  #distances = new Float64Array(1024);
  #ids: string[] = [];
  #users: string[] = [];

  get size(): number {
    return this.#ids.length;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  user(i: number): string {
    return this.#users[i] as string;
  }

  /** A copy of the template that is number `i` in the order of storing. */
  vector(i: number): Float32Array {
    return Float32Array.from(this.#vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS));
  }

  /** Removals come before additions, unknown ids are ignored. */
  change(added: readonly StoredTemplate[], removed: Iterable<string> = []): void {
    this.#remove(new Set(removed));
    for (const { id, userId, vector } of added) {
      if (this.size === this.#distances.length) this.#enlarge();
      this.#vectors.set(vector, this.size * DIMENSIONS);
      this.#ids.push(id);
      this.#users.push(userId);
    }
  }

  clear(): void {
    this.#ids = [];
    this.#users = [];
  }

  /** @param probes as the matcher normalised them */
  expected(probes: readonly ArrayLike<number>[], { threshold, margin }: Settings): Expected {
    const distances = this.#measure(probes);
    let best = -1;
    for (let i = 0; i < this.size; i++)
      if (best < 0 || (distances[i] as number) < (distances[best] as number)) best = i;
    if (best < 0) return { verdict: 'none', best: null, otherDistance: null };
    const user = this.#users[best] as string;
    let other = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.size; i++)
      if ((distances[i] as number) < other && this.#users[i] !== user) other = distances[i] as number;
    const distance = distances[best] as number;
    const near = distance < threshold + margin ? 'near' : 'none';
    return {
      verdict: distance < threshold ? (other - distance >= margin ? 'match' : 'ambiguous') : near,
      best: { userId: user, templateId: this.#ids[best] as string, distance },
      otherDistance: other === Number.POSITIVE_INFINITY ? null : other,
    };
  }

  /** The smallest distance of each template over all probes. */
  #measure(probes: readonly ArrayLike<number>[]): Float64Array {
    const distances = this.#distances;
    distances.fill(Number.POSITIVE_INFINITY, 0, this.size);
    const doubles = probes.map(probe => Float64Array.from(probe));
    // Up to three rows behind the last template are measured too; nobody looks at them. An odd probe is its own partner.
    for (let k = 0; k < doubles.length; k += 2) {
      const p = doubles[k] as Float64Array;
      const q = doubles[k + 1] ?? p;
      for (let i = 0; i < this.size; i += 4) four(p, q, this.#vectors, i, distances);
    }
    return distances;
  }

  #remove(leaving: ReadonlySet<string>): void {
    if (leaving.size === 0) return;
    let kept = 0;
    for (let i = 0; i < this.size; i++) {
      if (leaving.has(this.#ids[i] as string)) continue;
      if (kept !== i) {
        this.#vectors.copyWithin(kept * DIMENSIONS, i * DIMENSIONS, (i + 1) * DIMENSIONS);
        this.#ids[kept] = this.#ids[i] as string;
        this.#users[kept] = this.#users[i] as string;
      }
      kept++;
    }
    this.#ids.length = kept;
    this.#users.length = kept;
  }

  #enlarge(): void {
    const vectors = new Float64Array(this.#vectors.length * 2);
    vectors.set(this.#vectors);
    this.#vectors = vectors;
    this.#distances = new Float64Array(this.#distances.length * 2);
  }
}

/** Two probes and four templates. */
function four(
  p: Float64Array,
  q: Float64Array,
  vectors: Float64Array,
  first: number,
  distances: Float64Array,
): void {
  const at = first * DIMENSIONS;
  let [pa, pb, pc, pd, qa, qb, qc, qd] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < DIMENSIONS; i++) {
    const x = p[i] as number;
    const y = q[i] as number;
    const a = vectors[at + i] as number;
    const b = vectors[at + DIMENSIONS + i] as number;
    const c = vectors[at + 2 * DIMENSIONS + i] as number;
    const d = vectors[at + 3 * DIMENSIONS + i] as number;
    pa += x * a;
    pb += x * b;
    pc += x * c;
    pd += x * d;
    qa += y * a;
    qb += y * b;
    qc += y * c;
    qd += y * d;
  }
  distances[first] = Math.min(distances[first] as number, 1 - pa, 1 - qa);
  distances[first + 1] = Math.min(distances[first + 1] as number, 1 - pb, 1 - qb);
  distances[first + 2] = Math.min(distances[first + 2] as number, 1 - pc, 1 - qc);
  distances[first + 3] = Math.min(distances[first + 3] as number, 1 - pd, 1 - qd);
}
