/**
 * MobileFaceNet's quality and mean on the sample photos, against the raw output of the network: its length, and the mean
 * direction, computed here a second time.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { labFor } from './encoder-pages.ts';

const test = suite('browser: MobileFaceNet, norm and mean');
const ALPHA = 0.863;
const SAME = 1e-6;
const { lab } = labFor(test, 'none');

/** Descriptors and raw outputs of every face, and the SDK's mean of each with the next two. */
const described = () =>
  // biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
  lab.page.evaluate(async () => {
    const { sdk, faceapi } = (window as any).lab;
    const weightsPath = '/encoder/mobilefacenet.f16';
    const encoder = sdk.mobileFaceNetEncoder({
      faceapi,
      modelPath: '/model',
      wasmPath: '/wasm',
      weightsPath,
      detector: 'ssd',
    });
    await encoder.load();
    const network = await sdk.loadNetwork((await faceapi()).tf, weightsPath, () => {});
    const faces: { raw: number[]; descriptor: number[]; quality: number }[] = [];
    for (let n = 1; n <= 6; n++) {
      const image = new Image();
      image.src = `/photos/sample${n}.jpg`;
      await image.decode();
      for (const face of await encoder.detect(image)) {
        const place = sdk.fiveSimilarity(face.landmarks, 112);
        const input = sdk.inputOf(image, place, 112, { layout: 'nhwc', mean: 127.5, std: 128 });
        faces.push({ raw: [...(await network.run(input))], ...(await encoder.rate(image, face)) });
      }
    }
    const means = faces.map((_, i) =>
      encoder.mean([0, 1, 2].map(step => faces[(i + step) % faces.length]?.descriptor)),
    );
    return { faces, means: means as number[][] };
  });
// biome-ignore-end lint/suspicious/noExplicitAny: as above

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? Number.NaN), 0);
const length = (numbers: readonly number[]) => Math.sqrt(dot(numbers, numbers));
const unit = (numbers: readonly number[]) => numbers.map(x => x / length(numbers));

test('quality, and distances of pictures and of means, are those of the raw output within 1e-6', async () => {
  const { faces, means } = await described();
  assert.ok(faces.length >= 20, `${faces.length} faces`);
  for (const { raw, quality } of faces) {
    assert.is(raw.length, 127);
    assert.ok(Math.abs(50 + 7.5 * quality - length(raw)) < SAME, `${quality}, norm ${length(raw)}`);
  }
  const directions = faces.map(({ raw }) => unit(raw));
  const sums = directions.map((one, i) => {
    const [second, third] = [1, 2].map(step => directions[(i + step) % faces.length] ?? []);
    return one.map((x, k) => x + (second?.[k] ?? 0) + (third?.[k] ?? 0));
  });
  const all = [
    ...faces.map(({ descriptor }, i) => ({ ours: descriptor, direction: directions[i] ?? [] })),
    ...means.map((ours, i) => ({ ours, direction: unit(sums[i] ?? []) })),
  ];
  for (const a of all)
    for (const b of all) {
      const wanted = ALPHA * (1 - dot(a.direction, b.direction));
      assert.ok(Math.abs(1 - dot(a.ours, b.ours) - wanted) < SAME, `${1 - dot(a.ours, b.ours)}, ${wanted}`);
    }
});

test.run();
