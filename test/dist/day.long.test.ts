/** The day of an operator is lived on the executable, and the document that shows it shows the same lines. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { liveDay, shownDay, typedIn } from './day.ts';

const test = suite('dist: day');

test('every line of the day succeeds, people sign in where they should, and src/cli/day.md shows it', async () => {
  const lived = typedIn(await liveDay());
  assert.ok(lived.length > 30);
  assert.equal(typedIn(shownDay()), lived, 'src/cli/day.md is stale: node test/dist/day.ts --write');
});

test.run();
