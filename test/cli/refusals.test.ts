/** What the command line does not take: exit 2, one line that says what to write instead, and nothing happened. */
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { assertRefused, cli, json, madeDataDir, newDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: refusals');
const env = { DATA_DIR: await madeDataDir() };
let id = '';

test.before(async () => {
  id = (await json(['app', 'create', '--name', 'Kept', '--origin', 'https://kept.example'], env)).app.id;
});

/** The first row runs as a process. */
async function allRefused(rows: readonly (readonly [readonly string[], RegExp])[]): Promise<void> {
  const before = await within(['app', 'list', '--json'], env);
  for (const [index, [args, line]] of rows.entries()) {
    const ran = await (index === 0 ? cli : within)(args, env);
    assertRefused(ran, 2, line, JSON.stringify(args));
  }
  assert.equal(await within(['app', 'list', '--json'], env), before, 'nothing was made or changed');
}

test('unknown commands: the line says how to list those that exist', () =>
  allRefused([
    [['frobnicate'], /no command "frobnicate" \("help" lists all commands\)$/m],
    [['app'], /no command "app" \("help app" lists those of "app"\)$/m],
    [['app', 'rename', 'x', '--json'], /help app/],
    [['Serve'], /"Serve"/],
    [[''], /there is no command/],
  ]));

test('unknown options, missing words and words too many: the line says how the command is written', () =>
  allRefused([
    [['app', 'list', '--colour'], /'--colour'.*app list/],
    [['app', 'create', '--name'], /--name.*app create --name N/],
    [['app', 'show'], /app show APP_ID/],
    [['app', 'show', id, id], /app show APP_ID/],
    [['app', 'update', '--name', 'x'], /app update APP_ID/],
    [['app', 'update', id], /nothing to change.*--name.*--plan or --team; use: app update APP_ID/],
    [['app', 'delete', '--yes'], /app delete APP_ID/],
    [['app', 'create', '--name', 'x', '--first-party=yes'], /--first-party/],
    [['serve', 'now'], /serve/],
    [['key', 'revoke'], /key revoke KEY_ID/],
    [['signing-key', 'rotate', '--later'], /'--later'.*signing-key rotate/],
  ]));

test('options that are required, and those with few values', () => {
  const key = ['key', 'create', '--app', id];
  return allRefused([
    [['app', 'create'], /--name is required; use: app create --name N/],
    [['key', 'create', '--type', 'secret', '--mode', 'live'], /--app is required; use: key create --app ID/],
    [[...key, '--mode', 'live'], /--type is required/],
    [[...key, '--type', 'secret', '--json'], /--mode is required/],
    [
      [...key, '--type', 'public', '--mode', 'live'],
      /--type .*secret.*publishable.*"public"; use: key create/,
    ],
    [[...key, '--type', 'secret', '--mode', 'Live'], /--mode .*live.*test.*"Live"/],
    [['key', 'list'], /--app is required; use: key list --app ID/],
    [['app', 'delete', id], /--yes is required.*; use: app delete APP_ID --yes/],
    [['app', 'update', id, '--plan', 'gold'], /"gold".*free.*standard.*unlimited/],
  ]);
});

test('names: 1 to 100 characters without control characters or spaces around', async () => {
  const bad = ['', ' x', 'x ', 'a\nb', 'a\tb', '\u007f', '\u0085', '🙂'.repeat(101)];
  await allRefused(
    bad.map(name => [
      ['app', name === '' ? 'create' : 'update', ...(name === '' ? [] : [id]), `--name=${name}`],
      /--name/,
    ]),
  );
  const longest = '🙂'.repeat(100);
  assert.is((await json(['app', 'update', id, '--name', longest], env)).app.name, longest);
});

test('origins: the line has the corrected form where there is one', () => {
  const rows: [string, RegExp][] = [
    ['https://a.example/', /write https:\/\/a\.example\n/],
    ['https://A.example', /write https:\/\/a\.example\n/],
    ['https://a.example:443', /write https:\/\/a\.example\n/],
    ['http://a.example:80/path?x#y', /write http:\/\/a\.example\n/],
    ['https://user@a.example', /write https:\/\/a\.example\n/],
    ['https://a.example\n', /write https:\/\/a\.example\n/],
    ['https://bücher.example', /write https:\/\/xn--bcher-kva\.example\n/],
    ['https://*.example', /wildcard/],
    ['*', /wildcard/],
    ['null', /not an origin.*https:\/\/a\.example/],
    ['a.example', /not an origin.*https:\/\/a\.example/],
    ['file:///x', /not an origin/],
    ['', /not an origin/],
  ];
  return allRefused(
    rows.map(([origin, line], i) => [
      i % 2 === 0
        ? ['app', 'create', '--name', 'x', `--origin=https://good.example`, `--origin=${origin}`]
        : ['app', 'update', id, `--origin=${origin}`, '--json'],
      line,
    ]),
  );
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
