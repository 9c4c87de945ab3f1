/** The day of an operator is lived on the executable. */
import { suite } from '../support/suite.ts';
import { liveDay } from './day.ts';

const test = suite('dist: day');

test('every line of a day of an operator succeeds, and people sign in where they should', () => liveDay());

test.run();
