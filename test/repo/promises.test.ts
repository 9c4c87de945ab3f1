/** What the service gives away by design is said in README, where those look who decide to use it. */
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: promises');
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

test('README says that a 503 of email codes tells that somebody has the address', () => {
  assert.match(README, /mail is broken or not set up, the 503 tells that somebody has the address/);
});

test.run();
