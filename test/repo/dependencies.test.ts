/** What the project pulls in: pinned exactly, locked in step, from no named registry, declared where it is used. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: dependencies');
const ROOT = join(import.meta.dirname, '../..');
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
}
interface Locked extends Manifest {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest: Manifest = JSON.parse(read('package.json'));
const lockText = read('package-lock.json');
const locked: Record<string, Locked> = JSON.parse(lockText).packages;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

test('every dependency is pinned exactly, here and in the bench', () => {
  const bench: Manifest = existsSync(join(ROOT, 'bench/package.json'))
    ? JSON.parse(read('bench/package.json'))
    : {};
  const all = [manifest, bench].flatMap(of => KINDS.flatMap(kind => Object.entries(of[kind] ?? {})));
  assert.ok(all.length > 10);
  assert.equal(
    all.filter(([, version]) => !EXACT.test(version)),
    [],
  );
});

test('the lock file is in step with package.json', () => {
  const root = locked[''] ?? {};
  for (const kind of KINDS) assert.equal(root[kind] ?? {}, manifest[kind] ?? {}, kind);
  for (const kind of KINDS)
    for (const [name, version] of Object.entries(manifest[kind] ?? {}))
      assert.is(locked[`node_modules/${name}`]?.version, version, name);
});

/** Whether a package that is installed at `place` finds the other one, in its own folder or one above. */
function finds(place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (locked[`${at}${at === '' ? '' : '/'}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

test('the lock file is complete, with the packages of other platforms: `npm ci` refuses it otherwise', () => {
  const missing = Object.entries(locked).flatMap(([place, one]) =>
    [...Object.keys(one.dependencies ?? {}), ...Object.keys(one.optionalDependencies ?? {})]
      .filter(name => !finds(place, name))
      .map(name => `${name}, which ${place} needs`),
  );
  assert.equal(missing, []);
});

test('the lock file names no registry, and has a checksum for everything', () => {
  const packages = Object.entries(locked).filter(([place]) => place !== '');
  assert.ok(packages.length > 50);
  assert.equal(
    packages.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place),
    [],
  );
  assert.not.match(lockText, /registry\.|\.tgz/);
  assert.equal(
    packages.filter(([, one]) => !one.link && !/^sha512-/.test(one.integrity ?? '')).map(([place]) => place),
    [],
  );
});

test('of all install scripts only the one that brings Node.js runs', () => {
  // That of esbuild would only save a few milliseconds a start: its program is in the package of the platform.
  // That of protobufjs, which an encoder's runtime in tests brings, only warns about version ranges.
  assert.equal(manifest.allowScripts, {
    node: true,
    'better-sqlite3': false,
    esbuild: false,
    protobufjs: false,
  });
  // npm before 11.17 does not know allowScripts. It reads from the lock file alone that there is nothing to compile, and
  // would need a compiler otherwise; newer ones drop the line when they write the file.
  const entry = locked['node_modules/better-sqlite3'] as { gypfile?: boolean } | undefined;
  assert.is(entry?.gypfile, false, 'package-lock.json: "gypfile": false of better-sqlite3');
});

test('what the code imports is declared: by src/ as a dependency of the program', () => {
  const rooms: [string, Record<string, string>][] = [
    ['src', { ...manifest.dependencies }],
    ['test', { ...manifest.dependencies, ...manifest.devDependencies }],
  ];
  const IMPORT = /^\s*(?:import|export)\b[^'"]*from '([^'.][^']*)';|\bimport\('([^'.][^']*)'\)/gm;
  for (const [room, declared] of rooms) {
    const used = new Set<string>();
    for (const file of globSync(`${room}/**/*.ts`, { cwd: ROOT }))
      for (const [, plain, late] of read(file).matchAll(IMPORT)) {
        const path = (plain ?? late) as string;
        const [scope = '', name = ''] = path.split('/');
        // What begins with a slash is an address inside a page.
        if (!isBuiltin(path) && !path.startsWith('/'))
          used.add(scope.startsWith('@') ? `${scope}/${name}` : scope);
      }
    assert.ok(used.size > 3, room);
    assert.equal(
      [...used].filter(name => !(name in declared)),
      [],
      room,
    );
  }
});

test.run();
