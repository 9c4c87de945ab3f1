/** The encoder bench on the user's own labelled photos. Checked by test/browser/bench-encoder.test.ts. */
import type { People } from '../../src/calibration/people.ts';
import { median } from '../measure.ts';
import { type Described, describePhotos, type Labelled, labelledBy, someOf } from './describe.ts';
import type { Encoder, Network } from './encoders.ts';
import { galleries, verified } from './figures.ts';
import type { Folder } from './folder.ts';
import { lookAlikes, normFault, repeatFaults, swapFault } from './gate.ts';
import { type Figures, rowsOf, summary, tables } from './report.ts';
import type { Site } from './site.ts';

export interface Visits {
  /** Bytes of a first visit, by network. */
  readonly bytes: ReadonlyMap<Network, number>;
}

export async function onPhotos(
  folder: Folder,
  encoders: readonly Encoder[],
  site: Site,
  { bytes }: Visits,
  anyQuality: boolean,
) {
  const networks = [...new Set(encoders.map(({ network }) => network))];
  const described = await describePhotos(folder, networks, site, anyQuality);
  const repeated = await repeatFaults(described, encoders, site);
  console.error(summary(described));
  reportUnreadable(described);
  const figures = encoders.flatMap((encoder, i) => {
    const labelled = labelledBy(encoder, described);
    if (i === 0) check(labelled.people, described.outcomes.filter(outcome => outcome === 'refused').length);
    const at = networks.indexOf(encoder.network);
    const fault =
      normFault(described.norms[at] as number) ?? repeated.get(encoder.name) ?? swapFault(labelled.people);
    if (fault) throw new Error(`${encoder.name}: ${fault}; no figures are shown`);
    if (i === 0) reportLookAlikes(labelled, described);
    const cost = {
      findMs: median(described.findMs),
      describeMs: median(described.describeMs[at] as number[]),
      firstVisitBytes: bytes.get(encoder.network) ?? 0,
    };
    return [...figuresOf(encoder.name, labelled, folder.groups)].map(one => ({ ...one, ...cost }));
  });
  return { rows: rowsOf(figures), printed: `${summary(described)}\n\n${tables(figures)}` };
}

type FiguresWithoutCost = Omit<Figures, 'findMs' | 'describeMs' | 'firstVisitBytes'>;

function* figuresOf(
  encoder: string,
  { people, persons }: Labelled,
  groups: Folder['groups'],
): Generator<FiguresWithoutCost> {
  yield { encoder, group: 'all', verified: verified(people), galleries: galleries(people) };
  const groupOf = (p: number) => groups?.[persons[p] as number] ?? null;
  const names = new Set(persons.map((_, p) => groupOf(p)).filter(group => group !== null));
  for (const group of [...names].sort()) {
    const chosen = persons.flatMap((_, p) => (groupOf(p) === group ? [p] : []));
    yield {
      encoder,
      group,
      verified: verified(someOf(people, chosen)),
      galleries: galleries(people, p => groupOf(p) === group),
    };
  }
}

/** @throws Error when too few photos are left: the gate needs two people with two photos each */
export function check(people: People, refused: number): void {
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
