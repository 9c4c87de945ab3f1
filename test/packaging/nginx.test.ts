/** The service behind nginx, as src/packaging/nginx.conf has it. What holds behind every proxy is in proxied.ts. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { startNginx } from './nginx.ts';
import { proxied } from './proxied.ts';

const test = suite('packaging: nginx');
const { proxy: nginx, from } = proxied(test, startNginx, [300_000]);

test('plain HTTP leads to TLS', async () => {
  const plain = await fetch(`http://127.0.0.1:${nginx.plain}/v1/challenges`, { redirect: 'manual' });
  assert.equal([plain.status, plain.headers.get('location')], [301, 'https://127.0.0.1/v1/challenges']);
});

test("nginx' log has each request with its id, and neither an address nor a path", async () => {
  const { headers } = await from('127.0.5.1')('GET', '/health');
  const line = nginx
    .log()
    .split('\n')
    .find(text => text.includes(String(headers['x-request-id'])));
  assert.match(line ?? '', /^\S+ GET 200 \d+\.\d+ \S+$/);
  assert.not.match(nginx.log(), /127\.0\.|usr_|\/v1/);
});

test.run();
