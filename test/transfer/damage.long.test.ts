/**
 * Files that are not as they were written, and files that were sealed well and hold what cannot be: each is refused in one
 * line that repeats nothing of it, and nothing is written.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armor, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { assertRefused, type Env, json, madeDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, counts, fileOf, fileOfText, folderWith, newFile, read, withPass } from './given.ts';

const test = suite('transfer: damaged');
let good: Buffer;
let lines: Json[];
let target: Env & { DATA_DIR: string };
let before: unknown;

test.before(async () => {
  const settings = await folderWith(50);
  const file = newFile();
  await json(['app', 'export', APP, file, '--events'], withPass(settings), within);
  lines = await read(file);
  good = readFileSync(await fileOf(lines));
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

/** age's own sizes: 64 KB and a tag each, behind the header and a nonce. */
const CHUNK = 64 * 1024 + 16;
const headerEnd = () => good.indexOf('\n', good.indexOf('\n---') + 1) + 1;

/** Where chunks begin, and the end. */
function chunkPlaces(): number[] {
  const places: number[] = [];
  for (let at = headerEnd() + 16; at < good.length; at += CHUNK) places.push(at);
  return [...places, good.length];
}

/** The good file, with another work factor in its header. */
function priced(workFactor: number | string): string {
  const header = good.subarray(0, headerEnd()).toString();
  const changed = header.replace(/^(-> scrypt \S+) \d+$/m, `$1 ${workFactor}`);
  assert.is.not(changed, header);
  return fileWith(Buffer.concat([Buffer.from(changed), good.subarray(headerEnd())]));
}

test('what is no file', async () => {
  await refused(tempFolder(), /is not a regular file/, 'a folder');
  const pipe = join(tempFolder(), 'pipe');
  assert.is(spawnSync('mkfifo', [pipe]).status, 0);
  await refused(pipe, /is not a regular file/, 'a pipe that nobody writes');
});

test('a price of the passphrase that would take the memory is not paid, and what age asks for is', async () => {
  for (const workFactor of [19, 20, 30, 99]) {
    const peak = process.resourceUsage().maxRSS;
    const line = new RegExp(`scrypt work factor ${workFactor}, .* at most 18`);
    await refused(priced(workFactor), line, `work factor ${workFactor}`);
    const grown = (process.resourceUsage().maxRSS - peak) / 1024;
    assert.ok(grown < 200, `work factor ${workFactor}: ${grown} MB`);
  }
  // The key of another price opens nothing, so it was made.
  const ran = await within(['app', 'import', priced(18), '--check'], withPass(target));
  assertRefused(ran, 1, /does not open: the passphrase is wrong/);
  for (const wrong of [0, '018', '1e1', 100, '-1', ''])
    await refused(priced(wrong), /is damaged, or encrypted without a passphrase/, `work factor ${wrong}`);
});

test('cut anywhere', async () => {
  const places = chunkPlaces();
  assert.ok(places.length >= 4, `${places.length} places`);
  for (const at of [
    0,
    10,
    60,
    headerEnd(),
    headerEnd() + 2,
    ...places.slice(0, -1),
    (places[0] as number) + 2,
    (places[1] as number) + 100,
    good.length - 1,
  ])
    await refused(fileWith(good.subarray(0, at)), /is not an export|is damaged|is cut/, `cut at ${at}`);
});

test('a bit altered anywhere', async () => {
  const [first = 0, second = 0] = chunkPlaces();
  const scrypt = good.indexOf('scrypt');
  for (const at of [
    2,
    scrypt + 2,
    scrypt + 10,
    headerEnd() - 60,
    headerEnd() - 5,
    headerEnd() - 1,
    headerEnd() + 3,
    first,
    first + 1_000,
    second - 1,
    second,
    second + 500,
    good.length - 1,
  ]) {
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] as number) ^ 1;
    await refused(fileWith(bytes), /does not open|is damaged|is not an export|is cut/, `bit at ${at}`);
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
    await refused(fileWith(Buffer.concat(parts)), /is cut or damaged/, what);
});

test('another passphrase, and files that are no exports', async () => {
  const env = { ...target, EXPORT_PASSPHRASE: 'not the passphrase' };
  const line = /does not open: the passphrase is wrong, or the file is damaged/;
  await refused(fileWith(good), line, 'passphrase', env);
  await refused('/nowhere/x', /cannot be read/, 'missing');
  await refused(
    fileWith(Buffer.from('{"type":"app"}\n')),
    /is not an export: choose a file/,
    'not encrypted',
  );
  await refused(fileWith(Buffer.from(armor.encode(good))), /is armored: .* without --armor/, 'armored');
  const toKey = new Encrypter();
  toKey.addRecipient(await identityToRecipient(await generateIdentity()));
  await refused(fileWith(await toKey.encrypt('x')), /encrypted without a passphrase/, 'to a key');
  const endless = fileWith(Buffer.from('age-encryption.org/v1\n'));
  truncateSync(endless, 2 ** 33);
  await refused(endless, /encrypted without a passphrase/, 'a header of 8 GB');
});

test('well encrypted, and not lines of JSON', async () => {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  for (const [what, content, line] of [
    ['nothing', '', /has no end/],
    ['no line feed at the end', text.slice(0, -1), /ends within a line/],
    ['text', 'canary\n', /a line that is not JSON/],
    ['an empty line', `\n${text}`, /a line that is not JSON/],
    ['a line of 70 KB', `"${'x'.repeat(70_000)}"\n`, /a line that is too long/],
    ['200 KB of a line without an end', 'x'.repeat(200_000), /a line that is too long/],
  ] as [string, string, RegExp][])
    await refused(await fileOfText(content), line, what);
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
    ['behind the end', [...lines, lines[end]], /comes after the end/],
    ['no app', without(0), /out of order/],
    ['two apps', twice(0), /out of order/],
    [
      'order',
      [lines[0], lines[template], ...lines.slice(1)],
      /\(template\) user_id: a user that is not in the file/,
    ],
    [
      'a user after templates',
      [...without(user).slice(0, template), lines[user], ...without(user).slice(template)],
      /out of order|not in the file/,
    ],
    ['a user twice', twice(user), /\(user\) id, email: a user or an address/],
    [
      'an address twice',
      changed(user + 1, { email: lines[user].email.toUpperCase(), mode: lines[user].mode }),
      /a user or an address/,
    ],
    ['a template twice', twice(template), /\(template\) id: a template that occurred before/],
    ['a template left out', without(template), /the file contains 199 templates, but its last line says 200/],
    ['another version', changed(0, { version: 2 }), /line 1 .*\(app\) version: must be 1: .*newer release/],
    ['counts', changed(end, { users: 1 }), /the file contains 100 users, but its last line says 1/],
    ['first counts', changed(0, { users: 1 }), /the counts in the first line/],
    ['an unknown type', changed(user, { type: 'toString' }), /line \d+ of the file has an unknown type/],
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
      /\(template\) user_id: a user that is not in the file/,
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
    await refused(await fileOf(content), line, what);
});

test('the file itself is fine', async () => {
  const { users, templates } = await json(['app', 'import', fileWith(good)], withPass(target), within);
  assert.equal([users, templates], [100, 200]);
});

test.run();
