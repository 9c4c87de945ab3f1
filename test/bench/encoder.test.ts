/** The encoder bench, without a browser: which folders it takes, what its gate sees, and how it counts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { rescaled } from '../../bench/encoder/encoders.ts';
import { readFolder } from '../../bench/encoder/folder.ts';
import { lookAlikes, normFault, sameFault, swapFault } from '../../bench/encoder/gate.ts';
import { chosen } from '../../bench/encoder/page.ts';
import { figures as changed, type Face, faultIn, galleryOf } from '../../bench/encoder/samples.ts';
import { gathered, pictured, picturesOf } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('bench, encoder');
const root = tempFolder();

let folders = 0;
function folder(files: Readonly<Record<string, string>>): string {
  const made = join(root, String(folders++));
  mkdirSync(made);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}
const TWO = { 'ann/2.JPG': '', 'ann/1.jpeg': '', 'bob/1.png': '' };

test('takes folders of .jpg, .jpeg and .png, in the order of their names, and nothing else', () => {
  const at = folder({
    ...TWO,
    'ann/notes.txt': '',
    'ann/.3.jpg': '',
    '.git/1.jpg': '',
    'cid/x.gif': '',
    'x.jpg': '',
  });
  const { people, photos, groups } = readFolder(at);
  assert.equal(people, ['ann', 'bob']);
  assert.equal(
    photos.map(({ person, path }) => [person, path.slice(at.length + 1)]),
    [
      [0, 'ann/1.jpeg'],
      [0, 'ann/2.JPG'],
      [1, 'bob/1.png'],
    ],
  );
  assert.is(groups, null);
});

test('refuses a folder that nothing can be measured on, and groups that do not fit', () => {
  const groups = (text: string) => folder({ ...TWO, 'groups.csv': text });
  const cases: [string, RegExp][] = [
    [join(root, 'none'), /is not a folder/],
    [folder({ '1.jpg': '', 'ann/x.gif': '' }), /no photos/],
    [folder({ 'ann/1.jpg': '', 'ann/2.jpg': '' }), /of one person/],
    [folder({ 'ann/1.jpg': '', 'bob/1.jpg': '' }), /nobody/],
    [groups('person,group\nann,a\neve,b\n'), /line 3/],
    [groups('ann,a\nann,b\n'), /line 2/],
    [groups('ann a\n'), /line 1/],
    [groups('ann,\n'), /line 1/],
  ];
  for (const [at, wanted] of cases) assert.throws(() => readFolder(at), wanted, String(wanted));
  assert.equal(readFolder(groups('person,group\r\nbob, b\r\n\r\n')).groups, [null, 'b']);
});

test('of several faces, the one nearest to the middle among those at least half as large as the largest', () => {
  const face = (x: number, side: number) => ({
    box: { x, y: 100, width: side, height: side },
    landmarks: [],
    score: 1,
  });
  const size = { width: 640, height: 300 };
  const [middle, aside, small] = [face(280, 80), face(20, 100), face(310, 30)];
  assert.is(chosen([aside, middle, small], size), middle);
  assert.is(chosen([aside, small], size), aside);
  assert.is(chosen([], size), undefined);
});

test('another scaling changes distances by its share, and keeps norm 1', () => {
  const at = (alpha: number, seed: number) => {
    const raw = Array.from({ length: 127 }, (_, i) => Math.sin(seed * (i + 1)));
    const norm = Math.hypot(...raw);
    return [...raw.map(value => (value / norm) * Math.sqrt(alpha)), Math.sqrt(1 - alpha)];
  };
  const made = rescaled(at(0.863, 3), 0.746);
  assert.ok(made.every((value, i) => Math.abs(value - (at(0.746, 3)[i] as number)) < 1e-12));
});

test('the gate sees a wrong norm, two descriptions that differ, and swapped labels', () => {
  assert.is(normFault(1 + 1e-7), null);
  for (const norm of [0, 1.00001, Number.NaN, Number.POSITIVE_INFINITY])
    assert.match(normFault(norm) ?? '', /norm/);
  const [one, other] = [pictured(1, 1), pictured(1, 2)];
  assert.is(sameFault('both', one, [...one]), null);
  assert.match(sameFault('both', one, other) ?? '', /^both differ by a distance of 0\./);
  assert.ok(sameFault('both', one, []), 'nothing the second time');
  const good = picturesOf([3, 2, 2, 1]);
  assert.is(swapFault(good), null);
  const blind = { ...good, vectors: Float32Array.from(good.vectors, (_, i) => (i % 128 === 0 ? 1 : 0)) };
  assert.match(swapFault(blind) ?? '', /swapped labels do not move/);
  assert.match(swapFault(picturesOf([2, 1])) ?? '', /fewer than two people/);
});

test('a photo under a wrong label does not blind the gate', () => {
  const photo = (person: string, of: number, i: number) => ({ person, descriptor: pictured(of, i) });
  const lines = [photo('ann', 0, 1), photo('ann', 0, 2), photo('bob', 1, 1), photo('bob', 1, 2)];
  lines.push(photo('bob', 0, 2), photo('cid', 2, 1), photo('cid', 2, 2));
  assert.is(swapFault(gathered(lines).people), null);
});

test('one picture under two labels is reported, by its bytes and by its descriptor', () => {
  const lines = [0, 0, 1, 1, 2].map((p, i) => ({ person: `p${p}`, descriptor: pictured(p, i) }));
  const hashes = ['a', 'b', 'c', 'a', 'e'];
  const pairs = (of: typeof lines, by = hashes) =>
    lookAlikes(gathered(of).people, by).map(({ one, other }) => [one, other]);
  assert.equal(pairs(lines), [[0, 3]], 'the same file');
  const copied = lines.with(4, { person: 'p2', descriptor: lines[1]?.descriptor as number[] });
  assert.equal(pairs(copied, ['a', 'b', 'c', 'd', 'e']), [[1, 4]], 'saved anew');
  assert.equal(pairs(lines, ['a', 'a', 'c', 'd', 'e']), [], 'two files of one person may be the same');
});

test('changed pictures: accepted strangers, refused owners, unseen faces, and exchanged templates', () => {
  const face = (photo: number, person: number): Face => ({
    photo,
    templates: [1, 2, 3].map(i => pictured(person, i)),
    probes: [pictured(person, 4), null],
  });
  const all = [face(0, 0), face(0, 1), face(1, 2)];
  assert.is(faultIn(all), null);
  const { one_photo_accepted, two_photos_accepted, refused, tried, no_face } = changed(
    all,
    galleryOf(all, { templates: 1 }),
  );
  assert.equal([one_photo_accepted, two_photos_accepted], ['0/4', '0/8']);
  assert.equal([refused, tried, no_face], [0, 3, 3]);
  const twins = [face(0, 0), face(0, 0), face(1, 2)];
  const twin = changed(twins, galleryOf(twins, { templates: 1 }));
  assert.equal([twin.one_photo_accepted, twin.refused], ['4/4', 2]);
  const apart = galleryOf(all, { templates: 3 });
  assert.equal(
    apart.map(one => one.length),
    [3, 3, 3],
  );
  const first = galleryOf(all, { templates: 3, mean: true }, ([one]) => one as number[]);
  assert.equal(
    first.map(one => one.map(numbers => [...Array.from(numbers)])),
    all.map(one => [[...Array.from(one.templates[0] ?? [])]]),
    'one template, which the encoder makes',
  );
  const stale = all.map(one => ({
    ...one,
    templates: one.templates.map(numbers => Array.from(numbers, x => 2 * x)),
  }));
  assert.match(faultIn(stale) ?? '', /norm/);
  const blind = all.map(one => ({ ...one, templates: [pictured(9, 1)], probes: [pictured(9, 1)] }));
  assert.match(faultIn(blind) ?? '', /swapped templates are not noticed/);
});

test.run();
