/**
 * Probes of nobody: random directions, and the centre of the whole gallery, alone and mixed with random directions. In
 * galleries of well-spread (isotropic) faces none of them may match. Where all faces have much in common (descriptors that
 * were not centred), the rate is told: it is why the encoder has to centre them. Some answers are compared with the
 * float64 reference, and people of the gallery are found: else no match would mean that nothing works.
 */
import { COMMON, capture, direction, type Random, random, vectors } from '../../matcher/data.ts';
import { Direct, template } from '../../matcher/harness.ts';
import type { StoredTemplate } from '../../matcher/reference.ts';
import { type Figure, figure, none, type Trial, told } from '../../support/trial.ts';

const GALLERY = 1;
const VERIFIED_EVERY = 500;
const GENUINE = 500;

export const trial: Trial = {
  about: 'random directions and centres of galleries as probes: do they match anybody?',
  options: { seed: 1, probes: 100_000 },
  async run({ seed = 1, probes = 0 }, say) {
    const figures: Figure[] = [];
    for (const [what, users, mean] of [
      ['isotropic, 1,000 users', 1_000, 0],
      ['isotropic, 10,000 users', 10_000, 0],
      ['not centred, 1,000 users', 1_000, COMMON],
    ] as const) {
      const next = random(seed + users + mean);
      const direct = new Direct();
      const stored = vectors(next, users, mean).map((vector, i) => template(`t${i}`, `u${i}`, vector));
      direct.change(GALLERY, stored);
      const centre = centreOf(stored);
      for (const [kind, make] of Object.entries(kinds(centre, mean))) {
        const matched = matches(direct, stored, probes / 2, () => make(next));
        const share = ((100 * matched) / (probes / 2)).toFixed(3);
        const name = `${what}: ${probes / 2} probes, ${kind}: match`;
        figures.push(mean === 0 ? none(name, matched) : told(name, `${matched} (${share} %)`));
        say(`${what}, ${kind}: ${matched}`);
      }
      const found = stored.slice(0, GENUINE).filter(({ vector, userId }) => {
        const answer = direct.search(GALLERY, [capture(next, vector)]);
        return typeof answer !== 'number' && answer.verdict === 'match' && answer.best?.userId === userId;
      }).length;
      if (mean === 0)
        figures.push(
          figure(
            `${what}: ${GENUINE} new captures of its people`,
            'nearly all match',
            `${found} match`,
            found >= 0.98 * GENUINE,
          ),
        );
    }
    return figures;
  },
};

function kinds(centre: readonly number[], mean: number): Record<string, (next: Random) => number[]> {
  return {
    'random directions': next => direction(next, mean),
    'the centre, mixed with them': next => {
      const share = next();
      const other = direction(next, mean);
      return centre.map((x, i) => (1 - share) * x + share * (other[i] as number));
    },
  };
}

function centreOf(stored: readonly StoredTemplate[]): number[] {
  const sum = Array.from({ length: 128 }, (_, i) =>
    stored.reduce((total, { vector }) => total + (vector[i] as number), 0),
  );
  const norm = Math.hypot(...sum);
  return sum.map(x => x / norm);
}

function matches(
  direct: Direct,
  stored: readonly StoredTemplate[],
  count: number,
  make: () => number[],
): number {
  let matched = 0;
  for (let i = 0; i < count; i++) {
    const probe = make();
    const found =
      i % VERIFIED_EVERY === 0 ? direct.verify(GALLERY, stored, [probe]) : direct.search(GALLERY, [probe]);
    if (typeof found === 'number') throw new Error('a probe was refused');
    if (found.verdict === 'match') matched += 1;
  }
  return matched;
}
