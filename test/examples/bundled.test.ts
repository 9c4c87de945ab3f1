/** The examples that Vite builds: their READMEs are followed in an empty folder, and a person signs in there. */

import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { setStage, tryOut } from './people.ts';

const test = suite('examples: built by Vite');
const stage = openedFor(test, setStage);

for (const name of ['vite-react', 'vue', 'svelte'])
  test(`${name}: a person enrolls on the built page, and signs in on the one in development`, () =>
    tryOut(stage, { name, servers: 2, remembers: true }));

test.run();
