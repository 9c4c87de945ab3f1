/** Cursors belong to the list that made them, and cannot be made up. */
import * as assert from 'uvu/assert';
import { openCursor, sealCursor } from '../../src/domain/cursors.ts';
import { suite } from '../support/suite.ts';

const test = suite('cursors');
const secrets = {
  hash: (purpose: string, value: string) => Buffer.from(`${purpose}:${value}`).toString('base64url'),
};
const list = { purpose: 'users-cursor', of: 'app_1\0live' };

test('a cursor gives back its position', () => {
  assert.equal(openCursor(secrets, list, sealCursor(secrets, list, [1, 'x'])), [1, 'x']);
});

test('a cursor of another list, or with a change in either half, gives nothing', () => {
  const cursor = sealCursor(secrets, list, 7);
  const [text = '', seal = ''] = cursor.split('.');
  const other = Buffer.from('8').toString('base64url');
  for (const wrong of [
    '',
    '.',
    text,
    `${text}.`,
    `${other}.${seal}`,
    `${cursor}.`,
    `${text}.${seal}x`,
    `.${seal}`,
  ])
    assert.is(openCursor(secrets, list, wrong), null, wrong);
  assert.is(openCursor(secrets, { ...list, of: 'app_1\0test' }, cursor), null);
  assert.is(openCursor(secrets, { ...list, purpose: 'events-cursor' }, cursor), null);
});

test.run();
