/** A Content-Length is a number that anybody writes: whatever it is, it is compared with the limit before anything is read. */
import * as assert from 'uvu/assert';
import { assertError, browser } from '../support/client.ts';
import { type RawAnswer, raw } from '../support/raw.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('announced-lengths');
const run = serviceFor(test);

/** Beyond what 32 bits, 53 bits and 63 bits hold, and such that their last 32 bits are few bytes. */
const ANNOUNCED = [
  '2147483647',
  '2147483648',
  '3000000000',
  '4294967295',
  '4294967296',
  '4294967298',
  '10737418240',
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551615',
  '0000000000000000004294967298',
];

for (const announced of ANNOUNCED)
  test(`an announced length of ${announced} bytes is 413 at once, on routes with a body and without`, async () => {
    const app = await run.createApp();
    const key = Object.entries(browser(app)).map(([name, value]) => `${name}: ${value}`);
    const secret = [`Authorization: Bearer ${app.live.sk}`];
    for (const [method, path, headers] of [
      ['POST', '/v1/enroll', key],
      ['POST', '/v1/match', key],
      ['POST', '/v1/email-codes', key],
      ['POST', '/v1/challenges', key],
      ['POST', '/v1/tokens/verify', secret],
      ['GET', '/v1/app', secret],
      ['DELETE', '/v1/users/usr_x', secret],
      ['GET', '/health', []],
    ] as const) {
      const head = [
        `${method} ${path} HTTP/1.1`,
        'Host: x',
        'Content-Type: application/json',
        ...headers,
        `Content-Length: ${announced}`,
      ];
      const [answer] = await raw(run, `${head.join('\r\n')}\r\n\r\n{}`);
      assert.ok(answer, `${method} ${path}`);
      assertError(answer as RawAnswer, 'payload_too_large', `${method} ${path}`);
    }
  });

test('a length with zeros before it is that length', async () => {
  const app = await run.createApp();
  const head = ['POST /v1/tokens/verify HTTP/1.1', 'Host: x', `Authorization: Bearer ${app.live.sk}`];
  const body = ['Content-Type: application/json', 'Content-Length: 0000000013', '', '{"token":"x"}'];
  const [answer] = await raw(run, [...head, ...body].join('\r\n'));
  assert.is(answer?.status, 200);
});

test.run();
