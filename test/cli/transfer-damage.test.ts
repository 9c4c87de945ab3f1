/**
 * Files that are not as they were written, and files that were sealed well and hold what cannot be: each is refused in one
 * line that repeats nothing of it, and nothing is written.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import { assertRefused, type Env, json, madeDataDir, tempFolder, within } from './process.ts';
import { APP, counts, fileOf, folderWith, newFile, read, withPass } from './transfer-given.ts';

const test = suite('cli: transfer, damaged');
let good: Buffer;
let lines: Json[];
let target: Env & { DATA_DIR: string };
let before: unknown;

test.before(async () => {
  const settings = await folderWith(50);
  const file = newFile();
  await json(['app', 'export', APP, file, '--events'], withPass(settings), within);
  lines = read(file);
  good = readFileSync(fileOf(lines));
  target = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Here before'], target, within);
  before = counts(target.DATA_DIR);
});

async function refused(file: string, line: RegExp, what: string, env = withPass(target)): Promise<void> {
  for (const more of [[], ['--check']]) {
    const ran = await within(['app', 'import', file, ...more], env);
    assertRefused(ran, 1, line, what);
    assert.not(/mail\.example|example\.com|Person \d/.test(ran.stderr), what);
  }
  assert.equal(counts(target.DATA_DIR), before, what);
}

function fileWith(bytes: Uint8Array): string {
  const file = newFile();
  writeFileSync(file, bytes);
  return file;
}

/** Where chunks begin, and the end. */
function chunkPlaces(): number[] {
  const places = [good.indexOf(10) + 1];
  for (;;) {
    const at = places.at(-1) as number;
    if (at === good.length) return places;
    places.push(at + 4 + good.readUInt32BE(at));
  }
}

test('what is no file', async () => {
  await refused(tempFolder(), /is not a file/, 'a folder');
  const pipe = join(tempFolder(), 'pipe');
  assert.is(spawnSync('mkfifo', [pipe]).status, 0);
  await refused(pipe, /is not a file/, 'a pipe that nobody writes');
});

test('a price of the passphrase that would take the memory is not paid', async () => {
  const body = good.subarray(good.indexOf(10) + 1);
  const head = JSON.parse(good.subarray(0, good.indexOf(10)).toString());
  for (const kdf of [
    { N: 2 ** 20, r: 8, p: 1 },
    { N: 2, r: 2 ** 22, p: 1 },
    { N: 2 ** 17, r: 8, p: 4 },
  ]) {
    const line = JSON.stringify({ ...head, kdf: { ...head.kdf, ...kdf } });
    const file = fileWith(Buffer.concat([Buffer.from(`${line}\n`), body]));
    const peak = process.resourceUsage().maxRSS;
    await refused(file, /does not open/, JSON.stringify(kdf));
    const grown = (process.resourceUsage().maxRSS - peak) / 1024;
    assert.ok(grown < 200, `${JSON.stringify(kdf)}: ${grown} MB`);
  }
});

test('cut anywhere', async () => {
  const places = chunkPlaces();
  assert.ok(places.length >= 4, `${places.length} places`);
  for (const at of [
    0,
    10,
    ...places.slice(0, -1),
    (places[0] as number) + 2,
    (places[1] as number) + 100,
    good.length - 1,
  ])
    await refused(fileWith(good.subarray(0, at)), /is not an export|is cut/, `cut at ${at}`);
});

test('a bit altered anywhere', async () => {
  const [first = 0, second = 0] = chunkPlaces();
  const head = good.indexOf(10);
  for (const at of [
    2,
    head - 5,
    head,
    first,
    first + 3,
    first + 4,
    first + 1_000,
    second - 1,
    second + 3,
    second + 500,
    good.length - 1,
  ]) {
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] as number) ^ 1;
    await refused(
      fileWith(bytes),
      /does not open|is damaged|is not an export|is cut|version/,
      `bit at ${at}`,
    );
  }
});

test('chunks in another order, twice, left out, or more behind the end', async () => {
  const [a = 0, b = 0, c = 0] = chunkPlaces();
  const part = (from: number, to?: number) => good.subarray(from, to);
  for (const [what, parts] of [
    ['exchanged', [part(0, a), part(b, c), part(a, b), part(c)]],
    ['twice', [part(0, b), part(a, b), part(b)]],
    ['left out', [part(0, a), part(b)]],
    ['behind the end', [good, part(a, b)]],
    ['bytes behind the end', [good, Buffer.of(0, 0)]],
  ] as [string, Buffer[]][])
    await refused(fileWith(Buffer.concat(parts)), /does not open|is damaged|is cut|goes on behind/, what);
});

test('another passphrase, another file, another version, and a price that nobody pays', async () => {
  const file = fileWith(good);
  const env = { ...target, EXPORT_PASSPHRASE: 'not the passphrase' };
  await refused(file, /does not open: the passphrase is another, or the file is damaged/, 'passphrase', env);
  await refused('/nowhere/x', /cannot be read/, 'missing');
  await refused(fileWith(Buffer.from('{"format":"other"}\n')), /is not an export/, 'other');
  await refused(fileWith(Buffer.from('null\n')), /is not an export/, 'null');
  const head = JSON.parse(good.subarray(0, good.indexOf(10)).toString());
  const headed = (change: object) =>
    fileWith(
      Buffer.concat([
        Buffer.from(`${JSON.stringify({ ...head, ...change })}\n`),
        good.subarray(good.indexOf(10) + 1),
      ]),
    );
  await refused(headed({ version: 2 }), /has version 2 of its format, this program reads 1/, 'version');
  await refused(headed({ kdf: { ...head.kdf, N: 2 ** 30 } }), /does not open/, 'N');
  await refused(headed({ kdf: { ...head.kdf, N: 3 } }), /does not open/, 'N is no power of two');
  await refused(headed({ kdf: { ...head.kdf, salt: '' } }), /does not open/, 'salt');
});

test('well sealed, and not as an app can be', async () => {
  const at = (type: string) => lines.findIndex(line => line.type === type);
  const [user, template] = [at('user'), at('template')];
  const end = lines.length - 1;
  const changed = (index: number, change: object) =>
    lines.map((line, i) => (i === index ? { ...line, ...change } : line));
  const without = (index: number) => lines.filter((_, i) => i !== index);
  const twice = (index: number) => [...lines.slice(0, index), lines[index], ...lines.slice(index)];
  const short = Buffer.alloc(508).toString('base64');
  for (const [what, content, line] of [
    ['no end', lines.slice(0, -1), /has no end/],
    ['behind the end', [...lines, lines[end]], /stands behind the end/],
    ['no app', without(0), /not in its place/],
    ['two apps', twice(0), /not in its place/],
    [
      'order',
      [lines[0], lines[template], ...lines.slice(1)],
      /\(template\) user_id: a user that is not there/,
    ],
    [
      'a user after templates',
      [...without(user).slice(0, template), lines[user], ...without(user).slice(template)],
      /not in its place|not there/,
    ],
    ['a user twice', twice(user), /\(user\) id, email: a user or an address/],
    [
      'an address twice',
      changed(user + 1, { email: lines[user].email.toUpperCase(), mode: lines[user].mode }),
      /a user or an address/,
    ],
    ['a template twice', twice(template), /\(template\) id: a template that was there before/],
    ['a template left out', without(template), /the file holds 199 templates and says 200/],
    ['counts', changed(end, { users: 1 }), /the file holds 100 users and says 1/],
    ['first counts', changed(0, { users: 1 }), /other counts than its first line/],
    ['an unknown type', changed(user, { type: 'toString' }), /line \d+ of the file is of no known type/],
    ['an id', changed(user, { id: 'usr_1' }), /\(user\) id: must be an id/],
    ['an address', changed(user, { email: 'nobody' }), /\(user\) email: must be one email address/],
    [
      'a time',
      changed(user, { created_at: '2026-13-01T00:00:00.000Z' }),
      /\(user\) created_at: must be a time/,
    ],
    ['a mode', changed(template, { mode: 'other' }), /\(template\) mode: must be live or test/],
    [
      'the mode of a template',
      changed(template, { mode: lines[template].mode === 'live' ? 'test' : 'live' }),
      /\(template\) user_id: a user that is not there/,
    ],
    [
      'a short descriptor',
      changed(template, { descriptor: short }),
      /\(template\) descriptor: must be 128 float32/,
    ],
    [
      'a descriptor of zeros',
      changed(template, { descriptor: Buffer.alloc(512).toString('base64') }),
      /must have norm 1/,
    ],
  ] as [string, Json[], RegExp][])
    await refused(fileOf(content), line, what);
});

test('the file itself is fine', async () => {
  const { users, templates } = await json(['app', 'import', fileWith(good)], withPass(target), within);
  assert.equal([users, templates], [100, 200]);
});

test.run();
