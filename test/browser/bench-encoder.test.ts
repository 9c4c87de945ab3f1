/**
 * The encoder bench as a process, on a folder of crops of the sample photos: what it counts, prints and writes, and that
 * nothing stays behind, however it ends.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { SIDES } from '../../src/sdk/browser/encoders/face-finder.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ROOT } from './chromium.ts';
import { openLab, startPages } from './encoder-pages.ts';

const test = suite('browser: bench, encoder');
const root = tempFolder();
/** The system's folder for temporary files, as the bench sees it. */
const temporary = join(root, 'tmp');
const photos = join(root, 'photos');
const WEIGHTS = existsSync(join(ROOT, 'dist/encoder/mobilefacenet.f16'));
const PEOPLE = ['ann', 'bob', 'cid'];

test.before(async () => {
  mkdirSync(temporary);
  const cuts = await cutPhotos();
  for (const [p, person] of PEOPLE.entries()) {
    mkdirSync(join(photos, person), { recursive: true });
    for (const [i, cut] of (cuts[p] ?? []).entries()) writeFileSync(join(photos, person, `${i}.jpg`), cut);
  }
});

/** Three people of one photo: three pictures of each, and one without anybody. */
async function cutPhotos(): Promise<Buffer[][]> {
  const pages = await startPages();
  const lab = await openLab(pages, 'none');
  try {
    // biome-ignore-start lint/suspicious/noExplicitAny: a script that runs in the page, against the SDK as it is bundled
    const all = await lab.page.evaluate(async () => {
      const { sdk, faceapi } = (window as any).lab;
      const encoder = sdk.faceApiEncoder({
        faceapi,
        modelPath: '/model',
        wasmPath: '/wasm',
        detector: 'ssd',
      });
      await encoder.load();
      const image = new Image();
      image.src = '/photos/sample6.jpg';
      await image.decode();
      const tiny = sdk.faceApiEncoder({ faceapi, modelPath: '/model', wasmPath: '/wasm' });
      await tiny.load();
      const all: string[][] = [];
      for (const { box } of await encoder.detect(image)) {
        const pictures = [1, 0.95, 0.9, 0].map((scale, i) => {
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 250;
          const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
          context.fillStyle = '#888';
          context.fillRect(0, 0, 250, 250);
          context.translate(125, 125);
          context.rotate(i / 40);
          const size = (scale * 150) / box.height;
          context.scale(size, size);
          if (scale > 0) context.drawImage(image, -box.x - box.width / 2, -box.y - box.height / 2);
          return canvas;
        });
        let found = 0;
        for (const picture of pictures.slice(0, 3)) if ((await tiny.detect(picture)).length > 0) found++;
        if (found === 3)
          all.push(pictures.map(one => one.toDataURL('image/jpeg', 0.95).split(',')[1] as string));
      }
      return all.slice(0, 3);
    });
    // biome-ignore-end lint/suspicious/noExplicitAny: as above
    return all.map((cuts: string[]) => cuts.map(cut => Buffer.from(cut, 'base64')));
  } finally {
    await lab.close();
    await pages.close();
  }
}

function bench(...args: string[]) {
  const child = spawn(process.execPath, ['bench/main.ts', 'encoder', ...args], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary },
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', text => {
      printed[stream] += text;
    });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  return { child, printed, ended };
}
const left = () => readdirSync(temporary);

test('counts, prints and writes the figures of every encoder, and leaves nothing behind', async () => {
  const odd = join(root, 'odd');
  for (const person of PEOPLE) mkdirSync(join(odd, person), { recursive: true });
  for (const person of PEOPLE)
    for (const name of readdirSync(join(photos, person)))
      writeFileSync(join(odd, person, name), readFileSync(join(photos, person, name)));
  writeFileSync(join(odd, 'ann/9.jpg'), 'no picture');
  writeFileSync(join(odd, 'bob/9.jpg'), readFileSync(join(photos, 'ann/1.jpg')));
  writeFileSync(join(odd, 'groups.csv'), 'person,group\nann,one\nbob,two\ncid,two\n');
  const file = join(root, 'rows.json');
  const { printed, ended } = bench('--photos', odd, '--any-quality', '--json', file);
  assert.is(await ended, 0, printed.stderr);
  assert.equal(left(), []);

  assert.match(
    printed.stdout,
    /^3 people, 14 photos \(\d.* per second\): 10 with a face; 3 without a face; 1 unreadable; 0 with a face/,
  );
  assert.match(printed.stderr, /not a readable picture: .*ann\/9\.jpg/);
  assert.match(
    printed.stderr,
    /look-alikes \(distance 0\.0000\), is a label wrong\? .*ann\/1\.jpg and .*bob\/9\.jpg/,
  );
  for (const line of printed.stderr.split('\n').filter(line => line.startsWith('look-alikes')))
    assert.match(line, 'bob/9.jpg');
  assert.is(/mobilefacenet is left out: .* encoder mobilefacenet --from/.test(printed.stderr), !WEIGHTS);

  const text = readFileSync(file, 'utf8');
  assert.not.match(text, /ann|bob|cid|jpg/);
  const rows: Record<string, string | number>[] = JSON.parse(text);
  const of = (measure: string, at: Readonly<Record<string, string | number>>) =>
    rows.filter(
      row => row.measure === measure && Object.entries(at).every(([key, value]) => row[key] === value),
    );
  const encoders = WEIGHTS ? ['face-api', 'mobilefacenet 1e-5', 'mobilefacenet 1e-4'] : ['face-api'];
  const groups = ['all', 'one', 'two'];
  for (const encoder of encoders) {
    for (const [i, group] of groups.entries()) {
      const [row] = of('pairs', { encoder, group, counted: 'with a face' });
      const wanted = [
        [3, 10, 33, 12],
        [1, 3, 0, 3],
        [2, 7, 12, 9],
      ][i];
      assert.equal([row?.people, row?.photos_count, row?.fmr_of ?? 0, row?.fnmr_of], wanted, group);
      const found = of('thresholds', { encoder, group }).map(({ threshold }) => threshold);
      assert.equal(found, Array(group === 'one' ? 0 : 2).fill('too few pairs to say'), group);
      assert.is(of('sign_ins', { encoder, group, enrolled: '1', threshold: 0.35 })[0]?.users, 2);
    }
    const [cost] = of('cost', { encoder });
    assert.ok(Number(cost?.first_visit_mb) > 2 && Number(cost?.describe_ms) > 0);
    const hasNorm = encoder !== 'face-api';
    assert.is(of('tenths', { encoder }).length, hasNorm ? 10 : 0);
    for (const counted of ['norm from 50', 'norm from 57.5', 'passed by quality.ts'])
      assert.is(of('pairs', { encoder, counted }).length > 0, hasNorm || counted.startsWith('passed'));
  }
  for (const [i, group] of groups.entries()) {
    const [found, ...sides] = of('detection', { group });
    assert.equal(
      [found?.no_face_count, found?.no_face_of],
      [
        [3, 13],
        [1, 4],
        [2, 9],
      ][i],
    );
    assert.equal(
      sides.map(({ input, no_face_of }) => [input, no_face_of]),
      SIDES.tiny.map(side => [`${side} alone`, found?.no_face_of as number]),
    );
    for (const side of [found, ...sides]) assert.ok(Number(side?.find_ms) > 0);
    assert.is(of('problems', { group, problem: 'any' })[0]?.photos_of, [10, 3, 7][i]);
  }
  const [all] = of('pairs', { encoder: 'face-api', group: 'all' });
  assert.ok(Number(all?.fmr_count) >= 1, 'the copy under another name is a false match');
  assert.ok(
    Number(of('cost', { encoder: 'face-api' })[0]?.first_visit_mb) > 8,
    'with its module and backend',
  );
  for (const title of [
    'Photos without a face',
    'What quality.ts finds wrong',
    'one photo against one',
    'Thresholds for a false match rate',
    'Sign-ins by the rule',
    'Cost',
  ])
    assert.match(printed.stdout, title);
});

test('refuses folders that nothing can be measured on, and options of other trials', async () => {
  const empty = join(root, 'empty');
  const single = join(root, 'single');
  mkdirSync(empty);
  for (const person of PEOPLE.slice(0, 2)) {
    mkdirSync(join(single, person), { recursive: true });
    writeFileSync(join(single, person, '1.jpg'), readFileSync(join(photos, person, '1.jpg')));
  }
  const cases: [string[], number, RegExp][] = [
    [['--photos', join(root, 'none')], 1, /^--photos: .*none is not a folder/],
    [['--photos', empty], 1, /^--photos: there are no photos in .*empty/],
    [['--photos', single], 1, /^--photos: nobody in .*single has more than one photo/],
    [['--photos', photos, '--weights', join(root, 'none')], 1, /^--weights: .*none does not exist/],
    [['--photos', photos, '--onnx', join(root, 'none')], 1, /^--onnx: .*none does not exist/],
    [['--onnx-options', '{}'], 1, /^--onnx-options goes with --onnx FILE/],
    [['--quick'], 2, /^Unknown option '--quick'$/m],
  ];
  for (const [args, code, wanted] of cases) {
    const { printed, ended } = bench(...args);
    assert.is(await ended, code, args.join(' '));
    assert.match(printed.stderr, wanted);
    assert.is(printed.stdout, '');
  }
  assert.equal(left(), []);
});

test('a failure in the browser ends it with its reason; nothing stays', async () => {
  const wrong = join(root, 'wrong.f16');
  writeFileSync(wrong, 'no weights');
  const { printed, ended } = bench('--photos', photos, '--weights', wrong);
  assert.is(await ended, 1);
  assert.match(printed.stderr, /mobilefacenet\.f16 is not the published network/);
  assert.is(printed.stdout, '');
  assert.equal(left(), []);
});

test('interrupted, it deletes its folder, which nobody else could read', async () => {
  const { child, ended } = bench('--photos', photos);
  const profile = () => left().flatMap(name => readdirSync(join(temporary, name)));
  while (child.exitCode === null && !profile().some(name => name.startsWith('browser-'))) await delay(20);
  const [folder = ''] = left();
  assert.match(folder, /^face-sign-in-encoder-/);
  assert.is(statSync(join(temporary, folder)).mode & 0o777, 0o700);
  child.kill('SIGINT');
  assert.is(await ended, 130);
  assert.equal(left(), []);
});

test.run();
