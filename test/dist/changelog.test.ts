/** What a release says is new: the part of its version, and no release without one. */
import * as assert from 'uvu/assert';
import { excerptOf } from '../../src/release/changelog.ts';
import { VERSION } from '../../src/version.ts';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('release: changelog');
const LOG = '# Changelog\n\nIntro.\n\n## 1.1.0\n\nNew.\n\n**More.** Yes.\n\n## 1.0.0\n\nOld.\n';

test('the part of a version, whether others follow or not', () => {
  assert.is(excerptOf(LOG, '1.1.0'), '# face-sign-in 1.1.0\n\nNew.\n\n**More.** Yes.\n');
  assert.is(excerptOf(LOG, '1.0.0'), '# face-sign-in 1.0.0\n\nOld.\n');
});

test('a version that has none, or an empty one, is no release', () => {
  for (const [log, version] of [
    [LOG, '1.2.0'],
    [LOG, '1.0'],
    [LOG, '1x1.0'],
    ['## 2.0.0\n\n## 1.0.0\n\nOld.\n', '2.0.0'],
  ] as const)
    assert.throws(() => excerptOf(log, version), /no entry for \S+: add "## \S+" and what is new/, version);
});

test('that of this version can be read alone: its links lead somewhere', () => {
  const links = [...excerptOf(readDocument('.github/CHANGELOG.md'), VERSION).matchAll(/\]\(([^)]*)\)/g)];
  for (const [, target = ''] of links) assert.match(target, /^https:/);
});

test.run();
