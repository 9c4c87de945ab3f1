/** Which templates do not open is known by gallery, until they are erased, loaded anew, or their gallery is gone. */
import * as assert from 'uvu/assert';
import { createUnreadableTemplates } from '../../src/domain/galleries/unreadable.ts';
import { suite } from '../support/suite.ts';
import { galleryOf } from './gallery-fakes.ts';

const test = suite('unreadable templates');
const [ONE, OTHER] = [galleryOf('app_1'), galleryOf('app_2')];

function given() {
  let now = 5;
  const known = createUnreadableTemplates(() => now++);
  const counts = () => known.list().map(({ gallery, templates, since }) => [gallery.appId, templates, since]);
  return { known, counts };
}

test('pages of a load add up, and a gallery without any is not listed', () => {
  const { known, counts } = given();
  known.applied(ONE, { from: 0, removed: [], unreadable: [1, 2] });
  known.applied(ONE, { from: 10, removed: [], unreadable: [3] });
  known.applied(OTHER, { from: 0, removed: [] });
  assert.equal(counts(), [['app_1', 3, 5]]);
});

test('one that is erased is not reported any more', () => {
  const { known, counts } = given();
  known.applied(ONE, { from: 0, removed: [], unreadable: [1, 2] });
  known.applied(ONE, { from: 10, removed: [1, 99] });
  assert.equal(counts(), [['app_1', 1, 5]]);
  known.applied(ONE, { from: 11, removed: [2] });
  assert.equal(counts(), []);
});

test('a load from nothing begins anew, and keeps since when', () => {
  const { known, counts } = given();
  known.applied(ONE, { from: 0, removed: [], unreadable: [1, 2] });
  known.applied(ONE, { from: 0, removed: [], unreadable: [1] });
  assert.equal(counts(), [['app_1', 1, 5]]);
  known.applied(ONE, { from: 0, removed: [], unreadable: [] });
  assert.equal(counts(), []);
});

test('a gallery that is gone is forgotten; of very many the number is known', () => {
  const { known, counts } = given();
  const all = Array.from({ length: 5_000 }, (_, i) => i + 1);
  known.applied(ONE, { from: 0, removed: [], unreadable: all });
  assert.equal(counts(), [['app_1', 5_000, 5]]);
  known.forget(ONE);
  assert.equal(counts(), []);
});

test.run();
