/** Face sign-in that comes to nothing before a face is sent, and says why: nobody there, too many, too dark, no camera, … */
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import type { Camera } from './encoder-pages.ts';
import { openSite } from './encoder-visits.ts';

const test = suite('browser: face sign-in refused');

const site = openedFor(test, openSite);

for (const [code, camera, more] of [
  ['no_face', () => 'no face', {}],
  ['several_faces', () => ({ file: site.films.several }), {}],
  ['too_dark', () => ({ file: site.films.dark }), {}],
  ['blurred', () => ({ file: site.films.blurred }), {}],
  ['camera_missing', () => 'none', {}],
  ['camera_denied', () => 'no face', { permission: 'denied' }],
] as [string, () => Camera, { permission?: 'denied' }][]) {
  test(`${code}: no face is sent to the service`, async () => {
    const { end, detail, asked } = await site.visit(
      camera(),
      'signIn',
      { capture: { timeoutMs: 3_000 } },
      more,
    );
    assert.is(end, code, detail);
    assert.equal(
      asked
        .filter(({ url, method }) => url.startsWith(site.run.base) && method !== 'OPTIONS')
        .map(({ url }) => url),
      [`${site.run.base}/v1/challenges`],
    );
  });
}

test.run();
