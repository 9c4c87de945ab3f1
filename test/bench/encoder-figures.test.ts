/** The figures of the encoder bench: what is counted, for whom, and which photos count. */
import * as assert from 'uvu/assert';
import { type Described, hasNorm, isOf, labelledBy, type Which } from '../../bench/encoder/describe.ts';
import { type Encoder, encodersOf, type Network } from '../../bench/encoder/encoders.ts';
import { arrange, pairs, signIns, tenths } from '../../bench/encoder/figures.ts';
import { meanFault, repeatFaults } from '../../bench/encoder/gate.ts';
import type { PhotoResult } from '../../bench/encoder/page.ts';
import { complement } from '../../bench/encoder/report.ts';
import type { Site, Tab } from '../../bench/encoder/site.ts';
import { rateOf } from '../../src/calibration/intervals.ts';
import type { People } from '../../src/calibration/people.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import { mean } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { gathered, pictured, picturesOf } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, encoder: figures');

test('counts people and pairs, and says when they are too few', () => {
  const some = picturesOf([5, 4, 4, 2, 1]);
  const [first, ...wanted] = pairs(some, { encoder: 'x' }, null, true);
  assert.equal(first?.at, { encoder: 'x', people: 5 });
  const { fmr, fnmr } = first?.rates ?? {};
  assert.equal([fnmr?.trials, fmr?.trials], [10 + 6 + 6 + 1, 120 - 23]);
  assert.equal([fnmr?.errors, fmr?.errors], [0, 0]);
  assert.equal(
    wanted.map(({ measure, at }) => [measure, at.threshold]),
    Array(2).fill(['thresholds', 'too few pairs to say']),
  );
  assert.is(pairs(some, {}, null, false).length, 1, 'no thresholds where they are not wanted');
});

test('galleries of the people who have photos enough; the others are strangers to them', () => {
  const some = picturesOf([9, 6, 4, 2, 1, 1]);
  const rows = signIns(some, { group: 'all' }, { mean });
  const at = (enrolled: string, sign_in = '1 photo') =>
    rows.filter(row => row.at.enrolled === enrolled && row.at.sign_in === sign_in);
  const found = ([row]: typeof rows) => [
    row?.at.people,
    row?.at.users,
    row?.rates?.owners?.trials,
    row?.rates?.strangers?.trials,
  ];
  assert.equal(
    at('1').map(row => row.at.threshold),
    [0.35, 0.32, 0.3],
  );
  // An owner is in as many galleries as the others fill; all others, and the two with one photo, are strangers there.
  assert.equal(found(at('1')), [4, 3, 8 + 5 + 3 + 1, 8 + 5 + 3 + 1 + 2]);
  assert.equal(found(at('3 apart')), [3, 2, (6 + 3 + 1) * 2, 6 + 3 + 1 + 2 + 1 + 1]);
  assert.equal(found(at('3 as one mean')), found(at('3 apart')));
  assert.equal(found(at('5 as one mean')), found(at('5 apart')));
  assert.equal(
    found(at('3 as one mean', 'mean of 3')),
    [2, 1, 2 + 1, 2 + 1 + 2],
    'three photos sign in once',
  );
  assert.equal(at('5 as one mean', 'mean of 3'), [], 'one user makes no gallery');
  assert.is(
    rows.every(({ rates }) => rates?.owners?.rate === 1 && rates.strangers?.errors === 0),
    true,
  );
  const brief = signIns(some, {}, { mean, isBrief: true, of: person => person === 0 });
  assert.equal(
    brief.map(row => [row.at.enrolled, row.at.threshold, row.rates?.owners?.trials]),
    [
      ['1', 0.35, 8],
      ['3 apart', 0.35, 6 * 2],
      ['5 apart', 0.35, 4],
      ['3 as one mean', 0.35, 6 * 2],
      ['5 as one mean', 0.35, 4],
    ],
    'only sign-ins of the first person',
  );
  const apart = signIns(some, {}).map(row => row.at.enrolled);
  assert.equal([...new Set(apart)], ['1', '3 apart', '5 apart'], 'without a mean of the encoder');
  assert.equal(signIns(picturesOf([1, 2]), {}, { mean }), [], 'nobody to compare with');
});

test('an enrollment of a mean and a sign-in of a mean are the direction of the sum, with the same constant', () => {
  const constant = Math.sqrt(1 - 0.863);
  const numbers = (person: number, i: number) => {
    const raw = pictured(person, i).slice(0, 127);
    return [...raw.map(x => (x / Math.hypot(...raw)) * Math.sqrt(0.863)), constant];
  };
  const lines = [7, 3].flatMap((count, p) =>
    Array.from({ length: count }, (_, i) => ({ person: `p${p}`, descriptor: numbers(p, i) })),
  );
  const given = gathered(lines).people;
  const { people: made, enrolled } = arrange(given, { templates: 3, mean: true, probe: 3 }, mean);
  assert.equal([...made.starts], [0, 2, 3], 'one enrolled, one to sign in, one photo too few for a third');
  assert.equal(enrolled, [1, 0], 'three photos are too few to enroll and to sign in');
  const meanOf = (person: number, from: number) => {
    const sums = Array.from({ length: 127 }, (_, k) =>
      [0, 1, 2].reduce((sum, i) => sum + (numbers(person, from + i)[k] as number), 0),
    );
    return [...sums.map(x => (x / Math.hypot(...sums)) * Math.sqrt(0.863)), constant];
  };
  const wanted = [meanOf(0, 0), meanOf(0, 3), meanOf(1, 0)];
  for (const [row, vector] of wanted.entries())
    assert.ok(
      vector.every((x, k) => Math.abs(x - (made.vectors[row * 128 + k] as number)) < 1e-6),
      String(row),
    );
  assert.is(meanFault(given, { mean }), null);
  const first = meanFault(given, { mean: ([one]) => one as number[] });
  assert.match(first ?? '', /^the mean of three photos and their sum differ/);
  assert.is(meanFault(given, {}), null, 'an encoder without a mean');
});

/** One person with a photo of each of these norms; the descriptors agree except for those of the first photo. */
const withNorms = (norms: readonly number[]): People => {
  const lines = norms.map((_, i) => ({ person: 'p', descriptor: pictured(i === 0 ? 1 : 0, 0) }));
  return { ...gathered(lines).people, norms: Float64Array.from(norms) };
};

test('by tenth of the norm: a pair belongs to its weaker photo, and a photo to its own', () => {
  const norms = [40, 45, ...Array.from({ length: 18 }, (_, i) => 60 + i)];
  const rows = tenths(withNorms(norms), { encoder: 'x' }, row => row < 3);
  assert.equal(
    rows.map(({ at }) => [at.tenth, at.norm_from, at.norm_to]),
    Array.from({ length: 10 }, (_, k) => [k + 1, norms[2 * k], norms[2 * k + 2] ?? norms.at(-1)]),
  );
  const counts = (name: string) => rows.map(({ rates }) => [rates?.[name]?.errors, rates?.[name]?.trials]);
  assert.equal(counts('refused_by_quality').slice(0, 3), [
    [2, 2],
    [1, 2],
    [0, 2],
  ]);
  assert.equal(counts('fnmr').slice(0, 2), [
    [19, 19 + 18],
    [0, 17 + 16],
  ]);
  assert.equal(counts('fnmr')[9], [0, 1]);
});

const [plain, rating] = encodersOf('w', false) as [Encoder, Encoder];
const described: Described = {
  folder: {
    people: ['a', 'b', 'c'],
    photos: [0, 0, 1, 1, 2].map(person => ({ person, path: import.meta.filename })),
    groups: null,
  },
  networks: ['face-api', 'mobilefacenet'],
  outcomes: ['described', 'described', 'described', 'no face', 'described'],
  problems: [null, 'face_turned', null, null, 'too_dark'],
  vectors: [0, 1].map(n => Float32Array.from([0, 1, 2, 3, 4].flatMap(i => pictured(i, n)))),
  strengths: [new Float64Array(5).fill(Number.NaN), Float64Array.of(49.9, 50, 57.4, Number.NaN, 57.5)],
  hashes: [],
  norms: [1, 1],
  findMs: [],
  describeMs: [],
  looks: [],
  seconds: 1,
};

test('a photo counts by the norm where the encoder has one, and by quality.ts', () => {
  assert.equal([hasNorm(plain, described), hasNorm(rating, described)], [false, true]);
  const counted = (which: Which) => labelledBy(rating, described, isOf(which, rating, described));
  const photos = (which: Which) => counted(which).photos;
  assert.equal(
    [photos('any'), photos('judged')],
    [
      [0, 1, 2, 4],
      [0, 2],
    ],
  );
  assert.equal([photos('usable'), photos('good')], [[1, 2, 4], [4]]);
  const { people, persons } = counted('usable');
  assert.equal(
    [[...people.norms], [...people.starts], persons],
    [
      [50, 57.4, 57.5],
      [0, 1, 2, 3],
      [0, 1, 2],
    ],
  );
  const first = pictured(1, 1);
  assert.ok(first.every((x, k) => Math.abs(x - (people.vectors[k] as number)) < 1e-6));
});

test('the gate describes photos again without rating them: what a rating describes is the same', async () => {
  const asked: unknown[] = [];
  const tab = (make: (given: number) => number): Tab => ({
    async describe(_photo, kinds, wish) {
      asked.push(wish);
      const first = described.vectors.map(all => Array.from(all.subarray(0, DIMENSIONS), make));
      const descriptors = kinds.map(kind => first[described.networks.indexOf(kind as Network)] ?? []);
      return { descriptors } as unknown as PhotoResult;
    },
    change: async () => [],
    async close() {},
  });
  const faults = async (make: (given: number) => number) => {
    const site = { tab: async () => tab(make) } as unknown as Site;
    const one = { ...described, outcomes: described.outcomes.slice(0, 1) };
    return [...(await repeatFaults(one, [plain, rating], site)).keys()];
  };
  assert.equal(await faults(x => x), []);
  assert.equal(await faults(x => -x), [plain.name, rating.name]);
  assert.equal(asked, [{ plain: true }, { plain: true }]);
});

test('a share that did not fail, with its interval', () => {
  const shares = [rateOf(1, 10, 0, 5), rateOf(0, 10, 0, 5), rateOf(10, 10, 0, 5)].map(
    rate => rate && complement(rate),
  );
  assert.equal(
    shares.map(rate => [rate?.errors, rate?.rate]),
    [
      [9, 0.9],
      [10, 1],
      [0, 0],
    ],
  );
  for (const rate of shares) assert.ok(rate && rate.low <= rate.rate && rate.rate <= rate.high);
  assert.equal([shares[1]?.high, shares[2]?.low, shares[2]?.none?.byTrials], [1, 0, shares[2]?.high]);
});

test.run();
