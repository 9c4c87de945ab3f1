/** The encoder bench on the user's own labelled photos. Checked by test/browser/bench-encoder.test.ts. */
import type { People } from '../../src/calibration/people.ts';
import { SIDES } from '../../src/sdk/browser/encoders/face-finder.ts';
import { median } from '../measure.ts';
import {
  type Described,
  describePhotos,
  hasNorm,
  isOf,
  type Labelled,
  labelledBy,
  NAMES,
  type Which,
} from './describe.ts';
import type { Encoder, Network } from './encoders.ts';
import { pairs, Share, signIns, tenths } from './figures.ts';
import type { Folder } from './folder.ts';
import { lookAlikes, meanFault, normFault, repeatFaults, swapFault } from './gate.ts';
import type { Look } from './page.ts';
import { type Measure, rowsOf, summary, tables } from './report.ts';
import type { Site } from './site.ts';

export async function onPhotos(
  folder: Folder,
  encoders: readonly Encoder[],
  site: Site,
  /** Of a first visit, by network. */
  bytes: ReadonlyMap<Network, number>,
  anyQuality: boolean,
) {
  const networks = [...new Set(encoders.map(({ network }) => network))];
  const described = await describePhotos(folder, networks, site);
  const repeated = await repeatFaults(described, encoders, site);
  console.error(summary(described));
  reportUnreadable(described);
  const measures = encoders.flatMap((encoder, i) => {
    const which = anyQuality ? 'any' : hasNorm(encoder, described) ? 'usable' : 'judged';
    const labelled = labelledBy(encoder, described, isOf(which, encoder, described));
    check(
      labelled.people,
      described.outcomes.filter(one => one === 'described').length - labelled.photos.length,
    );
    const at = networks.indexOf(encoder.network);
    const fault =
      normFault(described.norms[at] as number) ??
      repeated.get(encoder.name) ??
      meanFault(labelled.people, encoder) ??
      swapFault(labelled.people);
    if (fault) throw new Error(`${encoder.name}: ${fault}; no figures are shown`);
    if (i === 0) reportLookAlikes(labelled, described);
    const cost = {
      encoder: encoder.name,
      describe_ms: median(described.describeMs[at] as number[]),
      first_visit_mb: (bytes.get(encoder.network) ?? 0) / 1e6,
    };
    return [...measuresOf(encoder, described, which), { measure: 'cost', at: cost } satisfies Measure];
  });
  const all = [...ofPhotos(described), ...measures];
  return { rows: rowsOf(all), printed: `${summary(described)}\n\n${tables(all)}` };
}

/** `all` and the groups of groups.csv. @returns whether a person of the folder is in it, by name */
function groupsOf({ people, groups }: Folder): [string, (person: number) => boolean][] {
  const names = [...new Set(people.flatMap((_, p) => groups?.[p] ?? []))].sort();
  return [
    ['all', () => true],
    ...names.map(name => [name, (person: number) => groups?.[person] === name] as [string, () => boolean]),
  ];
}

/** How many of some photos, with an interval by person. */
function share({ people, photos }: Folder, some: readonly number[], counts: (photo: number) => boolean) {
  const counted = new Share(people.length);
  for (const i of some) counted.add(photos[i]?.person as number, counts(i));
  return counted.rate();
}

/** What no encoder has a part in. */
function* ofPhotos({ folder, outcomes, problems, findMs, looks }: Described): Generator<Measure> {
  const codes = [...new Set(problems.filter(problem => problem !== null))].sort();
  for (const [group, isIn] of groupsOf(folder)) {
    const photos = folder.photos.flatMap(({ person }, i) => (isIn(person) ? [i] : []));
    const readable = photos.filter(i => outcomes[i] !== 'unreadable');
    const tried = readable.filter(i => (looks[i] as readonly Look[]).length > 0);
    yield {
      measure: 'detection',
      at: { group, input: 'as the SDK does', find_ms: median(readable.map(i => findMs[i] as number)) },
      rates: { no_face: share(folder, readable, i => outcomes[i] === 'no face') },
    };
    for (const [k, side] of SIDES.tiny.entries()) {
      const look = (i: number) => looks[i]?.[k] as Look;
      yield {
        measure: 'detection',
        at: { group, input: `${side} alone`, find_ms: median(tried.map(i => look(i).ms)) },
        rates: { no_face: share(folder, tried, i => !look(i).found) },
      };
    }
    const faces = photos.filter(i => outcomes[i] === 'described');
    for (const code of [null, ...codes]) {
      const refused = (i: number) => (code === null ? problems[i] !== null : problems[i] === code);
      yield {
        measure: 'problems',
        at: { group, problem: code ?? 'any' },
        rates: { photos: share(folder, faces, refused) },
      };
    }
  }
}

/** @param base which photos count */
function* measuresOf(encoder: Encoder, described: Described, base: Which): Generator<Measure> {
  const { folder } = described;
  const withNorm = hasNorm(encoder, described);
  const labelled = (which: Which, isIn: (person: number) => boolean = () => true) => {
    const counts = isOf(which, encoder, described);
    return labelledBy(encoder, described, i => counts(i) && isIn(folder.photos[i]?.person as number));
  };
  const kinds: Which[] = withNorm ? ['any', 'judged', 'usable', 'good'] : ['any', 'judged'];
  for (const [group, isIn] of groupsOf(folder)) {
    const { photos } = labelled('any', isIn);
    for (const which of kinds) {
      const at = { encoder: encoder.name, group, counted: NAMES[which] };
      const counts = share(folder, photos, isOf(which, encoder, described));
      yield* pairs(labelled(which, isIn).people, at, counts, which === base);
    }
  }
  if (withNorm) {
    const { people, photos } = labelled('any');
    const isRefused = (row: number) => described.problems[photos[row] as number] !== null;
    yield* tenths(people, { encoder: encoder.name }, isRefused);
  }
  // A capture waits for a photo that the SDK sends at once.
  const awaited = base === 'usable' ? 'good' : base;
  for (const which of new Set([awaited, base]))
    for (const [group, isIn] of groupsOf(folder)) {
      if (which !== awaited && group !== 'all') continue;
      const { people, persons } = labelled(which);
      yield* signIns(
        people,
        { encoder: encoder.name, group, counted: NAMES[which] },
        {
          mean: encoder.mean,
          isBrief: which !== awaited || group !== 'all',
          of: person => isIn(persons[person] as number),
        },
      );
    }
}

/** @throws Error when too few photos are left: the gate needs two people with two photos each */
function check(people: People, refused: number): void {
  const several = people.starts.subarray(1).filter((end, p) => end - (people.starts[p] as number) > 1);
  if (several.length >= 2) return;
  const fix = refused > 0 ? `; the SDK would reject ${refused} of them: --any-quality counts those too` : '';
  throw new Error(`too few photos can be used: at least two people need two photos each${fix}`);
}

/** Prints the names of unreadable files, on the terminal only. */
function reportUnreadable({ folder, outcomes }: Described): void {
  for (const [i, outcome] of outcomes.entries())
    if (outcome === 'unreadable') console.error(`not a readable picture: ${folder.photos[i]?.path}`);
}

function reportLookAlikes({ people, photos }: Labelled, { folder, hashes }: Described): void {
  const rows = photos.map(photo => hashes[photo] as string);
  for (const { one, other, distance } of lookAlikes(people, rows)) {
    const [a, b] = [one, other].map(row => folder.photos[photos[row] as number]?.path);
    console.error(`look-alikes (distance ${distance.toFixed(4)}), is a label wrong? ${a} and ${b}`);
  }
}
