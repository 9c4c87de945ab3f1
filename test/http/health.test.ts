import * as assert from 'uvu/assert';
import { call } from '../support/client.ts';
import { raw } from '../support/raw.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('health');
const run = serviceFor(test);

test('health says ok, in strings, to anybody', async () => {
  const answer = await call(run, 'GET', '/health');
  assert.is(answer.status, 200);
  assert.equal(Object.keys(answer.json).sort(), ['db', 'status', 'version']);
  assert.is(answer.json.status, 'ok');
  assert.is(answer.json.db, 'ok');
  assert.match(answer.json.version, /^\d+\.\d+\.\d+/);
});

for (const path of ['/health', '/.well-known/jwks.json']) {
  test(`HEAD ${path} answers the headers of GET and no body`, async () => {
    const [get, head] = [await call(run, 'GET', path), await call(run, 'HEAD', path)];
    assert.is(head.status, 200);
    for (const name of ['content-type', 'content-length', 'cache-control'] as const) {
      assert.is(head.headers[name], get.headers[name], name);
    }
    const [bytes] = await raw(run, `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 2);
    assert.is(bytes, undefined, 'no bytes follow a HEAD: the announced body must never arrive');
  });
}

test.run();
