/** What people see: columns that hold, colours only where they belong, and names that cannot steer the terminal. */
import { PassThrough } from 'node:stream';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { paintFor } from '../../src/cli/paint.ts';
import { count, listing, table } from '../../src/cli/table.ts';
import { harmless, when, widthOf, wrap } from '../../src/cli/text.ts';
import { cli, json, madeDataDir, newDataDir, text } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: output');
const ESC = '\u001b';

test('a text takes the columns that a terminal gives it', () => {
  const rows: [string, number][] = [
    ['', 0],
    ['Ada', 3],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['日本語', 6],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['🙂', 2],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    [`${ESC}[31mred${ESC}[39m`, 3],
  ];
  for (const [of, columns] of rows) assert.is(widthOf(of), columns, JSON.stringify(of));
});

test('columns hold under wide names; numbers stand at the right', () => {
  const lines = table([
    ['日本', count(1_234_567), 'x'],
    ['Ada', count(5), 'y'],
    ['🙂', count(42), ''],
  ]).split('\n');
  assert.equal(lines, ['日本  1,234,567  x', 'Ada           5  y', '🙂           42']);
  assert.is(listing(['NAME', 'N'], [['a', count(7)]]), 'NAME  N\na     7');
});

test('what would steer a terminal is shown instead', () => {
  assert.is(harmless(`a${ESC}[2Jb\n\r\t\u0007\u007f\u0085`), 'a␛[2Jb␊␍␉␇␡\uFFFD');
  assert.is(harmless('ab\u202egpj.exe\u2066\ud800'), 'ab\uFFFDgpj.exe\uFFFD\uFFFD');
  assert.is(harmless('a\u200bb\u2060c\ufeff'), 'a\uFFFDb\uFFFDc\uFFFD');
  assert.is(harmless('Zoë 日本 👩‍👩‍👧 שלום'), 'Zoë 日本 👩‍👩‍👧 שלום');
  assert.is(table([[`${ESC}]0;x\u0007`, 'y']]), '␛]0;x␇  y');
});

test('times are shown in one form; long texts break between words', () => {
  assert.is(when(Date.parse('2026-03-15T12:00:01.999Z')), '2026-03-15 12:00:01 UTC');
  assert.is(when(null), 'never');
  assert.is(wrap('one two three four', 9, '  '), 'one two\n  three\n  four');
});

test('an app that is named to steer the terminal does not, in any table', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  const { app } = await json(['app', 'create', '--name', 'Shop'], env);
  const database = new Database(`${env.DATA_DIR}/face-sign-in.db`);
  const evil = `${ESC}[31m${ESC}]0;owned\u0007\u202eShop`;
  database.prepare('UPDATE apps SET name = ?, plan = ?').run(evil, evil);
  database.close();
  for (const args of [['app', 'list'], ['app', 'show', app.id], ['stats']]) {
    const printed = await text(args, env);
    assert.ok(printed.includes('␛[31m'), printed);
    for (const control of [ESC, '\u0007', '\u202e']) assert.not(printed.includes(control), args.join(' '));
  }
  assert.is((await json(['app', 'show', app.id], env)).app.name, evil, 'programs get it as it is stored');
});

test('colours: on a terminal, with FORCE_COLOR, and never in a pipe, with NO_COLOR or with --json', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Shop'], env);
  const coloured = async (args: string[], more = {}) =>
    (await cli(args, { ...env, ...more })).stdout.includes(ESC);
  assert.is(await coloured(['app', 'list']), false, 'a pipe');
  assert.is(await coloured(['app', 'list'], { FORCE_COLOR: '1' }), true);
  assert.is(await coloured(['app', 'list', '--json'], { FORCE_COLOR: '1' }), false);
  const { stdout } = await cli(['doctor'], { ...env, FORCE_COLOR: '1', MAIL_URL: 'file:none' });
  assert.ok(stdout.includes(`${ESC}[32mok${ESC}[39m`), stdout);
  const stream = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 });
  const saved = [process.env.NO_COLOR, process.env.FORCE_COLOR] as const;
  delete process.env.NO_COLOR;
  delete process.env.FORCE_COLOR;
  try {
    assert.is(paintFor(stream)('red', 'x'), `${ESC}[31mx${ESC}[39m`, 'a terminal');
    assert.is(paintFor(new PassThrough())('red', 'x'), 'x', 'no terminal');
    assert.is(
      paintFor(Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 1 }))('red', 'x'),
      'x',
    );
    assert.is(paintFor(undefined)('red', 'x'), 'x');
  } finally {
    if (saved[0] !== undefined) process.env.NO_COLOR = saved[0];
    if (saved[1] !== undefined) process.env.FORCE_COLOR = saved[1];
  }
});

test('doctor paints what is wrong red', async () => {
  const { stdout, code } = await cli(['doctor'], { DATA_DIR: newDataDir(), FORCE_COLOR: '1' });
  assert.is(code, 1);
  assert.ok(stdout.includes(`${ESC}[31mFAIL${ESC}[39m`), stdout);
});

test.run();
