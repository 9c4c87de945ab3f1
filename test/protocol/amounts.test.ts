/** Numbers, counts and sizes as people read them. */
import * as assert from 'uvu/assert';
import { counted, grouped, sizeOf } from '../../src/protocol/amounts.ts';
import { suite } from '../support/suite.ts';

const test = suite('protocol: amounts');

test('numbers have a comma before every three digits', () => {
  assert.equal([0, 999, 65_535, 1_234_567].map(grouped), ['0', '999', '65,535', '1,234,567']);
});

test('a count is in the singular for 1 only, with the verb if there is one', () => {
  assert.equal(
    [0, 1, 2, 1_234].map(number => counted(number, 'user')),
    ['0 users', '1 user', '2 users', '1,234 users'],
  );
  assert.equal(
    [1, 2].map(number => counted(number, 'line names', 'lines name')),
    ['1 line names', '2 lines name'],
  );
});

test('sizes have a unit in which they are not zero', () => {
  assert.equal([0, 1, 1_023, 1_536, 40_960, 5 * 1_024 ** 3].map(sizeOf), [
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1.5 KB',
    '40 KB',
    '5 GB',
  ]);
});

test.run();
