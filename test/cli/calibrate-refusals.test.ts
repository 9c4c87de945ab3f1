/** `calibrate` refuses what it cannot read: by the line's number, with field and fix, and never with its numbers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { easyFaces, type Line, textOfLines } from '../support/labelled.ts';
import { assertRefused, cli, newDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: calibrate refusals');
const folder = tempFolder();
const env = { DATA_DIR: newDataDir() };
const file = join(folder, 'lines.jsonl');
const good = textOfLines(easyFaces(2, 2));
const ones = (count: number, last: unknown = 1) => [...new Array(count - 1).fill(1), last];

const a = { person: 'a', descriptor: ones(128) };
const of = (...numbers: unknown[]) => ({ ...a, descriptor: numbers });

/** An object is written as one line of JSON. */
const bad: [string, object | string | Buffer, RegExp][] = [
  ['no JSON', '{"person": "a", "descriptor": [0.123456', /is not JSON: write one object per line/],
  ['a list', ones(128), /must be an object: \{"person"/],
  ['null', 'null', /must be an object/],
  ['no person', { descriptor: ones(128) }, /person: must be a string of 1 to 200/],
  ['an empty person', { ...a, person: '' }, /person: /],
  ['a number as person', { ...a, person: 7 }, /person: must be a string/],
  ['a long person', { ...a, person: 'x'.repeat(201) }, /person: /],
  ['no descriptor', { person: 'a' }, /descriptor: is required/],
  ['null as descriptor', { person: 'a', descriptor: null }, /descriptor: must be an array of exactly 128/],
  ['127 numbers', of(...ones(127)), /descriptor: must be an array of exactly 128 numbers/],
  ['a typed array', { ...a, descriptor: Float32Array.from(ones(128)) }, /descriptor: .*Array\.from/],
  ['a text among the numbers', of(...ones(128, 'one')), /descriptor\[127\]: must be a finite number/],
  [
    'a number beyond all',
    JSON.stringify(of(...ones(128, 9))).replace('9', '1e400'),
    /\[127\]: must be a finite/,
  ],
  ['zeros', of(...new Array(128).fill(0)), /descriptor: must not be \(nearly\) all zeros/],
  [
    ...(['an encoder that is no text', { ...a, encoder: 7 }] as const),
    /encoder: must be a string of 1 to 100 printable ASCII characters, or left out/,
  ],
  ['an encoder of other letters', { ...a, encoder: 'é' }, /encoder: must be a string/],
  ['an empty group', { ...a, group: '' }, /group: must be a string of 1 to 100 characters, or left out/],
  ['a long group', { ...a, group: 'x'.repeat(101) }, /group: must be/],
  ['null as group', { ...a, group: null }, /group: /],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8 text/],
  ['a line without an end', easyFaces(60, 2), /is longer than 64 KB: write one JSON object per line/],
];

for (const [what, line, wanted] of bad)
  test(`a bad line: ${what}`, async () => {
    const bytes = Buffer.isBuffer(line) || typeof line === 'string' ? line : JSON.stringify(line);
    writeFileSync(file, Buffer.concat([Buffer.from(good), Buffer.from(bytes as string), Buffer.from('\n')]));
    const ran = await (what === 'no JSON' ? cli : within)(['calibrate', file, '--json'], env);
    assertRefused(ran, 1, new RegExp(`line 5: .*${wanted.source}`), what);
    assert.not.match(ran.stderr, /0\.1234/, 'the numbers are not repeated');
  });

test('files that are not there, cannot be read or hold too little', async () => {
  const refused = async (name: string, wanted: RegExp) =>
    assertRefused(await within(['calibrate', name], env), 1, wanted, name);
  await refused(join(folder, 'none.jsonl'), /there is no file .*none\.jsonl/);
  await refused(folder, /cannot be read: EISDIR/);
  writeFileSync(file, '\n \n');
  await refused(file, /holds no descriptor: there is nothing to compare; give at least two persons/);
  writeFileSync(file, textOfLines(easyFaces(1, 1)));
  await refused(file, /holds one descriptor/);
  writeFileSync(file, good);
  const ran = await within(['calibrate', file, '--plot', join(folder, 'none', 'x.svg')], env);
  assertRefused(ran, 1, /x\.svg cannot be written: ENOENT/);
});

test('two encoders in a file: both are named, and the lines', async () => {
  const [a, b, c, d] = easyFaces(2, 2) as [Line, Line, Line, Line];
  const lines = [{ ...a, encoder: 'one-128' }, b, { ...c, encoder: 'one-128' }, { ...d, encoder: 'two-128' }];
  writeFileSync(file, textOfLines(lines));
  assertRefused(
    await within(['calibrate', file], env),
    1,
    /line 4: encoder: is "two-128", but line 1 has "one-128": .* use one file per encoder/,
  );
});

test('a person in two groups: both are named, and the line', async () => {
  const [a, b, c] = easyFaces(2, 2).map(line => ({ ...line, person: 'p1' }));
  writeFileSync(file, textOfLines([a as object, { ...b, group: 'women' }, { ...c, group: 'men' }]));
  assertRefused(
    await within(['calibrate', file], env),
    1,
    /line 3: group: "p1" is in "men" here, but in "women" on an earlier line: put each person in one group/,
  );
});

test('wrong options: exit 2, and the line says what to write', async () => {
  writeFileSync(file, good);
  const rows: [string[], RegExp][] = [
    [[], /use: calibrate FILE/],
    [[file, 'other'], /use: calibrate FILE/],
    [[file, '--fmr', '0'], /--fmr must be a rate between 0 and 1: 1e-4, not "0"; use: calibrate FILE/],
    [[file, '--fmr', '1'], /--fmr must be a rate/],
    [[file, '--fmr', 'x'], /--fmr must be a rate .*"x"/],
    [[file, '--fmr='], /--fmr must be a rate/],
    [[file, '--seed', '1.5'], /--seed must be a whole number from 0 to 4,294,967,295, not "1\.5"/],
    [[file, '--seed', '4294967296'], /--seed must be a whole number/],
    [[file, '--plot='], /--plot must name a file/],
    [[file, '--mean='], /--mean must name a file/],
    [[file, '--margin', '1'], /'--margin'.*calibrate FILE/],
  ];
  for (const [args, wanted] of rows)
    assertRefused(await within(['calibrate', ...args], env), 2, wanted, args.join(' '));
  const setting = await within(['calibrate', file], { ...env, MATCH_THRESHOLD: 'near' });
  assertRefused(setting, 2, /MATCH_THRESHOLD/);
});

test.run();
