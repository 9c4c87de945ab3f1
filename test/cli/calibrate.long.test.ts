/** `calibrate` as an operator meets it: the report for people and for programs, the picture, and nothing else touched. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { easyFaces, hardFaces, rawFaces, writeLines } from '../support/labelled.ts';
import { assertLike, cli, json, newDataDir, tempFolder, text, within } from '../support/process.ts';
import { snippet } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: calibrate');
const folder = tempFolder();
const env = { DATA_DIR: newDataDir() };
const easy = writeLines(join(folder, 'easy.jsonl'), easyFaces(60, 4));
const raw = writeLines(join(folder, 'raw.jsonl'), rawFaces(60, 4));

test('people read rates with intervals, galleries, a threshold and a largest app', async () => {
  const printed = await text(['calibrate', easy], env);
  assert.match(printed, /easy\.jsonl: 240 descriptors of 60 persons; seed 1\n/);
  assert.match(printed, /Rule: distance below 0\.35, every other user at least 0\.04 farther away/);
  assert.match(printed, /Centring: not needed\./);
  assert.match(printed, /FMR, impostor +28,320 +0 +0 +below 1\.1e-4 /);
  assert.match(printed, /FNMR, genuine +360 +0 +0 +below 0\.829 % /);
  assert.match(
    printed,
    /No error: FMR below 1\.1e-4 if .* \(rule of three\), below 9\.5 % if only persons are\./,
  );
  assert.match(
    printed,
    /\nUSERS +FPIR +FNIR +AS ANOTHER USER +TRIALS\n1 .*\n10 .*\n59 .*\n100 .*extrapolated\n/,
  );
  assert.match(printed, /For an FMR of 1\.0e-4: threshold 0\.\d+ \(more than so few comparisons can show\)/);
  assert.match(printed, /Largest app at 0\.35 for an FPIR of 1 %: no limit seen; \d+ to be on the safe side/);
  assert.match(
    printed,
    /Note: It takes at least 30,000 impostor comparisons to show an FMR of 1\.0e-4; there are 28,320\./,
  );
  assert.not.ok(existsSync(env.DATA_DIR), 'no database is made');
});

test('raw descriptors: first of all it is said that the encoder has to centre, and what that gives', async () => {
  const printed = await text(['calibrate', raw], env);
  assert.match(
    printed,
    /CENTRING IS NEEDED: 100 % of the comparisons of different persons lie below 0\.35\./,
  );
  assert.match(printed, /in the adapter that makes the descriptors/);
  assert.match(printed, /Centred \(.*\): FMR 0 \(below .*\), FNMR 0 \(below .*\)\./);
  assert.ok(printed.indexOf('CENTRING') < printed.indexOf('One to one'));
});

test('programs get one document: rates, galleries, threshold, centring, notes', async () => {
  const report = await json(['calibrate', easy, '--fmr', '0.01', '--seed', '7'], env);
  const rate = (value: unknown) => (value as { errors: number; trials: number }) ?? {};
  assertLike(report.rule, { threshold: 0.35, margin: 0.04 });
  assert.equal([report.seed, report.persons, report.descriptors], [7, 60, 240]);
  assert.equal([rate(report.fmr).errors, rate(report.fmr).trials], [0, 28_320]);
  assert.equal(Object.keys(report.fmr), [
    'errors',
    'trials',
    'rate',
    'low',
    'high',
    'effective_trials',
    'rule_of_three',
  ]);
  assert.equal(
    report.identification.galleries.map((one: { users: number; extrapolated: boolean }) => [
      one.users,
      one.extrapolated,
    ]),
    [
      [1, false],
      [10, false],
      [59, false],
      ...[100, 1_000, 10_000, 100_000, 1_000_000].map(users => [users, true]),
    ],
  );
  assert.equal([report.wanted.fmr, report.wanted.certainty], [0.01, 'measured']);
  assert.ok(report.wanted.measured_fmr.rate <= 0.01 && report.wanted.threshold > 0.5);
  assert.equal([report.centring.verdict, report.plot, report.mean], ['not needed', null, null]);
  assert.equal(
    await json(['calibrate', easy, '--fmr', '0.01', '--seed', '7'], env, within),
    report,
    'by seed',
  );
  assert.is((await json(['calibrate', raw], env, within)).centring.verdict, 'needed');
});

test('the rule is that of the settings', async () => {
  const settings = { ...env, MATCH_THRESHOLD: '0.9', MATCH_THRESHOLD_UNSAFE: 'yes', MATCH_MARGIN: '0.01' };
  const { rule, fmr } = await json(['calibrate', easy], settings, within);
  assert.equal(rule, { threshold: 0.9, margin: 0.01 });
  assert.ok(fmr.rate > 0.05);
});

test('the picture: both histograms, the threshold and the DET curve, as an SVG by itself', async () => {
  const file = join(folder, 'plot.svg');
  assert.match(await text(['calibrate', raw, '--plot', file], env), new RegExp(`\nPlot: ${file}\n$`));
  const svg = readFileSync(file, 'utf8');
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
  assert.match(svg, /<\/svg>\n$/);
  for (const part of [
    'class="blue area" d="M',
    'class="ochre area" d="M',
    'class="black line" d="M',
    'class="green line dashed" d="M',
  ])
    assert.ok(svg.includes(part), part);
  for (const words of ['threshold 0.35', 'at 0.35: FMR 100 %, FNMR 0', '>centred<'])
    assert.ok(svg.includes(words), words);
  assert.not.match(svg, /NaN|Infinity|undefined|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
  const single = writeLines(join(folder, 'single.jsonl'), easyFaces(5, 1));
  await json(['calibrate', single, '--plot', file], env, within);
  assert.match(readFileSync(file, 'utf8'), /Needs both genuine and impostor comparisons/);
});

test('the mean that centring subtracts: 128 numbers, of ten persons or more', async () => {
  const file = join(folder, 'mean.json');
  const { mean } = await json(['calibrate', raw, '--mean', file], env, within);
  assert.is(mean, file);
  const written = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal([written.persons, written.descriptors, written.mean.length], [60, 240, 128]);
  const norm = Math.hypot(...written.mean);
  assert.ok(Math.abs(norm - 3) < 0.3, `the common part: ${norm}`);
  const few = writeLines(join(folder, 'few.jsonl'), easyFaces(9, 2));
  const ran = await within(['calibrate', few, '--mean', file], env);
  assert.is(ran.code, 1);
  assert.match(ran.stderr, /--mean needs at least 10 persons, the file has 9/);
});

test('what cannot be known is said: one person, one descriptor each, few persons, labels that look wrong', async () => {
  const notes = async (lines: readonly object[]) =>
    (await json(['calibrate', writeLines(join(folder, 'x.jsonl'), lines)], env, within)).notes.join('\n');
  assert.match(
    await notes(easyFaces(1, 4)),
    /only one person: FMR, FPIR, FNIR, a threshold and centring cannot be measured/,
  );
  assert.match(await notes(easyFaces(40, 1)), /only one descriptor: FNMR and FNIR cannot be measured/);
  const some = easyFaces(5, 3).filter(({ person }, n) => person !== 'person 2' || n % 3 === 0);
  assert.match(await notes(some), /Persons with only one descriptor: 1 of 5[\s\S]*5 persons are few/);
  const [first, ...rest] = easyFaces(31, 2);
  assert.match(
    await notes([first as object, { ...first, person: 'twin' }, ...rest]),
    /1 comparison of different persons lies below 0\.0001/,
  );
  assert.match(await notes([first as object, first as object, ...rest]), /a picture that is there twice/);
});

test('encoder and groups: named, and each group with its rates at both thresholds', async () => {
  const lines = [
    ...easyFaces(40, 3).map(line => ({ ...line, encoder: 'easy-128', group: 'plain' })),
    ...hardFaces(35, 3).map((line, n) => ({ ...line, group: 'hard', ...(n > 0 && { encoder: 'easy-128' }) })),
    ...easyFaces(5, 2, 6).map(line => ({ ...line, person: `few ${line.person}`, group: 'few' })),
    ...easyFaces(1, 2, 7).map(line => ({ ...line, person: 'alone' })),
  ];
  const file = writeLines(join(folder, 'groups.jsonl'), lines);
  const printed = await text(['calibrate', file, '--fmr', '0.01'], env);
  assert.match(printed, /\nEncoder: easy-128\n/);
  assert.match(
    printed,
    /\nBy group: FMR between its members, FNMR of its members\nGROUP +PERSONS +THRESHOLD +FMR +FNMR\n/,
  );
  assert.match(
    printed,
    /\nplain +40 +0\.35 +0 \(below .*; 0 of 7,020\) +0 \(below .*; 0 of 120\)\n +0\.\d+ /,
  );
  assert.match(printed, /\nfew +5 .* few persons\n/);
  assert.match(
    printed,
    /Note: FNMR is worse in one group: \d.* in "hard", .* in the others; the intervals do not overlap\./,
  );
  assert.match(printed, /Note: Fewer than 30 persons are in "few": too few to compare these groups\./);
  assert.match(printed, /Note: 1 person is in no group\./);
  assert.match(printed, /Note: 13 lines name no encoder: taken as "easy-128"\./);
  const report = await json(['calibrate', file, '--fmr', '0.01'], env, within);
  assert.is(report.encoder, 'easy-128');
  assert.equal(
    report.groups.map((one: { group: string; persons: number; few_persons: boolean }) => [
      one.group,
      one.persons,
      one.few_persons,
    ]),
    [
      ['plain', 40, false],
      ['hard', 35, false],
      ['few', 5, true],
    ],
  );
  const [plain, hard] = report.groups;
  assert.equal([plain.at_threshold.threshold, plain.at_threshold.fmr.trials], [0.35, 7_020]);
  assert.is(hard.at_wanted_fmr.threshold, report.wanted.threshold);
  assert.ok(hard.at_threshold.fnmr.rate > 0.2);
  const [difference] = report.group_differences.filter(({ rate }: { rate: string }) => rate === 'fnmr');
  assert.equal([difference.group, difference.in_group.rate], ['hard', hard.at_threshold.fnmr.rate]);
});

test('without groups and encoder nothing is said of them', async () => {
  const { encoder, groups, group_differences } = await json(['calibrate', easy], env, within);
  assert.equal([encoder, groups, group_differences], [null, null, null]);
  assert.not.match(await text(['calibrate', easy], env), /group|Encoder/);
});

test('two names that may be one person are listed, with what it means', async () => {
  const lines = easyFaces(40, 4).map((line, n) => (n < 2 ? { ...line, person: 'other name' } : line));
  const file = writeLines(join(folder, 'twins.jsonl'), lines);
  const printed = await text(['calibrate', file], env);
  assert.match(
    printed,
    /one person under two names\?\nPERSON +PERSON +DISTANCE +NEXT NEAREST\nother name +person 0 +0\.\d{3} +0\.\d{3}\n/,
  );
  assert.match(
    printed,
    /One person under two names counts as false matches and makes FMR look worse than it is\./,
  );
  const { look_alikes } = await json(['calibrate', file], env, within);
  assert.equal([look_alikes.length, look_alikes[0].persons], [1, ['other name', 'person 0']]);
  assert.ok(look_alikes[0].distance < 0.35 && look_alikes[0].next_nearest > 0.35);
  assert.equal((await json(['calibrate', easy], env, within)).look_alikes, []);
  assert.equal((await json(['calibrate', raw], env, within)).look_alikes, [], 'nobody is far');
});

test('it runs as a process on a file of many lines without an end of line, with empty ones between', async () => {
  const lines = easyFaces(400, 3).map(line => JSON.stringify({ ...line, extra: 'ignored' }));
  const file = join(folder, 'long.jsonl');
  writeFileSync(file, `\uFEFF${lines.join('\r\n\n')}`);
  const ran = await cli(['calibrate', file, '--json'], env);
  assert.equal([ran.code, ran.stderr], [0, '']);
  const { persons, descriptors, fmr } = JSON.parse(ran.stdout);
  assert.equal([persons, descriptors, fmr.trials], [400, 1_200, (1_200 * 1_197) / 2]);
});

test('the documented page collects what the command reads', async () => {
  const code = snippet('collect', { base: '' });
  const page = new Function(`${code}\nreturn { collect, saved };`)();
  for (const { person, descriptor } of easyFaces(3, 2)) page.collect(person, Float32Array.from(descriptor));
  const file = join(folder, 'collected.jsonl');
  writeFileSync(file, await page.saved().text());
  const { persons, descriptors } = await json(['calibrate', file], env, within);
  assert.equal([persons, descriptors], [3, 6]);
});

test.run();
