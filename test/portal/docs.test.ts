/** `/docs` on the operators' address: Swagger UI and the API's own description. In a browser: test/browser/docs.test.ts. */
import { request } from 'undici';
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: docs');
const run = serviceFor(test);

test('it shows the description that the API answers', async () => {
  const shown = await (await fetch(`${run.portal}/docs/openapi.json`)).json();
  assert.equal(shown, await (await fetch(`${run.base}/openapi.json`)).json());
});

for (const [path, type] of [
  ['', 'text/html'],
  ['/page.css', 'text/css'],
  ['/page.js', 'text/javascript'],
  ['/swagger-ui.css', 'text/css'],
  ['/swagger-ui-bundle.js', 'text/javascript'],
  ['/openapi.json', 'application/json'],
])
  test(`/docs${path} has its type and the headers of a page of this host, and is sent again only if changed`, async () => {
    const { status, headers } = await fetch(`${run.portal}/docs${path}`);
    assert.equal([status, headers.get('content-type')], [200, `${type}; charset=utf-8`]);
    assert.is(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.is(headers.get('x-content-type-options'), 'nosniff');
    assert.is(headers.get('referrer-policy'), 'no-referrer');
    assert.is(headers.get('cross-origin-resource-policy'), 'same-origin');
    const again = await request(`${run.portal}/docs${path}`, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    });
    assert.is(again.statusCode, 304);
  });

test('no other file is served, and the status page links to it', async () => {
  assert.is((await fetch(`${run.portal}/docs/page.html`)).status, 404);
  assert.match(await (await fetch(`${run.portal}/`)).text(), /<a href="\/docs">/);
});

test.run();
