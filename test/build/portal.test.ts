/** The portal's pages stay small enough for a slow line, and are whole: what the first page names is there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('build: portal');
const OUT = join(ROOT, 'dist/portal');
const kB = 1_000;

const all = new Map(
  globSync('**/*.*', { cwd: OUT }).map(name => [name, readFileSync(join(OUT, name), 'utf8')]),
);
const gzip = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(all.get(name) ?? '').length, 0);

/** A script and all that it imports, at once or, if told so, later too. */
function closure(entry: string, later: RegExp | null = null, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const text = all.get(entry) ?? '';
  assert.ok(text !== '', `${entry} is there`);
  const folder = entry.includes('/') ? 'chunks/' : '';
  const follow = (path: string) => closure(path.replace(/^\.\//, folder), later, seen);
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g)) follow(path);
  for (const [, path = ''] of text.matchAll(/import\("(\.\/[^"]+\.js)"\)/g))
    if (later?.test(path)) follow(path);
  return seen;
}

test('the first page needs at most 32 kB of scripts: the shell, one language, and the sign-in page', () => {
  const shell = closure('app.js');
  for (const language of ['en', 'es']) {
    const first = closure('app.js', new RegExp(`/(?:${language}|sign-in)-`));
    assert.ok(first.size > shell.size, 'the language was found');
    const size = gzip(first);
    console.log(`${language}: ${size} bytes`);
    assert.ok(size <= 32 * kB, `${language}: ${size} bytes`);
  }
});

test('all scripts together have at most 95 kB, the style at most 12 kB', () => {
  const scripts = [...all.keys()].filter(name => name.endsWith('.js'));
  assert.ok(scripts.length > 10, 'the pages are split');
  const sizes = [gzip(scripts), gzip(['app.css'])];
  console.log(`scripts ${sizes[0]} bytes, style ${sizes[1]} bytes`);
  assert.ok((sizes[0] as number) <= 95 * kB && (sizes[1] as number) <= 12 * kB);
});

test('every file that a script names is there, and nothing names another host', () => {
  // The page /try has the code of the quick start and the guard from their own entries, the page about faces its worker.
  const reached = closure('snippets.js', null, closure('app.js', /./));
  closure('click-guard.js', null, reached);
  closure('calibrate.js', null, reached);
  const scripts = [...all.keys()].filter(name => name.endsWith('.js'));
  assert.equal([...reached].sort(), scripts.sort());
  // The addresses of XML names, of an error message, and of examples are never asked.
  for (const [name, text] of all) {
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host as string);
    const foreign = hosts.filter(
      host => !/^(?:localhost|127\.0\.0\.1|www\.w3\.org|simplewebauthn\.dev|[\w.]*\.example)$/.test(host),
    );
    assert.equal(foreign, [], name);
  }
});

test('the page has no inline script and no inline style, and no script makes HTML from text', () => {
  const page = all.get('index.html') ?? '';
  assert.equal(page.match(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/g), null);
  for (const file of globSync('src/portal/app/**/*.{ts,tsx}', { cwd: ROOT }))
    assert.not.match(
      readFileSync(join(ROOT, file), 'utf8'),
      /innerHTML|outerHTML|dangerouslySet|insertAdjacentHTML|document\.write|\beval\(|\bstyle=/i,
      file,
    );
});

test.run();
