/**
 * Completion: what the program offers where, and that the shells themselves show it. bash must be there; zsh is tried
 * where it is installed, and the count of tests, and a line, tell where they are not.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.ts';
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

/** What is offered behind these words, of which the last is not complete. */
async function offers(...words: string[]): Promise<string[]> {
  const ran = await within(['__complete', ...words], env);
  assert.equal([ran.code, ran.stderr], [0, ''], words.join(' '));
  return ran.stdout.split('\n').filter(Boolean).sort();
}

const firsts = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] as string)), 'help'].sort();
const has = async (words: string[], wanted: string[]) =>
  assert.equal(await offers(...words), [...wanted].sort(), words.join(' '));

test('commands, their second and third words, and options of each', async () => {
  await has([''], firsts);
  await has(['-'], ['--json', '--help', '--version']);
  await has(['user', ''], ['list', 'show', 'delete', 'export']);
  await has(['us'], ['user']);
  await has(['app', 'enc'], ['encoder']);
  await has(['app', 'encoder', ''], ['show', 'set', 'reset']);
  await has(['user', 'list', '--json', '--l'], ['--limit']);
  await has(['serve', ''], ['--json', '--help']);
  for (const { name, options = {} } of COMMANDS)
    await has(
      [...name.split(' '), '--'],
      [...Object.keys(options), 'json', 'help'].map(one => `--${one}`),
    );
});

test('fixed values, of options and of words', async () => {
  await has(['key', 'create', '--app', 'x', '--mode', ''], ['live', 'test']);
  await has(['key', 'create', '--type', 'p'], ['publishable']);
  await has(['completion', ''], ['bash', 'zsh']);
  await has(['job', 'run', 'ret'], ['retention']);
  await has(['events', '--type', 'match'], ['match', 'match_failed', 'match_limited']);
  for (const words of [['--mode=li'], ['--mode', '=', 'li'], ['--app', '=', 'x', '--mode', 'li']])
    await has(['events', ...words], ['live']);
  await has(['events', '--mode', '='], ['live', 'test']);
});

test('files where files are expected, ids of apps where apps are, nothing where anything may stand', async () => {
  for (const words of [
    ['backup', 'a'],
    ['user', 'export', 'usr_1', 'a'],
    ['restore', 'x', '--erasures', 'a'],
  ])
    await has(words, [':files']);
  await has(['app', 'show', ''], [app]);
  await has(['user', 'list', '--app', 'app_'], [app]);
  await has(['user', 'list', '--email', 'a'], []);
  await has(['user', 'show', 'a'], []);
});

for (const shell of tried)
  test(`${shell} offers what the program answers, and its own files`, () => {
    const shows = (words: string[], wanted: string[]) =>
      assert.equal(offered(shell, ...words), wanted, `${shell}: ${words.join(' ')}`);
    shows([''], firsts);
    shows(['app', 'encoder', 'reset', '--e'], ['--encoder', '--erase-templates']);
    if (shell === 'bash') shows(['events', '--mode', '=', 'li'], ['live']);
    else shows(['events', '--mode=li'], ['live']);
    shows(['restore', 'x', '--erasures', 'a'], ['a backup.db']);
    shows(['user', 'list', '--app', 'app_'], [app]);
    shows(['user', 'show', 'a'], []);
  });

test('the shells that were tried', () => {
  const missing = SHELLS.filter(shell => !tried.includes(shell));
  console.log(
    `completion tried in ${tried.join(', ')}; ${missing.length} not tried, as they are not installed${missing.map(shell => `: ${shell}`).join('')}`,
  );
  assert.ok(tried.includes('bash'));
});

test('the query makes no database and is silent about every fault', async () => {
  const none = { DATA_DIR: newDataDir() };
  for (const settings of [none, { ...env, PORT: 'nonsense' }]) {
    const ran = await within(['__complete', 'app', 'show', ''], settings);
    assert.equal([ran.code, ran.stdout, ran.stderr], [0, '', '']);
  }
  assert.not.ok(existsSync(none.DATA_DIR));
});

test('the script is printed as it is', () => {
  const text = execFileSync(process.execPath, ['src/main.ts', 'completion', 'bash'], {
    cwd: ROOT,
    env: environment(env),
    encoding: 'utf8',
  });
  assert.match(text, /^# bash completion[\s\S]*\ncomplete -F _face_sign_in face-sign-in\n$/);
});

test.run();
