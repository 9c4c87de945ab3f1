/** Every figure that README, Security and test/README tell is made by a command that the nightly lab runs. */
import * as assert from 'uvu/assert';
import { NIGHTLY } from '../lab/nightly.ts';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: nightly');
/** The script and its first word, which name a bench or a trial: its options may be others. */
const kindOf = (line: string) =>
  /^(?:run (?:-s )?)?(\S+)(?: -- (?!-)(\S+))?/.exec(line)?.slice(1, 3).join(' ') ?? '';
const nightly = new Set(NIGHTLY.map(({ words }) => kindOf(words.join(' '))));

for (const document of ['README.md', '.github/SECURITY.md', 'test/README.md'])
  test(`${document}: the commands that it gives for figures run every night`, () => {
    const told = [...readDocument(document).matchAll(/`npm (run (?:bench|chaos|fuzz|breaks)[^`]*)`/g)];
    const kinds = told.map(([, line = '']) => kindOf(line));
    assert.equal(
      kinds.filter(kind => !nightly.has(kind) && !nightly.has(`${kind}search`)),
      [],
    );
    if (document === 'test/README.md') assert.ok(kinds.length > 15);
  });

test('every bench and every trial of its own is there once', () => {
  const names = NIGHTLY.map(({ name }) => name);
  assert.is(new Set(names).size, names.length);
  for (const name of ['bench-search', 'bench-nodes', 'chaos-sync', 'chaos-backup', 'fuzz', 'breaks'])
    assert.ok(names.includes(name), name);
});

test.run();
