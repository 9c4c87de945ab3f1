/** The browser package as it is published: packed, installed into an empty folder, imported, and compiled against. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { type Built, buildPackage } from '../../src/sdk/build/build.ts';
import { bundleModules } from '../../src/sdk/build/bundle.ts';
import { PACKAGES, type SdkPackage } from '../../src/sdk/build/packages.ts';
import { VERSION } from '../../src/version.ts';
import { suite } from '../support/suite.ts';
import { compiled } from './examples-support.ts';

const test = suite('browser SDK: package');
const run = promisify(execFile);
const browser = PACKAGES.find(({ folder }) => folder === 'browser') as SdkPackage;
let folder: string;
let built: Built;
let packed: string[];
/** An application of somebody else, which has the package installed. */
let app: string;
// biome-ignore lint/suspicious/noExplicitAny: a manifest, as npm reads it
let manifest: any;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'face-sign-in-package-'));
  built = await buildPackage(browser, join(folder, 'dist'));
  const { stdout } = await run('npm', ['pack', '--offline', '--json', '--pack-destination', folder], {
    cwd: built.folder,
  });
  const [archive] = JSON.parse(stdout);
  packed = archive.files.map(({ path }: { path: string }) => path);
  app = join(folder, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, archive.filename)], {
    cwd: app,
  });
  manifest = JSON.parse(readFileSync(join(app, 'node_modules', browser.name, 'package.json'), 'utf8'));
});
test.after(() => rm(folder, { recursive: true, force: true }));

const installed = (file = '') => join(app, 'node_modules', browser.name, file);

/** What a script of the application prints, as JSON. */
async function inApp(script: string): Promise<unknown> {
  await writeFile(join(app, 'script.js'), script);
  return JSON.parse((await run(process.execPath, ['script.js'], { cwd: app })).stdout);
}

test('it needs nothing, and brings its licence and a README', () => {
  assert.equal(
    [manifest.name, manifest.version, manifest.type],
    ['@face-sign-in/browser', VERSION, 'module'],
  );
  assert.is(manifest.dependencies, undefined);
  assert.ok(
    Object.values(manifest.peerDependenciesMeta).every(peer => (peer as { optional: boolean }).optional),
  );
  const lock = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'));
  assert.equal(
    Object.keys(lock.packages).filter(place => place.startsWith('node_modules/')),
    ['node_modules/@face-sign-in/browser'],
  );
  for (const file of ['LICENSE', 'README.md', 'frameworks.md', 'face-sign-in.js', 'index.js', 'testing.js'])
    assert.ok(packed.includes(file), file);
  for (const file of packed)
    assert.match(
      file,
      /^(LICENSE|README\.md|camera\.md|frameworks\.md|package\.json|[\w/-]+(\.d\.ts|\.js))$/,
    );
});

test('its types speak of nothing that is not in it', () => {
  const types = globSync('types/**/*.d.ts', { cwd: installed() });
  assert.ok(types.length > 10);
  for (const name of types)
    assert.not.match(readFileSync(installed(name), 'utf8'), /\btest\/|\.test\.ts/, name);
});

test('every way in that the manifest names is there, with types, and is imported without a page', async () => {
  const ways = Object.entries<Record<string, string>>(manifest.exports).filter(
    ([, to]) => typeof to === 'object',
  );
  assert.equal(
    ways.map(([path]) => path),
    browser.entries.map(entry => entry.path),
  );
  for (const [, { types = '', default: code = '' }] of ways)
    for (const file of [types, code]) assert.ok(packed.includes(file.replace('./', '')), file);
  const still = browser.entries
    .filter(entry => !entry.acts)
    .map(({ path }) => `${browser.name}${path.slice(1)}`);
  const names = await inApp(
    `const ways = ${JSON.stringify(still)};
     const all = await Promise.all(ways.map(way => import(way)));
     console.log(JSON.stringify(Object.fromEntries(ways.map((way, n) => [way, Object.keys(all[n]).sort()]))));`,
  );
  const {
    '@face-sign-in/browser': main,
    '@face-sign-in/browser/testing': testing,
    ...more
  } = names as Record<string, string[]>;
  assert.equal(main, ['FaceSignInError', 'SENTENCES', 'createClient']);
  assert.equal(testing, ['captureWithoutCamera', 'syntheticEncoder', 'syntheticFaces']);
  for (const [way, exported] of Object.entries(more)) assert.ok(exported.length > 0, way);
});

test('errors of one way in are errors of the other', async () => {
  const results = await inApp(
    `import { FaceSignInError } from "@face-sign-in/browser";
     import { captureWithoutCamera, syntheticEncoder } from "@face-sign-in/browser/testing";
     const encoder = syntheticEncoder({ person: null });
     const error = await captureWithoutCamera({ encoder, count: 1 }).catch(error => error);
     console.log(JSON.stringify([error instanceof FaceSignInError, error.code]));`,
  );
  assert.equal(results, [true, 'no_face']);
});

test('the script makes one global variable, with what the modules export', () => {
  const context = createContext({ setTimeout, clearTimeout, URL });
  const before = runInContext('Object.getOwnPropertyNames(globalThis)', context);
  runInContext(readFileSync(installed('face-sign-in.js'), 'utf8'), context);
  const after: string[] = [...runInContext('Object.getOwnPropertyNames(globalThis)', context)];
  assert.equal(
    after.filter(name => !before.includes(name)),
    ['FaceSignIn'],
  );
  const names: string[] = runInContext('Object.keys(FaceSignIn)', context);
  for (const name of ['createClient', 'FaceSignInElement', 'SENTENCES', 'faceApiEncoder', 'onnxEncoder'])
    assert.ok(names.includes(name), name);
});

const CONSUMER = `
import { createClient, FaceSignInError, type FaceSignInErrorCode, SENTENCES, type Session } from "@face-sign-in/browser";
import { captureWithoutCamera, syntheticEncoder } from "@face-sign-in/browser/testing";

const client = createClient({
  publishableKey: 'svc_pk_test_…',
  baseUrl: new URL('https://signin.example.com'),
  encoder: syntheticEncoder({ person: 1 }),
  capture: captureWithoutCamera,
});
export async function signIn(video: HTMLVideoElement, signal?: AbortSignal): Promise<Session | null> {
  try {
    const { user, token, confidence } = await client.signIn({ signal, capture: { video, count: 2 } });
    const since: number = user.createdAt.getTime() + confidence;
    return since > 0 && token !== '' ? client.session : null;
  } catch (error) {
    if (!(error instanceof FaceSignInError)) throw error;
    const code: FaceSignInErrorCode = error.code;
    return code === 'no_match' || SENTENCES[code] === error.message ? null : Promise.reject(error.cause);
  }
}
export const enroll = (accepted: boolean) =>
  client.enroll({ email: 'ada@example.com', consent: { policyVersion: '1', accepted }, descriptors: [new Float32Array(128)] });
export const verified = (code: string): Promise<boolean> =>
  client.signInWithEmailCode('ada@example.com', code).then(({ user }) => user.emailVerified);
// @ts-expect-error an address is needed
createClient({ publishableKey: 'svc_pk_test_…' });
// @ts-expect-error consent is needed
client.enroll({ email: 'ada@example.com' });
// @ts-expect-error there is no such code
export const never = (error: FaceSignInError) => error.code === 'face_on_holiday';
// @ts-expect-error who is signed in cannot be set
client.session = null;
`;

for (const resolution of ['nodenext', 'bundler'] as const)
  test(`a consumer compiles against its types: ${resolution}`, async () => {
    assert.is(await compiled(app, 'consumer.ts', CONSUMER, resolution), '');
  });

test('nothing of it writes to storage, or sends anything elsewhere than by fetch', () => {
  const files = globSync('**/*.js', { cwd: built.folder });
  assert.ok(files.length > 3);
  for (const file of files) {
    const code = readFileSync(join(built.folder, file), 'utf8');
    const found =
      /localStorage|sessionStorage|indexedDB|document\.cookie|sendBeacon|XMLHttpRequest|WebSocket|\beval\(|new Function/.exec(
        code,
      );
    assert.is(found?.[0], undefined, file);
  }
});

test('the camera is loaded when it is used; who imports the client pays for little', () => {
  const main = built.sizes.find(({ name }) => name === '.');
  assert.ok(main && main.first.gzip <= 8_700, JSON.stringify(main));
  assert.ok(main.later && main.later.gzip > 1_000, 'the capture is apart');
  assert.not.match(readFileSync(join(built.folder, 'index.js'), 'utf8'), /getUserMedia/);
});

test('the component is small: other languages, the camera view and what is wrong with a page come when they are needed', () => {
  const element = built.sizes.find(({ name }) => name === './element');
  assert.ok(element && element.first.gzip <= 18_500, JSON.stringify(element));
  const chunks = globSync('chunks/*.js', { cwd: built.folder }).map(name => name.slice('chunks/'.length));
  for (const part of ['strings-de', 'strings-es', 'strings-fr', 'strings-pt', 'faults', 'stage', 'codes'])
    assert.is(chunks.filter(name => name.startsWith(`${part}-`)).length, 1, part);
});

test('an import that is not declared stops the build, and so does a fault in the types', async () => {
  const source = join(folder, 'planted');
  await mkdir(source);
  const of = { ...browser, entries: [{ path: '.', source: 'index.ts' }] };
  const outcome = (code: string) =>
    writeFile(join(source, 'index.ts'), code)
      .then(() => bundleModules(of, source, join(folder, 'planted-out')))
      .then(
        () => 'built',
        (error: Error) => error.message,
      );
  assert.is(await outcome(`export const x = 1;`), 'built');
  assert.is(await outcome(`export const x = () => import("onnxruntime-web");`), 'built');
  assert.match(await outcome(`export { x } from 'left-pad';`), /imports left-pad, which .* does not declare/);
  assert.match(await outcome(`export { readFile } from 'node:fs';`), /imports node:fs, which/);
});

test.run();
