/** Bytes that no proper client sends. The answer is an envelope of the right status, never a 5xx and never silence. */
import * as assert from 'uvu/assert';
import { assertEnvelope, browser, call } from '../support/client.ts';
import { type RawAnswer, raw } from '../support/raw.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('raw-sockets');
const run = serviceFor(test, { isAlone: true });
const app = appFor(test, run);

function assertProper(answer: RawAnswer | undefined, note: string): asserts answer is RawAnswer {
  assert.ok(answer, `${note}: the connection was closed without an answer`);
  const { status, headers, text } = answer as RawAnswer;
  assert.ok(status < 500, `${note}: ${status}`);
  assert.match(String(headers['x-request-id'] ?? ''), /^\S+$/, `${note}: X-Request-Id of ${status} ${text}`);
  if (status < 400) return;
  assert.match(String(headers['content-type']), /^application\/json/, `${note}: ${status} ${text}`);
  assertEnvelope(answer as RawAnswer, `${note}: ${status} ${text}`);
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const get = (...headers: string[]) => lines('GET /health HTTP/1.1', 'Host: x', ...headers);
const post = (...headers: string[]) =>
  lines('POST /v1/match HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers);
const hello = Buffer.from(
  '16030100c8010000c40303000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  'hex',
);

/** Refused with a 4xx. */
const refused: [string, string | Uint8Array][] = [
  ['a line of nonsense', 'GARBAGE\r\n\r\n'],
  ['three words of nonsense', 'one two three\r\n\r\n'],
  ['a TLS greeting', hello],
  ['zeros', Buffer.alloc(64)],
  ['a request of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that is none', lines('GET /health HTTP/9.9', 'Host: x')],
  ['a method that is none', lines('NONSENSE /health HTTP/1.1', 'Host: x')],
  ['a method in lower case', lines('get /health HTTP/1.1', 'Host: x')],
  ['no path', lines('GET  HTTP/1.1', 'Host: x')],
  ['a path without its slash', lines('GET health HTTP/1.1', 'Host: x')],
  ['a space in the path', lines('GET /health more HTTP/1.1', 'Host: x')],
  ['no Host', lines('GET /health HTTP/1.1')],
  ['a header without a colon', get('nonsense')],
  ['a header without a name', get(': x')],
  ['a space before the colon', get('X-Thing : x')],
  ['a NUL in a header', get('X-Thing: a\u0000b')],
  ['a lone line feed in a header', get('X-Thing: a\u000bb\u0001')],
  ['headers of 100 KB', get(`X-Thing: ${'a'.repeat(100_000)}`)],
  ['5,000 headers', get(...Array.from({ length: 5_000 }, (_, n) => `X-${n}: 1`))],
  ['a path of 100 KB', lines(`GET /${'a'.repeat(100_000)} HTTP/1.1`, 'Host: x')],
  ['a Content-Length that is no number', post('Content-Length: abc')],
  ['a negative Content-Length', post('Content-Length: -1')],
  ['a signed Content-Length', post('Content-Length: +2')],
  ['a hexadecimal Content-Length', post('Content-Length: 0x2')],
  ['two values of Content-Length', post('Content-Length: 2, 3')],
  ['two Content-Lengths', post('Content-Length: 2', 'Content-Length: 3')],
  ['a Content-Length beyond counting', post(`Content-Length: ${'9'.repeat(30)}`)],
  [
    'Content-Length and chunks',
    `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a chunk size that is no number', `${post('Transfer-Encoding: chunked')}xyz\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size beyond counting', `${post('Transfer-Encoding: chunked')}${'f'.repeat(40)}\r\n{}\r\n`],
  ['CONNECT', lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')],
  ['CONNECT to a path', lines('CONNECT /v1/match HTTP/1.1', 'Host: x')],
  ['an expectation nobody knows', post('Expect: miracles', 'Content-Length: 2')],
];
for (const [name, bytes] of refused) {
  test(`refused: ${name}`, async () => {
    const [answer] = await raw(run, bytes);
    assertProper(answer, name);
    assert.ok(answer.status >= 400, `${answer.status} ${answer.text}`);
    assert.is((await call(run, 'GET', '/health')).status, 200, 'the service goes on');
  });
}

/** May be served or refused; but properly. */
const odd: [string, string][] = [
  ['HTTP/1.0', lines('GET /health HTTP/1.0')],
  ['two Hosts', get('Host: y')],
  ['an empty Host', lines('GET /health HTTP/1.1', 'Host:')],
  ['a nonsensical Host', lines('GET /health HTTP/1.1', 'Host: [::1')],
  ['a Host with a path', lines('GET /health HTTP/1.1', 'Host: x/y?z@:99999')],
  ['line ends without a return', 'GET /health HTTP/1.1\nHost: x\n\n'],
  ['an empty line before', `\r\n${get()}`],
  ['a folded header', get('X-Thing: a', ' b')],
  ['a whole address', lines('GET http://x/health HTTP/1.1', 'Host: x')],
  ['a whole address of another host', lines('GET https://evil.example/health HTTP/1.1', 'Host: x')],
  ['a whole address that is none', lines('GET http://[/health HTTP/1.1', 'Host: x')],
  ['a whole address with nothing', lines('GET http:// HTTP/1.1', 'Host: x')],
  ['a whole address to post to', lines('POST http://x//v1/match HTTP/1.1', 'Host: x', 'Content-Length: 0')],
  ['an asterisk', lines('OPTIONS * HTTP/1.1', 'Host: x')],
  [
    'a preflight of an asterisk',
    lines('OPTIONS * HTTP/1.1', 'Host: x', 'Origin: https://a.example', 'Access-Control-Request-Method: GET'),
  ],
  ['an asterisk to get', lines('GET * HTTP/1.1', 'Host: x')],
  ['OPTIONS without an Origin', lines('OPTIONS /v1/match HTTP/1.1', 'Host: x')],
  ['two slashes', lines('GET //health HTTP/1.1', 'Host: x')],
  ['two slashes and a host', lines('GET //evil.example/health HTTP/1.1', 'Host: x')],
  ['three slashes', lines('GET /// HTTP/1.1', 'Host: x')],
  ['dots', lines('GET /v1/../health HTTP/1.1', 'Host: x')],
  ['encoded dots', lines('GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1', 'Host: x')],
  ['a backslash', lines('GET /\\health HTTP/1.1', 'Host: x')],
  ['a fragment', lines('GET /health#x HTTP/1.1', 'Host: x')],
  ['bytes above ASCII in the path', lines('GET /h\u00e9alth HTTP/1.1', 'Host: x')],
  ['a broken percent sign', lines('GET /v1/users/%E0%A4%A HTTP/1.1', 'Host: x')],
  [
    'an upgrade to WebSocket',
    get(
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
    ),
  ],
  [
    'an upgrade to HTTP/2',
    get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
  ],
  ['an unknown transfer coding', `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
  ['chunks that are not last', `${post('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`],
  ['the same Content-Length twice', `${post('Content-Length: 2', 'Content-Length: 2')}{}`],
  ['a trailer', `${post('Transfer-Encoding: chunked', 'Trailer: X-Key')}2\r\n{}\r\n0\r\nX-Key: a\r\n\r\n`],
  ['a chunk extension', `${post('Transfer-Encoding: chunked')}2;a=${'b'.repeat(1_000)}\r\n{}\r\n0\r\n\r\n`],
  [
    'chunk extensions of 50 KB',
    `${post('Transfer-Encoding: chunked')}2;a=${'b'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a GET with a body', `${get('Content-Length: 5')}{"a":`],
  ['a cookie of nonsense', get('Cookie: ;;=;=a;%;svc_session')],
  ['a method override', get('X-HTTP-Method-Override: DELETE')],
  ['a Range', get('Range: bytes=0-3')],
  [
    'conditions',
    get('If-None-Match: *', 'If-Match: "x"', 'If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT'),
  ],
  ['an Accept of pictures only', get('Accept: image/png')],
];
for (const [name, bytes] of odd) {
  test(`proper, whatever the answer: ${name}`, async () => {
    const [answer] = await raw(run, Buffer.from(bytes, 'latin1'));
    assertProper(answer, name);
  });
}

const whole = (route: string, body: string, ...headers: string[]) => {
  const sent = { ...browser(app), 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  const all = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return `${lines(`POST ${route} HTTP/1.1`, 'Host: x', ...all, ...headers)}${body}`;
};

test('Expect: 100-continue is served', async () => {
  const body = JSON.stringify({ challenge_id: 'ch_x', descriptors: [Array(128).fill(1)] });
  const [answer] = await raw(run, whole('/v1/match', body, 'Expect: 100-continue'));
  assertProper(answer, 'continue');
  assert.is(answer.json.error.code, 'challenge_invalid');
});

test('requests on one connection are answered in their order, also after a failing one', async () => {
  const parts = [
    get(),
    lines('GET /nothing HTTP/1.1', 'Host: x'),
    whole('/v1/match', '{'),
    whole('/v1/match', 'x'.repeat(10)),
    get(),
  ];
  const answers = await raw(run, parts.join(''), parts.length);
  assert.equal(
    answers.map(answer => answer.status),
    [200, 404, 400, 400, 200],
  );
  for (const answer of answers) assertProper(answer, 'one of many');
  assert.is(new Set(answers.map(answer => answer.headers['x-request-id'])).size, parts.length);
});

for (const [line, status] of [
  ['GET /health', 413],
  ['GET /v1/me', 401],
  ['POST /nowhere', 404],
  ['POST /v1/match', 401],
] as const) {
  for (const size of [70_000, 262_144, 2_000_000]) {
    test(`${line} with ${size} bytes in one chunk does not hold up the next request of its connection`, async () => {
      const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;
      const first = `${lines(`${line} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked')}${chunk}`;
      const answers = await raw(run, first + get(), 2);
      assert.equal(
        answers.map(answer => answer.status),
        [status, 200],
      );
    });
  }
}

test('a body is never read as the next request', async () => {
  const smuggled = get('X-Smuggled: 1');
  const answers = await raw(
    run,
    whole('/v1/nothing', smuggled) + lines('GET /other HTTP/1.1', 'Host: x', 'Connection: close'),
    3,
  );
  assert.equal(
    answers.map(answer => answer.status),
    [404, 404],
  );
});

test('a refused credential is answered without waiting for the body', async () => {
  const [answer] = await raw(run, post('Content-Length: 1000', 'Origin: https://a.example'));
  assertProper(answer, 'no key');
  assert.is(answer.json.error.code, 'unauthorized');
});

const cut: [string, string][] = [
  ['in the request line', 'GET /hea'],
  ['in the headers', 'GET /health HTTP/1.1\r\nHost: x\r\nX-Th'],
  ['in the body', `${post('Content-Length: 100')}{"a":`],
  ['in a chunk', `${post('Transfer-Encoding: chunked')}ff\r\n{"a":`],
];
for (const [name, bytes] of cut) {
  test(`a request cut off ${name} ends the connection, and harms nobody`, async () => {
    const [answer] = await raw(run, bytes, 1, true);
    if (answer) assertProper(answer, name);
    assert.is((await call(run, 'GET', '/health')).status, 200);
  });
}

test.run();
