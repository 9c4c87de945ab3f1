/**
 * The encoder bench on the sample photos of the face-api package, for users without photos. Each shows several people.
 * Two people in one photo are certainly different; whether someone is in two photos is not recorded, so those pairs are
 * counted separately. Owners return in changed versions of their only picture, which is easier than another day.
 * Checked by test/browser/bench-encoder.test.ts.
 */
import { availableParallelism } from 'node:os';
import { type Row, table } from '../table.ts';
import { type Encoder, type Network, scaled } from './encoders.ts';
import { enrolledAs, meanOf, type Plan, RULE } from './figures.ts';
import { normFault, sameFault } from './gate.ts';
import type { Kind } from './page.ts';
import type { Change } from './page-changes.ts';
import { percent } from './report.ts';
import { photoAt, type Site } from './site.ts';

/** Frames of one enrolment. */
const TEMPLATES: readonly Change[] = [
  {},
  { scale: 1.1, turn: -3 },
  { scale: 0.85, turn: 3, filter: 'brightness(0.9)' },
];
const PROBES: Readonly<Record<string, Change>> = {
  'smaller (0.6)': { scale: 0.6 },
  'much smaller (0.4)': { scale: 0.4 },
  'blurred (2 px)': { filter: 'blur(2px)' },
  'blurred (4 px)': { filter: 'blur(4px)' },
  'darker (0.5)': { filter: 'brightness(0.5)' },
  'brighter (1.4)': { filter: 'brightness(1.4)' },
  'flat light (contrast 0.6)': { filter: 'contrast(0.6)' },
  'cut below the mouth': { cut: 0.2 },
  'turned 8°': { turn: 8 },
  'turned -12°': { turn: -12 },
  mirrored: { mirror: true },
  'off the middle': { shift: 90, scale: 0.8 },
};
const PLANS: readonly Plan[] = [{ templates: 1 }, { templates: 3 }, { templates: 3, mean: true }];
const CHANGES = [...TEMPLATES, ...Object.values(PROBES)];
const NAMES = Object.keys(PROBES);

type Descriptor = ArrayLike<number>;
interface Found {
  readonly photo: number;
  /** By change, then by network; null if the detector finds no face. */
  readonly by: readonly (readonly Descriptor[] | null)[];
}
export interface Face {
  readonly photo: number;
  readonly templates: readonly Descriptor[];
  /** By change; null if the detector finds no face. */
  readonly probes: readonly (Descriptor | null)[];
}

export async function onSamples(
  paths: readonly string[],
  encoders: readonly Encoder[],
  site: Site,
  bytes: ReadonlyMap<Network, number>,
) {
  const networks = [...new Set(encoders.map(({ network }) => network))];
  const found = await describeFaces(paths, networks, site);
  const whole = found.filter(({ by }) => by.slice(0, TEMPLATES.length).every(Boolean));
  const again = await describeAgain(paths, found, whole[0], networks, site);
  const [rows, changes]: [Row[], Row[]] = [[], []];
  for (const encoder of encoders) {
    const at = networks.indexOf(encoder.network);
    const of = (descriptors: readonly Descriptor[]) => scaled(encoder, descriptors[at] as Descriptor);
    const faces = whole.map(({ photo, by }): Face => {
      const all = by.map(descriptors => descriptors && of(descriptors));
      const templates = all.slice(0, TEMPLATES.length) as Descriptor[];
      return { photo, templates, probes: all.slice(TEMPLATES.length) };
    });
    const kind = encoder.scale === undefined ? at : networks.length;
    const fault =
      faultIn(faces) ??
      sameFault(
        'two descriptions of one photo',
        faces[0]?.templates[0] as Descriptor,
        again[kind] as Descriptor,
      );
    if (fault) throw new Error(`${encoder.name}: ${fault}; no figures are shown`);
    for (const plan of PLANS) {
      if (plan.mean && !encoder.mean) continue;
      const { refusedBy, ...row } = figures(faces, galleryOf(faces, plan, encoder.mean));
      const enrolled = enrolledAs(plan);
      rows.push({
        encoder: encoder.name,
        enrolled,
        ...row,
        first_visit_mb: (bytes.get(encoder.network) ?? 0) / 1e6,
      });
      changes.push({ encoder: encoder.name, enrolled, refused_under: refusedBy });
    }
  }
  const title =
    `The sample photos of @vladmandic/face-api: ${found.length} faces, of which ${whole.length} are found in all ` +
    `three frames of an enrolment. Rule: distance below ${RULE.threshold}, margin ${RULE.margin}.`;
  const details = changes.filter(({ refused_under }) => refused_under !== '');
  return {
    rows,
    printed: [title, table(rows), ...(details.length > 0 ? [table(details)] : [])].join('\n\n'),
  };
}

/** Describes every face of every photo, in a tab per core. */
async function describeFaces(
  paths: readonly string[],
  networks: readonly Network[],
  site: Site,
): Promise<readonly Found[]> {
  const found: Found[][] = [];
  let next = 0;
  const work = async () => {
    const tab = await site.tab();
    for (let photo = next++; photo < paths.length; photo = next++) {
      const faces = await tab.change(await photoAt(paths[photo] as string), CHANGES, networks);
      found[photo] = faces.map(({ descriptors }) => ({ photo, by: descriptors }));
      console.error(`sample photo ${photo + 1} of ${paths.length}: ${faces.length} faces`);
    }
    await tab.close();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), paths.length) }, work));
  return found.flat();
}

/** One unchanged face, described in another tab: by network, then MobileFaceNet at its other rate by the SDK. */
async function describeAgain(
  paths: readonly string[],
  found: readonly Found[],
  face: Found | undefined,
  networks: readonly Network[],
  site: Site,
): Promise<readonly Descriptor[]> {
  if (!face) throw new Error('no face was found in the sample photos');
  const kinds: Kind[] = [...networks];
  if (kinds.includes('mobilefacenet')) kinds.push('mobilefacenet 1e-4');
  const tab = await site.tab();
  const all = await tab.change(await photoAt(paths[face.photo] as string), [{}], kinds);
  await tab.close();
  return all[found.filter(({ photo }) => photo === face.photo).indexOf(face)]?.descriptors[0] ?? [];
}

/** Checks norms, and that swapped templates are noticed. */
export function faultIn(faces: readonly Face[]): string | null {
  for (const { templates, probes } of faces)
    for (const descriptor of [...templates, ...probes])
      if (descriptor) {
        const fault = normFault(Math.hypot(...Array.from(descriptor)));
        if (fault) return fault;
      }
  const [a, b] = faces;
  if (!a || !b) return 'fewer than two faces were found';
  const swapped = [{ ...a, templates: b.templates }, { ...b, templates: a.templates }, ...faces.slice(2)];
  const refused = (all: readonly Face[]) => figures(all, galleryOf(all, { templates: 1 })).refused;
  return refused(swapped) > refused(faces) ? null : 'swapped templates are not noticed';
}

export function galleryOf(faces: readonly Face[], plan: Plan, mean?: Encoder['mean']): Descriptor[][] {
  return faces.map(face => {
    const some = face.templates.slice(0, plan.templates);
    return plan.mean ? [meanOf(some, mean)] : some;
  });
}

/** @param gallery the templates of each face */
export function figures(faces: readonly Face[], gallery: readonly (readonly Descriptor[])[]) {
  const together = strangers(faces, gallery, true);
  const apart = strangers(faces, gallery, false);
  const refusedBy = new Map<string, number>();
  let [refused, tried, unseen] = [0, 0, 0];
  for (const [i, { probes }] of faces.entries())
    for (const [n, probe] of probes.entries()) {
      if (!probe) unseen++;
      else tried++;
      if (!probe || identified(probe, gallery) === i) continue;
      refused++;
      const name = NAMES[n] as string;
      refusedBy.set(name, (refusedBy.get(name) ?? 0) + 1);
    }
  return {
    faces: faces.length,
    one_photo_accepted: `${together.accepted}/${together.pairs}`,
    one_photo_nearest: together.nearest.toFixed(3),
    two_photos_accepted: `${apart.accepted}/${apart.pairs}`,
    two_photos_nearest: apart.nearest.toFixed(3),
    refused,
    tried,
    refused_share: percent(refused / tried),
    no_face: unseen,
    refusedBy: [...refusedBy].map(([name, count]) => `${name}: ${count}`).join(', '),
  };
}

/** Compares everyone with every other face's templates. @param together whether both are in one photo */
function strangers(faces: readonly Face[], gallery: readonly (readonly Descriptor[])[], together: boolean) {
  let [pairs, accepted, nearest] = [0, 0, 2];
  for (const [i, one] of faces.entries())
    for (const [j, other] of faces.entries()) {
      if (i === j || (one.photo === other.photo) !== together) continue;
      for (const probe of [one.templates[0], ...one.probes]) {
        if (!probe) continue;
        const distance = distanceTo(probe, gallery[j] ?? []);
        pairs++;
        nearest = Math.min(nearest, distance);
        if (distance < RULE.threshold) accepted++;
      }
    }
  return { pairs, accepted, nearest };
}

function distanceTo(probe: Descriptor, templates: readonly Descriptor[]): number {
  const dot = (other: Descriptor) =>
    Array.from(probe).reduce((sum, value, i) => sum + value * (other[i] as number), 0);
  return Math.min(...templates.map(other => 1 - dot(other)));
}

/** The index of the user whom the service would sign in, or null. */
function identified(probe: Descriptor, gallery: readonly (readonly Descriptor[])[]): number | null {
  const distances = gallery.map((templates, user) => ({ user, distance: distanceTo(probe, templates) }));
  const [best, next] = distances.sort((a, b) => a.distance - b.distance);
  if (!best || best.distance >= RULE.threshold) return null;
  return next && next.distance < best.distance + RULE.margin ? null : best.user;
}
