/**
 * How well the real encoder, with the SDK's centring, tells people apart, and how long it takes: measured on the six sample photos of
 * the encoder's own package. No test: it prints tables. The photos show several people each, of whom two in one
 * photo are certainly different; whether someone is in two photos nobody has written down, so those pairs are counted
 * apart. Owners are met again in pictures made from the one there is of them, which is easier than another day.
 *
 * Use: node test/browser/encoder-figures.ts
 */
import { centre, normalise } from '../../src/sdk/browser/encoders/centre.ts';
import { FACE_API_MEAN } from '../../src/sdk/browser/encoders/face-api-mean.ts';
import { openLab, startPages } from './encoder-pages.ts';

/** The service's own rule. */
const THRESHOLD = 0.35;
const MARGIN = 0.04;

/** What happens to a picture: a canvas filter, and its placement in a frame of 640 × 480. */
interface Change {
  readonly filter?: string;
  readonly scale?: number;
  readonly turn?: number;
  readonly mirror?: boolean;
  readonly shift?: number;
  readonly cut?: number;
}
/** Frames of one enrolment. */
const TEMPLATES: Record<string, Change> = {
  'as it is': {},
  nearer: { scale: 1.1, turn: -3 },
  farther: { scale: 0.85, turn: 3, filter: 'brightness(0.9)' },
};
const PROBES: Record<string, Change> = {
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

interface Face {
  readonly photo: number;
  /** Raw descriptors; null where the tiny detector found no face. */
  readonly templates: (number[] | null)[];
  readonly probes: Record<string, number[] | null>;
}

const pages = await startPages();
const lab = await openLab(pages, 'none');
try {
  const { faces, times } = await measure();
  report(faces, times);
} finally {
  await lab.close();
  await pages.close();
}

// biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
async function measure(): Promise<{ faces: Face[]; times: Record<string, number> }> {
  return lab.page.evaluate(
    async ([templates, probes]: any) => {
      const { sdk, faceapi } = (window as any).lab;
      const times: Record<string, number> = {};
      const began = performance.now();
      const options = { faceapi, modelPath: '/model', wasmPath: '/wasm' };
      const tiny = sdk.faceApiEncoder({ ...options, detector: 'tiny' });
      await tiny.load();
      times['load to ready, tiny, from this machine'] = performance.now() - began;
      const ssd = sdk.faceApiEncoder({ ...options, detector: 'ssd' });
      await ssd.load();
      const net = (await faceapi()).nets.faceRecognitionNet;
      const compute = net.computeFaceDescriptor.bind(net);
      let raw: number[] = [];
      net.computeFaceDescriptor = async (tensor: any) => {
        const made = await compute(tensor);
        raw = Array.from(made);
        return made;
      };
      const frame = document.createElement('canvas');
      [frame.width, frame.height] = [640, 480];
      const context = frame.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
      const draw = (image: any, box: any, change: any) => {
        const { filter = 'none', scale = 1, turn = 0, mirror = false, shift = 0, cut = 0 } = change;
        const [w, h] = [box.width * 1.7, box.height * 2];
        const size = (480 / h) * 0.9 * scale;
        context.reset();
        context.fillStyle = '#888';
        context.fillRect(0, 0, 640, 480);
        context.translate(320 + shift, 240 + shift / 3);
        context.rotate((turn * Math.PI) / 180);
        context.scale(mirror ? -size : size, size);
        context.filter = filter;
        const [x, y] = [box.x + box.width / 2 - w / 2, box.y + box.height / 2 - h / 2];
        context.drawImage(image, x, y, w, h * (1 - cut), -w / 2, -h / 2, w, h * (1 - cut));
      };
      const rawIn = async () => {
        const [face] = await tiny.detect(frame);
        if (!face) return null;
        await tiny.describe(frame, face);
        return raw;
      };
      const faces: any[] = [];
      for (let photo = 1; photo <= 6; photo++) {
        const image = new Image();
        image.src = `/photos/sample${photo}.jpg`;
        await image.decode();
        for (const { box } of await ssd.detect(image)) {
          const face = { photo, templates: [] as any[], probes: {} as any };
          for (const change of Object.values(templates)) {
            draw(image, box, change);
            face.templates.push(await rawIn());
          }
          for (const [name, change] of Object.entries(probes)) {
            draw(image, box, change);
            face.probes[name] = await rawIn();
          }
          faces.push(face);
        }
        if (photo < 6) continue;
        const [one] = await ssd.detect(image);
        draw(image, one.box, {});
        const [face] = await tiny.detect(frame);
        for (const [name, work] of [
          ['find, tiny, 640 × 480', () => tiny.detect(frame)],
          ['find, ssd, 640 × 480', () => ssd.detect(frame)],
          ['describe', () => tiny.describe(frame, face)],
        ] as const) {
          const all: number[] = [];
          for (let i = 0; i < 15; i++) {
            const from = performance.now();
            await work();
            all.push(performance.now() - from);
          }
          times[`${name}, median of 15`] = all.sort((a, b) => a - b)[7] ?? 0;
        }
      }
      return { faces, times };
    },
    [TEMPLATES, PROBES],
  );
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

function report(all: readonly Face[], times: Readonly<Record<string, number>>): void {
  const faces = all.filter(face => face.templates.every(Boolean));
  console.log(
    `Set: the six sample photos of @vladmandic/face-api; ${all.length} faces found by SSD, of which the tiny detector ` +
      `finds ${faces.length} in all three frames of an enrolment. Rule: distance < ${THRESHOLD}, margin ${MARGIN}.\n`,
  );
  const half = (first: boolean) => (face: Face) => face.photo <= 3 === first;
  const meanOf = (some: readonly Face[]) => {
    const raw = some.flatMap(face => face.templates.slice(0, 1)) as number[][];
    return FACE_API_MEAN.map((_, i) => raw.reduce((sum, one) => sum + (one[i] ?? 0), 0) / raw.length);
  };
  const first = faces.filter(half(true));
  const second = faces.filter(half(false));
  figures('raw descriptors, not centred', faces, normalise);
  figures('centred by the default mean (these faces are in it)', faces, raw => centre(raw));
  const ofFirst = meanOf(first);
  const ofSecond = meanOf(second);
  figures(`photos 4–6, mean of the ${first.length} faces of photos 1–3`, second, raw => centre(raw, ofFirst));
  figures(`photos 1–3, mean of the ${second.length} faces of photos 4–6`, first, raw =>
    centre(raw, ofSecond),
  );
  for (const [name, ms] of Object.entries(times)) console.log(`${name}: ${Math.round(ms)} ms`);
}

function figures(name: string, faces: readonly Face[], make: (raw: number[]) => number[]): void {
  const people = faces.map(face => ({
    photo: face.photo,
    templates: (face.templates as number[][]).map(make),
    probes: Object.entries(face.probes).map(([change, raw]) => ({ change, probe: raw && make(raw) })),
  }));
  console.log(`## ${name} (${people.length} faces)`);
  for (const count of [1, 3]) {
    const gallery = people.map(person => person.templates.slice(0, count));
    console.log(`  ${count} template${count > 1 ? 's' : ''} each`);
    for (const [where, together] of [
      ['in one photo (certainly different people)', true],
      ['in different photos (mostly different people)', false],
    ] as const) {
      let [pairs, accepted] = [0, 0];
      const near: number[] = [];
      for (const [i, one] of people.entries())
        for (const [j, other] of people.entries()) {
          if (i === j || (one.photo === other.photo) !== together) continue;
          for (const probe of [one.templates[0], ...one.probes.map(({ probe }) => probe)]) {
            if (!probe) continue;
            const distance = distanceTo(probe, gallery[j] ?? []);
            pairs++;
            near.push(distance);
            if (distance < THRESHOLD) accepted++;
          }
        }
      const least = near.reduce((a, b) => Math.min(a, b), 2).toFixed(2);
      console.log(
        `    strangers, the only user is someone else, ${where}: ${accepted} of ${pairs} accepted; nearest ${least}`,
      );
    }
    const refused = new Map<string, [number, number, number]>();
    for (const [i, { probes }] of people.entries())
      for (const { change, probe } of probes) {
        const [tried, no, unseen] = refused.get(change) ?? [0, 0, 0];
        if (!probe) refused.set(change, [tried, no, unseen + 1]);
        else refused.set(change, [tried + 1, no + (identify(probe, gallery) === i ? 0 : 1), unseen]);
      }
    const sum = [...refused.values()].reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    console.log(
      `    owners, all ${people.length} enrolled: ${sum[1]} of ${sum[0]} refused (no face found: ${sum[2]})`,
    );
    for (const [change, [tried, no, unseen]] of refused)
      if (no + unseen > 0)
        console.log(`      ${change}: ${no} of ${tried} refused, ${unseen} without a face`);
  }
  console.log('');
}

function distanceTo(probe: readonly number[], templates: readonly (readonly number[])[]): number {
  return Math.min(
    ...templates.map(other => 1 - probe.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)),
  );
}

/** Whom the service would sign in: its index, or null. */
function identify(probe: readonly number[], gallery: readonly (readonly number[][])[]): number | null {
  const distances = gallery.map((templates, user) => ({ user, distance: distanceTo(probe, templates) }));
  const [best, next] = distances.sort((a, b) => a.distance - b.distance);
  if (!best || best.distance >= THRESHOLD) return null;
  return next && next.distance < best.distance + MARGIN ? null : best.user;
}
