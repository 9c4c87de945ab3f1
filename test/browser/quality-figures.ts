/**
 * What an encoder needs of a picture: how far the descriptor of a face moves from that of the same face, well pictured, when
 * the picture gets smaller, blurred, dark, overexposed, flat, noisy, cut off or turned. The limits in
 * src/sdk/browser/capture/quality.ts come from these tables; the README beside them has the limits. No test: it prints
 * tables.
 *
 * Usage: node test/browser/quality-figures.ts [mobilefacenet.f16]
 */
import { readFileSync } from 'node:fs';
import { openLab, startPages } from './encoder-pages.ts';

/** Each kind of fault, from mild to severe. */
const FAULTS: Record<string, readonly number[]> = {
  'face width': [120, 80, 60, 50, 40, 32],
  'blur, px of a face 200 wide': [1, 2, 3, 4, 6],
  'brightness ×': [0.5, 0.25],
  'brightness × with noise of 6': [0.5, 0.35, 0.25, 0.18],
  'overexposed ×': [1.3, 1.6, 1.8, 2, 2.5],
  'contrast ×': [0.6, 0.4, 0.3],
  noise: [0.5, 2, 8, 16, 24, 32, 48],
  'half the face dark ×': [0.6, 0.4, 0.25, 0.15],
  'near the edge at a side': [-0.1, -0.05, 0, 0.05, 0.1, 0.2, 0.3],
  'near the edge below': [-0.1, -0.05, 0, 0.05, 0.1, 0.2, 0.3],
  'turned right': [8, 12, 16, 20, 25, 30],
  'turned left': [8, 12, 16, 20, 25, 30],
  'looks down': [8, 12, 16, 20],
  'looks up': [8, 12, 16, 20],
  tilted: [5, 10, 15, 20, 30, 40],
};

interface Seen {
  readonly fault: string;
  readonly by: number;
  /** Whether the small detector found it, which is the default. */
  readonly tiny: boolean;
  /** Null where the large one found none either. */
  readonly found: null | { readonly distances: readonly number[]; readonly look: Record<string, number> };
}

const [file] = process.argv.slice(2);
const pages = await startPages();
if (file) pages.files.set('/mobilefacenet.f16', readFileSync(file));
const lab = await openLab(pages, 'none');
lab.page.on('console', message => console.error(message.text()));
try {
  const { seen, faces, names } = await measure();
  report(seen, faces, names);
} finally {
  await lab.close();
  await pages.close();
}

// biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
async function measure(): Promise<{ seen: Seen[]; faces: number; names: string[] }> {
  return lab.page.evaluate(
    async ([faults, weights]: any) => {
      const { sdk, faceapi } = (window as any).lab;
      const options = { faceapi, modelPath: '/model', wasmPath: '/wasm' };
      const ssd = sdk.faceApiEncoder({ ...options, detector: 'ssd' });
      const encoders: any[] = [sdk.faceApiEncoder({ ...options, detector: 'tiny' })];
      if (weights)
        encoders.unshift(sdk.mobileFaceNetEncoder({ ...options, weightsPath: '/mobilefacenet.f16' }));
      for (const encoder of [ssd, ...encoders]) await encoder.load();

      const random = sdk.seeded();
      const drawn = (photo: any, box: any, width = 200, at: any = {}) =>
        sdk.placed(sdk.frame(), photo, box, width, at);
      const shaded = (canvas: HTMLCanvasElement, share: number) => {
        const context = sdk.contextOf(canvas);
        const shade = context.createLinearGradient(300, 0, 340, 0);
        shade.addColorStop(0, `rgb(0 0 0 / ${1 - share})`);
        shade.addColorStop(1, 'rgb(0 0 0 / 0)');
        context.fillStyle = shade;
        context.fillRect(0, 0, 640, 480);
        return canvas;
      };
      const faulty = (photo: any, box: any, points: any[], fault: string, by: number) => {
        const filtered = (filter: string) => drawn(photo, box, 200, { filter });
        if (fault === 'face width') return drawn(photo, box, by);
        if (fault.startsWith('blur')) return filtered(`blur(${by}px)`);
        if (fault.startsWith('contrast')) return filtered(`contrast(${by})`);
        if (fault.startsWith('overexposed') || fault === 'brightness ×') return filtered(`brightness(${by})`);
        if (fault.startsWith('half')) return shaded(filtered('none'), by);
        if (fault === 'near the edge at a side') return drawn(photo, box, 200, { x: 100 - 200 * by });
        if (fault === 'near the edge below')
          return drawn(photo, box, 200, { y: 480 - (200 * box.height) / box.width / 2 + 200 * by });
        if (fault === 'tilted') return drawn(photo, box, 200, { tilt: by });
        const canvas = filtered('none');
        if (fault.startsWith('turned'))
          return sdk.turned(canvas, points, fault.endsWith('left') ? -by : by, false);
        if (fault.startsWith('looks'))
          return sdk.turned(canvas, points, fault.endsWith('up') ? -by : by, true);
        const noisy = fault === 'noise' ? canvas : filtered(`brightness(${by})`);
        return sdk.noisy(noisy, fault === 'noise' ? by : 6, random);
      };
      const lookOf = (canvas: HTMLCanvasElement, face: any) => {
        const { pixels } = sdk.squareOf(canvas, sdk.middleOf(face), 96, true);
        const { pose, ...look } = sdk.lookAt(face, canvas, sdk.lightOf(pixels));
        const eye = (from: number) => {
          const points = face.landmarks.slice(from, from + 6);
          const sum = (of: 'x' | 'y') => points.reduce((all: number, one: any) => all + one[of], 0) / 6;
          return { x: sum('x'), y: sum('y') };
        };
        const [one, other] = [eye(36), eye(42)];
        return { ...look, ...pose, eyes: Math.hypot(other.x - one.x, other.y - one.y) };
      };
      const distance = (a: number[], b: number[]) => {
        const dot = (c: number[], d: number[]) => c.reduce((sum, value, i) => sum + value * (d[i] ?? 0), 0);
        return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
      };

      const seen: Seen[] = [];
      let faces = 0;
      /** More would say little more, and take long. */
      const PER_PHOTO = 4;
      for (let photo = 1; photo <= 6; photo++) {
        const image = new Image();
        image.src = `/photos/sample${photo}.jpg`;
        await image.decode();
        const before = faces;
        for (const { box } of await ssd.detect(image)) {
          if (box.width < 50 || faces - before === PER_PHOTO) continue;
          const good = drawn(image, box);
          const [face] = await ssd.detect(good);
          const pose = face && sdk.poseOf(face.landmarks);
          // A head that is turned already cannot be turned by so much.
          if (!pose || Math.abs(pose.yaw) > 20 || Math.abs(pose.roll) > 20) continue;
          faces++;
          console.log(`face ${faces}: ${Math.round(box.width)} pixels wide in sample${photo}.jpg`);
          const best: number[][] = [];
          for (const encoder of encoders) best.push(await encoder.describe(good, face));
          for (const [fault, sizes] of Object.entries<number[]>({ none: [0], ...faults }))
            for (const by of sizes) {
              const canvas = fault === 'none' ? good : faulty(image, box, face.landmarks, fault, by);
              const [tiny] = await encoders[0].detect(canvas);
              const [other] = tiny ? [tiny] : await ssd.detect(canvas);
              const distances: number[] = [];
              for (const [i, encoder] of encoders.entries())
                if (other) distances.push(distance(best[i] ?? [], await encoder.describe(canvas, other)));
              const look = other && lookOf(canvas, other);
              if (look && /turned|tilted|looks/.test(fault))
                for (const angle of ['yaw', 'pitch', 'roll'] as const) look[angle] -= pose[angle];
              seen.push({ fault, by, tiny: Boolean(tiny), found: other ? { distances, look } : null });
            }
        }
      }
      return { seen, faces, names: encoders.map(({ id }) => id.split(':')[0]) };
    },
    [FAULTS, file !== undefined],
  );
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

function report(seen: readonly Seen[], faces: number, names: readonly string[]): void {
  console.log(
    `${faces} faces of the sample photos; distance to the same face at 200 pixels: median, 90th percentile\n`,
  );
  const measures = [
    'eyes',
    'share',
    'brightness',
    'clipped',
    'contrast',
    'sharpness',
    'edge',
    'yaw',
    'pitch',
    'roll',
  ];
  console.log(
    ['fault', 'by', 'unseen by tiny', 'by ssd', ...names.map(name => `${name} p50, p90`), ...measures].join(
      ' | ',
    ),
  );
  for (const [fault, sizes] of Object.entries({ none: [0], ...FAULTS }))
    for (const by of sizes) {
      const all = seen.filter(one => one.fault === fault && one.by === by);
      const found = all.flatMap(one => (one.found ? [one.found] : []));
      const of = (values: number[], share = 0.5) =>
        values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
      const cells = names.map((_, i) => {
        const values = found.map(({ distances }) => distances[i] ?? Number.NaN);
        return `${of(values).toFixed(3)}, ${of(values, 0.9).toFixed(3)}`;
      });
      const looks = measures.map(name =>
        Number(of(found.map(({ look }) => look[name] ?? Number.NaN)).toPrecision(3)),
      );
      console.log(
        [fault, by, all.filter(one => !one.tiny).length, all.length - found.length, ...cells, ...looks].join(
          ' | ',
        ),
      );
    }
}
