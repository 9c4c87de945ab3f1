/**
 * Bytes that are HTTP almost, with a valid credential: request lines, heads up to and over the limits, bodies whose
 * length is told wrongly or twice, several requests in one go, and all of it cut or damaged at any byte.
 */
import fc from 'fast-check';
import { KEY_HEADER } from '../../src/brand.ts';
import type { TestApp } from '../support/service.ts';

export interface RawCase {
  readonly kind: string;
  /** One character a byte. */
  readonly bytes: string;
  /** Where every request is whole: the statuses that must come. Otherwise the caller hangs up behind the bytes. */
  readonly statuses?: readonly number[];
}

const CRLF = '\r\n';
const lines = (...all: string[]) => `${all.join(CRLF)}${CRLF}${CRLF}`;
const of = <T>(...all: T[]) => fc.constantFrom(...all);
const hex = (n: number) => n.toString(16);

// biome-ignore format: a list to be read at one go
const METHODS = [
  'GET', 'POST', 'DELETE', 'OPTIONS', 'PATCH', 'get', 'CONNECT', 'PRI', 'TRACE', '', 'G\u0000T',
  'X'.repeat(300), '\u00ffGET',
];
// biome-ignore format: a list to be read at one go
const TARGETS = [
  '/health', '/v1/match', '*', '/', '', 'health', '//health', 'http://x/health',
  'https://evil.example/v1/app', 'http://', 'http://[', 'x:80', '/v1/users/%', '/\u00ff', '/a b',
  '/\u0000', '/?', '/#', '?', `/${'a'.repeat(20_000)}`, 'ftp://x/health',
];
// biome-ignore format: a list to be read at one go
const VERSIONS = [
  'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.10', 'http/1.1', 'HTTP/1.1 x', '', 'HTTP/',
  'ICE/1.0',
];
const BREAKS = [CRLF, '\n', '\r', '\r\r\n', ' \r\n'];
// biome-ignore format: a list to be read at one go
const HEADERS = [
  'Host: x', 'Host:', 'Host: x\r\nHost: y', 'Host : x', ': x', 'x', 'X-A: \u0000', 'X-A: a\u0001',
  ' folded', '\tfolded', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: +2',
  'Content-Length: 2, 2', 'Content-Length: 0x2', 'Content-Length:', 'Content-Length: 99999999999999999999',
  'Content-Length: 2\r\nContent-Length: 3', 'Content-Length: 1e1', 'Content-Length: 2 ',
  'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: x', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding : chunked', 'transfer-encoding: CHUNKED', 'Transfer-Encoding: identity',
  'Transfer-Encoding:\u000bchunked', 'Expect: 100-continue', 'Expect: x',
  'Upgrade: websocket\r\nConnection: Upgrade', 'Connection: close',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AA',
  'Connection: keep-alive, upgrade', 'Trailer: X', 'TE: trailers', 'Cookie: a=\u00ff', 'Origin: \u00ff',
  'Authorization: \u00ff', 'X-\u00ff: a', 'X-A: \u00ff\u00fe', 'Proxy-Connection: x',
  'Keep-Alive: timeout=-1',
];
// biome-ignore format: a list to be read at one go
const SIZES = [
  '', 'x', '-1', '0x2', '+2', ' 2', '2 ', 'ffffffff', 'f'.repeat(17), '00000002', '2;a=b', '2;',
  '2 ;a="\u0000"', `2;${'a'.repeat(20_000)}`, '\n',
];

export function rawCase(app: TestApp): fc.Arbitrary<RawCase> {
  const own = [
    'Host: x',
    `${KEY_HEADER}: ${app.live.pk}`,
    `Origin: ${app.origin}`,
    'Content-Type: application/json',
  ];
  const body = JSON.stringify({ challenge_id: 'ch_x', descriptors: [Array(128).fill(0.5)] });
  const head = (...more: string[]) => lines('POST /v1/match HTTP/1.1', ...own, ...more);
  const whole = head(`Content-Length: ${body.length}`) + body;
  const get = lines('GET /v1/app HTTP/1.1', 'Host: x', `Authorization: Bearer ${app.live.sk}`);
  const chunk = (size: string, data: string) => `${size}${CRLF}${data}${CRLF}`;
  const chunked = head('Transfer-Encoding: chunked');
  const goodChunks = chunk(hex(body.length), body) + chunk('0', '');

  const requests: readonly [string, number][] = [
    [get, 200],
    [whole, 400],
    [head('Content-Length: 0'), 400],
    [chunked + goodChunks, 400],
    [lines('GET /nothing HTTP/1.1', 'Host: x'), 404],
    [`${CRLF}${get}`, 200],
  ];
  const kinds: Record<string, fc.Arbitrary<string>> = {
    'request line': fc
      .tuple(
        of(...METHODS),
        of(' ', '  ', '\t', ''),
        of(...TARGETS),
        of(' ', ' ', ''),
        of(...VERSIONS),
        of(...BREAKS),
      )
      .map(
        ([method, a, target, b, version, end]) =>
          `${method}${a}${target}${b}${version}${end}Host: x${CRLF}${CRLF}`,
      ),
    headers: fc
      .tuple(fc.array(of(...HEADERS), { minLength: 1, maxLength: 4 }), of(...BREAKS), of('', '{}', body))
      .map(
        ([all, end, rest]) =>
          ['POST /v1/match HTTP/1.1', ...own.slice(1), ...all].join(end) + end + end + rest,
      ),
    flood: fc
      .tuple(
        of(1, 10, 100, 1_000, 1_990, 2_001, 5_000),
        of(0, 1, 50, 150, 1_500, 15_000, 15_900, 16_384, 70_000),
      )
      .filter(([count, length]) => count * (length + 8) < 400_000)
      .map(([count, length]) =>
        head(
          ...Array.from({ length: count }, (_, n) => `X-${n}: ${'a'.repeat(length)}`),
          'Content-Length: 2',
        ),
      ),
    'chunk sizes': fc
      .tuple(of(...SIZES), of(CRLF, '\n', ''), of('{}', '', body))
      .map(([size, end, data]) => `${chunked}${size}${end}${data}${CRLF}0${CRLF}${CRLF}`),
    'two lengths': fc
      .tuple(
        of(...HEADERS.filter(one => /length|encoding/i.test(one))),
        of(...HEADERS.filter(one => /length|encoding/i.test(one))),
        of(body, goodChunks, '{}', ''),
      )
      .map(([a, b, rest]) => head(a, b) + rest),
    'wrong length': fc
      .integer({ min: -3, max: 5 })
      .map(by => head(`Content-Length: ${body.length + by}`) + body),
    cut: fc
      .tuple(of(whole, get, chunked + goodChunks), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([all, part]) => all.slice(0, Math.floor(part * all.length))),
    damaged: fc
      .tuple(
        of(whole, get, chunked + goodChunks),
        fc.array(fc.tuple(fc.noBias(fc.nat({ max: 5_000 })), fc.nat({ max: 255 }), of(0, 1, 2)), {
          minLength: 1,
          maxLength: 4,
        }),
      )
      .map(([all, edits]) => edits.reduce(damage, all)),
    noise: fc.uint8Array({ minLength: 1, maxLength: 300 }).map(all => Buffer.from(all).toString('latin1')),
  };
  const certain: Record<string, fc.Arbitrary<[bytes: string, ...statuses: number[]]>> = {
    pipeline: fc
      .array(of(...requests), { minLength: 2, maxLength: 12 })
      .map(all => [all.map(([bytes]) => bytes).join(''), ...all.map(([, status]) => status)]),
    // What is left of a body that is refused must not stand before the next request on its connection.
    'too large': fc
      .tuple(
        of('POST /v1/match', 'POST /v1/challenges', 'GET /v1/app', 'GET /health'),
        of(65_537, 131_073, 262_145, 400_000, 1_000_000),
        fc.boolean(),
      )
      .map(([to, size, inChunks]) => {
        const credential = to === 'GET /v1/app' ? `Authorization: Bearer ${app.live.sk}` : 'X-A: a';
        const length = inChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`;
        const large = 'a'.repeat(size);
        const sent = inChunks ? chunk(hex(size), large) + chunk('0', '') : large;
        return [lines(`${to} HTTP/1.1`, ...own, credential, length) + sent + get, 413, 200];
      }),
    'old version': of(
      ['GET /health HTTP/1.0\r\n\r\n', 200],
      [whole.replace('HTTP/1.1', 'HTTP/1.0'), 400],
      [(chunked + goodChunks).replace('HTTP/1.1', 'HTTP/1.0'), 400],
    ),
    chunks: fc
      .tuple(
        fc.integer({ min: 1, max: body.length - 1 }),
        of<[string, number]>(
          ['', 400],
          ['X-T: a\r\n', 400],
          ['Content-Length: 5\r\n', 400],
          ['X: a\r\n'.repeat(3_000), 431],
          ['x\r\n', 400],
        ),
      )
      .map(([n, [trailer, status]]) => {
        const chunks = [body.slice(0, n), body.slice(n)].map(part => chunk(hex(part.length), part));
        return [`${chunked}${chunks.join('')}0${CRLF}${trailer}${CRLF}`, status];
      }),
  };
  return fc.oneof(
    ...Object.entries(kinds).map(([kind, all]) => all.map(bytes => ({ kind, bytes }))),
    ...Object.entries(certain).map(([kind, all]) =>
      all.map(([bytes, ...statuses]) => ({ kind, bytes, statuses })),
    ),
  );
}

/** Mostly in the head, where a byte means more. */
function damage(text: string, [at, byte, how]: readonly [number, number, number]): string {
  const n = at % Math.min(text.length, 400);
  return text.slice(0, n) + (how === 0 ? '' : String.fromCharCode(byte)) + text.slice(how === 2 ? n : n + 1);
}
