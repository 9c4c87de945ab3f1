/**
 * The shipped code uses nothing of the Web or of JavaScript that the oldest supported browsers lack. It reads the built files
 * by name, without types: a member that no interface had at that time is found, and so is `Interface.member`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Feature, features, oldest } from '../support/browser-versions.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: oldest browsers');
const ROOT = join(import.meta.dirname, '../..');
const known = features();

/** Used only where it is there, or of something else by the same name. */
const GUARDED: Readonly<Record<string, string>> = {
  adoptedStyleSheets: 'sheets.ts makes a style element instead',
  replaceSync: 'as adoptedStyleSheets',
  allowsFeature: 'camera.ts asks only browsers that have it',
  requestVideoFrameCallback: 'camera.ts waits for a moment instead',
  cancelVideoFrameCallback: 'as requestVideoFrameCallback',
  toArray: 'of React.Children',
  conv2d: 'of TensorFlow.js',
  address: 'a class in the styles',
  marginTop: 'of a style',
  percent: 'a class in the styles',
  playsInline: 'only iOS knows it, and only iOS needs it',
};

/** @param own names of members that the code itself defines */
function newerIn(code: string, own: ReadonlySet<string>, all: readonly Feature[] = known): Set<string> {
  const paths = new Map(all.map(({ path, has }) => [path, has]));
  const names = new Map<string, boolean>();
  for (const { name, has } of all) names.set(name, names.get(name) || has);
  const found = new Set<string>();
  const plain = code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  for (const [, global, member] of plain.matchAll(/\b([A-Z]\w+)\??\.(?:prototype\??\.)?(\w+)/g))
    if (paths.get(`${global}.${member}`) === false) found.add(`${global}.${member}`);
  for (const [, member = ''] of plain.matchAll(/(?<!\.)\.(\w+)/g))
    if (names.get(member) === false && !own.has(member) && !GUARDED[member]) found.add(`.${member}`);
  for (const [, global = ''] of plain.matchAll(/(?<![.\w"'`#-])([A-Za-z]\w+)(?=[(.?)])/g))
    if (paths.get(global) === false && !own.has(global)) found.add(global);
  return found;
}

/** Members that the source defines, whatever their name means elsewhere. */
function ownNames(): Set<string> {
  const files = globSync('src/{sdk/{browser,react}/**,protocol}/*.ts', { cwd: ROOT });
  const text = files.map(file => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  return new Set([...text.matchAll(/^\s+(?:readonly )?(\w+)\??[:(]/gm)].map(([, name = '']) => name));
}

test('what is shipped uses nothing newer', () => {
  const files = globSync('dist/sdk/{browser,react}/{,chunks/}*.js', { cwd: ROOT }).filter(
    // The same code, minified.
    file => !file.endsWith('face-sign-in.js'),
  );
  assert.ok(files.length > 20, 'run npm run build -- parts first');
  const own = ownNames();
  const code = files.map(file => readFileSync(join(ROOT, file), 'utf8'));
  const found = files.flatMap((file, i) => [...newerIn(code[i] ?? '', own)].map(name => `${file}: ${name}`));
  assert.equal(found, []);
  for (const name of Object.keys(GUARDED))
    assert.ok(
      code.some(text => text.includes(name)),
      `${name} is not used any more`,
    );
});

test('what is newer is found, and nothing else', () => {
  const own = new Set(['retry']);
  for (const [code, wanted] of [
    ['URL.canParse(x)', 'URL.canParse'],
    ['AbortSignal.any([a])', 'AbortSignal.any'],
    ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
    ['Promise.withResolvers()', 'Promise.withResolvers'],
    ['Object.groupBy(a, f)', 'Object.groupBy'],
    ['Array.fromAsync(a)', 'Array.fromAsync'],
    ['a.findLast(f)', '.findLast'],
    ['a.toSorted()', '.toSorted'],
    ['element.showPopover()', '.showPopover'],
    ['new OffscreenCanvas(1, 1)', 'OffscreenCanvas'],
  ] as const)
    assert.ok(newerIn(code, own).has(wanted), `${code}: ${[...newerIn(code, own)]}`);
  const fine = 'a.at(-1); Object.hasOwn(a, b); structuredClone(a); x.retry(); /* URL.canParse(x) */ URL.x';
  assert.equal([...newerIn(fine, own)], []);
});

test('the versions are those that the README names, and what shows an older browser fits them', () => {
  const { chrome, firefox, safari } = oldest();
  const readme = readFileSync(join(ROOT, 'src/sdk/browser/README.md'), 'utf8');
  assert.ok(
    readme.includes(`Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`),
    'the README names them',
  );
  // thrown.ts takes a browser without it for too old.
  const has = (versions?: Parameters<typeof features>[0]) =>
    features(versions).find(({ path }) => path === 'structuredClone')?.has;
  assert.is(has(), true);
  assert.is(has({ chrome: chrome - 3, firefox: firefox - 7, safari: safari - 0.1 }), false);
});

test.run();
