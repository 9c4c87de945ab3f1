/**
 * A short run of the fuzz (test/fuzz): malformed requests made from the API description, valid ones among them, and bytes
 * that are HTTP almost. The fuzz is itself tested on a service with planted faults, which it must find.
 */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { type Service, startService } from '../support/forked-service.ts';
import { suite } from '../support/suite.ts';
import { fuzzRaw } from './raw-run.ts';
import { fuzz } from './run.ts';

const test = suite('fuzz');
let between: Server | undefined;
const service = openedFor(test, () => startService({ MAIL_ANSWER_MS: '0' }));
test.after(() => stopBetween());

test('2,000 requests: none fails the service, half come to the validation of fields, valid ones succeed', async () => {
  const { tally, faults } = await fuzz(service, { count: 2_000, seed: 7 });
  assert.equal(faults, []);
  const { requests, reached, controls } = tally.total;
  assert.is(requests, 2_000);
  assert.ok(reached >= requests / 2, `${reached} of ${requests} came to the validation of fields`);
  assert.ok(controls > 100, `${controls} valid requests`);
});

test('300 requests that are HTTP almost: an envelope or the end of the connection', async () => {
  assert.equal((await fuzzRaw(service, { count: 300, seed: 7 })).faults, []);
});

const envelope = (code: string) => JSON.stringify({ error: { code, message: 'planted' } });
/** What goes wrong, on bodies with which text, and what is said of it. */
const PLANTED: Record<string, { text: string; status: number; body: string; said: RegExp }> = {
  fails: { text: '1e400', status: 500, body: envelope('internal_error'), said: /^answered 500/ },
  hangs: { text: '1e400', status: 0, body: '', said: /^no answer within 1000 ms/ },
  babbles: { text: 'null', status: 400, body: '{"fault":"at match.ts:7"}', said: /^envelope:/ },
  refuses: {
    text: '"000000"',
    status: 400,
    body: envelope('invalid_request'),
    said: /^a valid request got 400/,
  },
};

/** The service, but for this one fault. */
async function faulty({ text, status, body }: (typeof PLANTED)[string]): Promise<Service> {
  const to = new URL(service.run.base);
  stopBetween();
  between = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = '', url = '', rawHeaders, headers } = incoming;
    if (Buffer.concat(parts).includes(text)) {
      if (status === 0) return;
      outgoing.setHeader('access-control-allow-origin', headers.origin ?? '');
      outgoing.setHeader('access-control-expose-headers', 'retry-after, x-request-id');
      outgoing.writeHead(status, { vary: 'origin', 'content-type': 'application/json', 'x-request-id': 'x' });
      outgoing.end(method === 'HEAD' ? '' : body);
      return;
    }
    const options = { host: to.hostname, port: to.port, method, path: url, headers: rawHeaders };
    const asked = request(options, answer => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    asked.end(Buffer.concat(parts));
  });
  await new Promise<void>(done => between?.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  return { ...service, run: { ...service.run, base } };
}

function stopBetween(): void {
  between?.close();
  between?.closeAllConnections();
}

for (const [what, planted] of Object.entries(PLANTED)) {
  test(`a service that ${what} on ${planted.text} is found, with the smallest request that shows it`, async () => {
    const { faults } = await fuzz(await faulty(planted), {
      count: 300,
      seed: 3,
      atOnce: 4,
      patience: 1_000,
    });
    // On a busy machine another request may be late, too.
    const found = faults.find(fault => fault.includes(JSON.stringify(planted.text).slice(1, -1))) ?? '';
    const [place = '', ...said] = found.split('\n');
    assert.match(place, /^--seed 3 --start \d+ --count 1$/, faults.join('\n'));
    assert.match(said.join('\n'), planted.said);
  });
}

test.run();
