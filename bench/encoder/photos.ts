/** The encoder bench on the reader's own labelled photos. Held by test/browser/bench-encoder.test.ts. */
import type { People } from '../../src/domain/calibration/people.ts';
import { median } from '../measure.ts';
import type { Encoder, Network } from './encoders.ts';
import { galleries, verified } from './figures.ts';
import type { Folder } from './folder.ts';
import { lookAlikes, normFault, repeatFaults, swapFault } from './gate.ts';
import { type Labelled, type Looked, labelledBy, look, someOf } from './looking.ts';
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
  const looked = await look(folder, networks, site, anyQuality);
  const repeated = await repeatFaults(looked, encoders, site);
  console.error(summary(looked));
  tellPhotos(looked);
  const figures = encoders.flatMap((encoder, i) => {
    const labelled = labelledBy(encoder, looked);
    if (i === 0) check(labelled.people, looked.outcomes.filter(outcome => outcome === 'refused').length);
    const at = networks.indexOf(encoder.network);
    const fault =
      normFault(looked.norms[at] as number) ?? repeated.get(encoder.name) ?? swapFault(labelled.people);
    if (fault) throw new Error(`${encoder.name}: ${fault}; no figures are shown`);
    if (i === 0) tellLookAlikes(labelled, looked);
    const cost = {
      findMs: median(looked.findMs),
      describeMs: median(looked.describeMs[at] as number[]),
      firstVisitBytes: bytes.get(encoder.network) ?? 0,
    };
    return [...figuresOf(encoder.name, labelled, folder.groups)].map(one => ({ ...one, ...cost }));
  });
  return { rows: rowsOf(figures), printed: `${summary(looked)}\n\n${tables(figures)}` };
}

type Bare = Omit<Figures, 'findMs' | 'describeMs' | 'firstVisitBytes'>;

function* figuresOf(
  encoder: string,
  { people, persons }: Labelled,
  groups: Folder['groups'],
): Generator<Bare> {
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

/** @throws Error when too little is left: two people with two photos each are the least that the gate can work with */
export function check(people: People, refused: number): void {
  const several = people.starts.subarray(1).filter((end, p) => end - (people.starts[p] as number) > 1);
  if (several.length >= 2) return;
  const fix =
    refused > 0 ? `; the SDK would not take ${refused} of them: --any-quality counts those too` : '';
  throw new Error(`too few of the photos can be used: two people with two photos each are the least${fix}`);
}

/** Names of files that nothing could be made of. They go to the terminal alone. */
function tellPhotos({ folder, outcomes }: Looked): void {
  for (const [i, outcome] of outcomes.entries())
    if (outcome === 'unreadable') console.error(`not a readable picture: ${folder.photos[i]?.path}`);
}

function tellLookAlikes({ people, photos }: Labelled, { folder, hashes }: Looked): void {
  const rows = photos.map(photo => hashes[photo] as string);
  for (const { one, other, distance } of lookAlikes(people, rows)) {
    const [a, b] = [one, other].map(row => folder.photos[photos[row] as number]?.path);
    console.error(`look-alikes (distance ${distance.toFixed(4)}), is a label wrong? ${a} and ${b}`);
  }
}
