/** What the service gives away by design is said in README and where integrators and auditors look. */
import * as assert from 'uvu/assert';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: promises');
const PROMISE = /mail is broken or not set up, a 503 reveals that the address is registered/;

test('README says that a 503 of email codes reveals that the address is registered', () => {
  for (const path of ['README.md', '.github/SECURITY.md', 'src/protocol/README.md'])
    assert.match(readDocument(path).replace(/\s+/g, ' '), PROMISE, path);
});

test.run();
