/** Help: every command explains itself, and its examples are right. */
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { argumentsOf } from '../../src/cli/command.ts';
import { COMMANDS, GROUPS } from '../../src/cli/commands.ts';
import { findCommand, parse } from '../../src/cli/parse.ts';
import { widthOf } from '../../src/cli/text.ts';
import { cli, newDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: help');
const env = { DATA_DIR: newDataDir() };
const helpOf = async (...args: string[]) => {
  const ran = await within(args, env);
  assert.equal([ran.code, ran.stderr], [0, ''], args.join(' '));
  return ran.stdout;
};

for (const command of COMMANDS)
  test(`${command.name} --help: usage, what it does, every option, and examples that parse`, async () => {
    const text = await helpOf(...command.name.split(' '), '--help');
    const flat = text.replace(/\s+/g, ' ');
    assert.ok(flat.startsWith(`face-sign-in ${command.name} ${argumentsOf(command)}`.trimEnd()), text);
    assert.ok(flat.includes(command.about), 'about');
    assert.ok(command.about.endsWith('.'));
    for (const name of ['json', 'help', ...Object.keys(command.options ?? {})])
      assert.match(text, new RegExp(`^ {2}(?:-\\w, )?--${name}[ \\n]`, 'm'), name);
    for (const [name, { meaning, default: otherwise }] of Object.entries(command.options ?? {})) {
      assert.ok(flat.includes(meaning) && meaning.length > 10, name);
      if (otherwise !== undefined) assert.ok(flat.includes(`default: ${otherwise}`), name);
      assert.ok(argumentsOf(command).includes(`--${name}`), `${name} stands in the usage`);
    }
    for (const option of argumentsOf(command).match(/--[a-z-]+/g) ?? []) {
      const name = option.slice(2).replace(/^no-/, '');
      assert.ok(name in (command.options ?? {}), `${option} of the usage exists`);
    }
    for (const example of command.examples) {
      const words = example.split(' ');
      assert.is(findCommand(words), command, example);
      assert.is(parse(command, words.slice(command.name.split(' ').length)).help, false);
      assert.ok(text.includes(` ${example}\n`), example);
    }
    for (const line of text.split('\n')) assert.ok(widthOf(line) <= 80 || / cli -- /.test(line), line);
  });

test('the whole help is grouped, fits 80 columns, and names every command once', async () => {
  const text = await helpOf('--help');
  for (const line of text.split('\n')) assert.ok(widthOf(line) <= 80, line);
  for (const { title } of GROUPS) assert.match(text, new RegExp(`\\n\\n${title}\\n`));
  for (const { name } of COMMANDS) assert.is(text.split(`\n  ${name}`).length > 1, true, name);
  assert.is(new Set(COMMANDS.map(({ name }) => name)).size, COMMANDS.length);
  assert.not.match(text, /__complete/);
});

test('help COMMAND, COMMAND --help and -h are one; a group lists its commands', async () => {
  const one = await helpOf('app', 'create', '--help');
  for (const args of [
    ['help', 'app', 'create'],
    ['app', 'create', '-h'],
    ['app', 'create', '--name', 'x', '--help'],
  ])
    assert.is(await helpOf(...args), one, args.join(' '));
  const group = await helpOf('user', '--help');
  assert.match(group, /user list[\s\S]*user export/);
  assert.not.match(group, /app create/);
});

test('help and version: on stdout, under wrong settings and without making anything', async () => {
  const broken = { DATA_DIR: newDataDir(), PORT: 'nonsense', DATABASE_URL: 'nonsense' };
  const rows: [string[], RegExp][] = [
    [[], /\bserve\b[\s\S]*app create[\s\S]*--json/],
    [['--help'], /\bserve\b[\s\S]*key revoke KEY_ID[\s\S]*signing-key rotate/],
    [['app', 'update', '--help'], /app update APP_ID [\s\S]*--no-first-party/],
    [['serve', '-h'], /SIGTERM/],
    [['help', 'settings'], /^ {2}DATA_DIR +\(\.\/data\)\n.*[\s\S]*^ {2}LOG_LEVEL /m],
    [
      ['--version'],
      /^\d+\.\d+\.\d+(-[\w.]+)?\ncommit .*\nNode\.js +26\..*V8 .*\nSQLite +3\..*\nSIMD +128 bits.*\n$/,
    ],
  ];
  for (const [args, wanted] of rows) {
    const ran = await within(args, broken);
    assert.equal([ran.code, ran.stderr], [0, ''], args.join(' '));
    assert.match(ran.stdout, wanted, args.join(' '));
  }
  const { stdout } = await cli(['--version'], broken);
  assert.is(stdout.split('\n')[0], manifest.version);
  for (const args of [
    ['--version', '--json'],
    ['--json', '--version'],
  ]) {
    const { version, node, simd } = JSON.parse((await within(args, broken)).stdout);
    assert.equal([version, node], [manifest.version, process.versions.node]);
    assert.ok(['relaxed', 'simd'].includes(simd));
  }
  assert.not.ok(existsSync(broken.DATA_DIR));
});

test.run();
