/** The operators' address: on its own, and only under its own name. */
import { type IncomingHttpHeaders, request } from 'node:http';
import * as assert from 'uvu/assert';
import { assertError, call, parsed } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: portal');
let own: URL;
const run = serviceFor(test);
test.before(async () => {
  own = new URL(run.portal);
});

interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Page> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = own;
    const sending = request({ host, port, path, headers, method }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', part => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sending.on('error', reject);
    sending.end();
  });
}

function assertRefused(page: Page, note: string): void {
  const answer = { ...page, json: parsed(page.text) };
  assertError(answer, 'origin_not_allowed', note);
  assert.is(page.headers['access-control-allow-origin'], undefined, note);
}

test("the operators' page answers on its own address alone", async () => {
  assert.is.not(run.portal, run.base);
  const page = await get('/');
  assert.is(page.status, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assertError(await call(run, 'GET', '/'), 'not_found', 'the public address');
  assert.is((await get('/v1/app')).status, 404, "the API is not on the operators' address");
});

test("a Host that is not the operators' address is refused", async () => {
  const port = own.port;
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
    assert.is((await get('/', { host })).status, 200, host);
  const foreign = [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '0.0.0.0',
    `127.0.0.2:${port}`,
  ];
  for (const host of foreign) assertRefused(await get('/', { host }), host);
});

test('a foreign Origin is refused', async () => {
  assert.is((await get('/', { origin: run.portal })).status, 200, 'its own');
  const foreign = [
    'https://evil.example',
    'null',
    run.base,
    `http://localhost:${own.port}0`,
    `${run.portal}/`,
  ];
  for (const origin of foreign) assertRefused(await get('/', { origin }), origin);
});

test.run();
