/** The examples without a bundler, and Next.js: their READMEs are followed in an empty folder, and a person signs in there. */

import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { setStage, tryOut } from './people.ts';

const test = suite('examples: served');
const stage = openedFor(test, setStage);

for (const name of ['plain', 'express'])
  test(`${name}: a person enrolls and signs in`, () => tryOut(stage, { name, servers: 1, remembers: false }));

test('nextjs: a person enrolls on the built page, and signs in on the one in development', () =>
  tryOut(stage, { name: 'nextjs', servers: 2, oneAtATime: true, remembers: true }));

test.run();
