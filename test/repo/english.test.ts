/** Plain English, in documents, sources and test names: none of the phrases that readers stumbled over comes back. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: plain English');
const ROOT = join(import.meta.dirname, '../..');
const THIS = 'test/repo/english.test.ts';

/** What to write instead, and what it replaces. */
const INSTEAD: readonly (readonly [instead: string, phrase: RegExp])[] = [
  ['self-hosted', /as a service of your own|lives in the memory of the process alone/],
  ["what it doesn't", /\band what not\b/],
  ['fix', /\bmend(?:s|ed|ing)?\b/],
  ['default', /` \(usual\)|is the usual one/],
  ['check error.code', /refusal is told apart by/],
  ['responds the same', /answers alike/],
  ['canonical encoding', /decoders are lax|\b(?:has|in) one spelling\b/],
  ['health check', /looks? it(?:self)? over/],
  ['vulnerability', /\bfound a hole\b/i],
  ['if several apply, any one may be reported', /\bof two faults\b/i],
  ['leaves no stale lock', /in nobody['’]s way/],
  ['import', /takes in an app/i],
  ['random', /\bmade by chance\b/],
  ['if interrupted', /\bkilled halfway\b/i],
  ['that does not exist', /still to be made/],
  ['rejected the login', /does not take us/],
  ['readable by this user only', /for this user alone/],
  ['sign-in failed', /\bthat did not work\b/i],
  ['optional', /\(if you like\)/],
  ['contact the site owner', /tell its operator/i],
  ['targets; search bench', /\bcore shall reach\b|\bsearch trial\b/],
  ["say who does what: 'the gallery's owner starts a job'", /\bWhose gallery\b/],
  ['reported', /^ *(?:test|check|suite)\(.*\b(?:is|are) told (?:before|after|once|until|by|in)\b/],
  ['even if the request fails', /whatever comes of/],
  ["the field's own word", /\b(?:Plea|giveBack|openGun|strays)\b/],
];

const faultsIn = (text: string) => INSTEAD.filter(([, phrase]) => phrase.test(text));

test('no text says what readers stumbled over', () => {
  for (const text of [
    'A refusal is told apart by its code',
    'the message names the mend',
    'the usual one is the usual one',
  ])
    assert.is(faultsIn(text).length, 1, text);
  const files = globSync(
    ['*.md', '.github/**/*.md', '{src,test,bench}/**/*.{md,ts,tsx}', '{assembly,data}/**/*.md'],
    {
      cwd: ROOT,
      exclude: name => name === 'node_modules',
    },
  );
  const found = files
    .filter(file => file !== THIS)
    .flatMap(file =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          faultsIn(line).map(([instead]) => `${file}:${at + 1}: ${instead}: ${line.trim()}`),
        ),
    );
  assert.ok(files.length > 1_000, 'the files were found');
  assert.equal(found, []);
});

test.run();
