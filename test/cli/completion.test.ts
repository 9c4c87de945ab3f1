/**
 * Completion in the shells themselves: what is offered where. bash must be there; zsh is tried where it is
 * installed, and the count of tests, and a line, tell where they are not.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.ts';
import { offersOf } from '../../src/cli/completion/table.ts';
import type { Json } from '../support/client.ts';
import { environment, json, madeDataDir, newDataDir, ROOT, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: completion');
const env = { DATA_DIR: await madeDataDir() };
const folder = tempFolder();
const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];
const isThere = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;
const tried = SHELLS.filter(isThere);
let app = '';

test.before(async () => {
  app = (await json(['app', 'create', '--name', 'Shop'], env)).app.id;
  const program = join(folder, 'face-sign-in');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/src/main.ts" "$@"\n`);
  chmodSync(program, 0o700);
  writeFileSync(join(folder, 'a backup.db'), '');
  for (const shell of SHELLS) {
    const { script } = await json(['completion', shell], env, within);
    writeFileSync(join(folder, `script.${shell}`), script);
  }
});

/** Calls the function as the shell does at TAB, behind the last word; prints what it offers, a line each. */
const AT_TAB: Record<Shell, string> = {
  bash: `source script.bash
    read -r _ _ function _ <<< "$(complete -p face-sign-in)"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    $function face-sign-in "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The completion system proper needs a terminal: its three verbs are stood in for.
  zsh: `compdef() { :; }
    compset() { :; }
    compadd() { shift; print -l -- "$@"; }
    _files() { print -l -- *; }
    source ./script.zsh
    words=("$@"); CURRENT=$#
    _face_sign_in`,
};

/** What is offered that begins with the last word. */
function offered(shell: Shell, ...words: string[]): string[] {
  const line = ['face-sign-in', ...words];
  const flags = { bash: ['--norc', '-c'], zsh: ['-f', '-c'] }[shell];
  const ran = spawnSync(shell, [...flags, AT_TAB[shell], shell, ...line], {
    cwd: folder,
    env: { ...environment(env), HOME: folder, PATH: `${folder}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  assert.is(ran.stderr, '', `${shell}: ${line.join(' ')}`);
  const last = (words.at(-1) ?? '').replace(/^--\w+=/, '');
  return ran.stdout
    .split('\n')
    .map(found => found.replace(/^--\w+=/, '').replaceAll('\\', ''))
    .filter(found => found !== '' && found.startsWith(last))
    .sort();
}

const firsts = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] as string)), 'help'].sort();

for (const shell of tried) {
  const has = (words: string[], wanted: string[]) =>
    assert.equal(offered(shell, ...words), [...wanted].sort(), `${shell}: ${words.join(' ')}`);

  test(`${shell}: commands, their second and third words, and options of each`, () => {
    has([''], firsts);
    has(['user', ''], ['list', 'show', 'delete', 'export']);
    has(['us'], ['user']);
    has(
      ['user', 'list', '--'],
      ['--app', '--mode', '--email', '--contains', '--limit', '--cursor', '--json', '--help'],
    );
    has(['user', 'list', '--json', '--l'], ['--limit']);
    has(['serve', '--'], ['--json', '--help']);
    has(['app', 'enc'], ['encoder']);
    has(['app', 'encoder', ''], ['show', 'set', 'reset']);
    has(['app', 'encoder', 'reset', '--e'], ['--encoder', '--erase-templates']);
    has(['app', 'encoder', 'show', '--mode', ''], ['live', 'test']);
  });

  test(`${shell}: fixed values, of options and of words`, () => {
    has(['key', 'create', '--app', 'x', '--mode', ''], ['live', 'test']);
    has(['key', 'create', '--type', 'p'], ['publishable']);
    has(['completion', ''], ['bash', 'zsh']);
    has(['job', 'run', 'ret'], ['retention']);
    has(['events', '--type', 'match'], ['match', 'match_failed', 'match_limited']);
    if (shell === 'bash') has(['events', '--mode', '=', 'li'], ['live']);
    else has(['events', '--mode=li'], ['live']);
  });

  test(`${shell}: files where files are expected, ids of apps where apps are, nothing where anything may stand`, () => {
    for (const words of [
      ['backup', 'a'],
      ['user', 'export', 'usr_1', 'a'],
      ['restore', 'x', '--erasures', 'a'],
    ])
      has(words, ['a backup.db']);
    has(['app', 'show', ''], [app]);
    has(['user', 'list', '--app', 'app_'], [app]);
    has(['user', 'list', '--email', 'a'], []);
    has(['user', 'show', 'a'], []);
  });
}

test('the shells that were tried', () => {
  const missing = SHELLS.filter(shell => !tried.includes(shell));
  console.log(
    `completion tried in ${tried.join(', ')}; ${missing.length} not tried, as they are not installed${missing.map(shell => `: ${shell}`).join('')}`,
  );
  assert.ok(tried.includes('bash'));
});

test('the query for ids makes no database and is silent about every fault', async () => {
  const none = { DATA_DIR: newDataDir() };
  for (const [args, settings] of [
    [['__complete', 'apps'], none],
    [['__complete', 'nothing'], env],
    [['__complete'], env],
    [['__complete', 'apps'], { ...env, PORT: 'nonsense' }],
  ] as const) {
    const ran = await within(args, settings);
    assert.equal([ran.code, ran.stdout, ran.stderr], [0, '', ''], args.join(' '));
  }
  assert.not.ok(existsSync(none.DATA_DIR));
  const ran = await within(['__complete', 'apps'], env);
  assert.is(ran.stdout, `${app}\n`);
});

test('every command and every option is in every script', async () => {
  for (const shell of SHELLS) {
    const script = (await json(['completion', shell], env, within)).script as string;
    for (const { path, options } of offersOf(COMMANDS)) {
      assert.ok(script.includes(`'${path}'`), `${shell}: ${path}`);
      for (const { name } of options) assert.ok(script.includes(name.slice(2)), `${shell}: ${path} ${name}`);
    }
  }
  const text: Json = execFileSync(process.execPath, ['src/main.ts', 'completion', 'bash'], {
    cwd: ROOT,
    env: environment(env),
    encoding: 'utf8',
  });
  assert.match(text, /^# bash completion[\s\S]*\ncomplete -F _face_sign_in face-sign-in\n$/);
});

test.run();
