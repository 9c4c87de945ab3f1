/** Those who send much, or what grows: compressed bodies, headers, chunks, requests before their answers. */
import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip, gzipSync } from 'node:zlib';
import { type Account, drip, keepUp, newAccount, strike } from './attack.ts';
import type { Target } from './target.ts';

const GB = 1024 ** 3;
const ATTACKERS = 4;
const PATIENCE_MS = 30_000;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const head = ({ app }: Target, path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: flood.example\r\nX-Svc-Key: ${app.live.pk}\r\nOrigin: ${app.origin}\r\n${more}\r\n`;

/** Its only kinds of answers; none: the connection's end is enough. */
const only = (name: string, kinds: readonly string[]) =>
  newAccount(name, ({ answers, held }) => [
    ...[...answers.keys()].filter(kind => !kinds.includes(kind)).map(kind => `answered ${kind}`),
    held > 0 ? `${held} without an answer or an end` : '',
  ]);

/** Zeros, compressed. */
async function bomb(packer: Transform): Promise<Buffer> {
  const zeros = Buffer.alloc(1024 * 1024);
  const parts: Buffer[] = [];
  packer.on('data', part => parts.push(part));
  for (let sent = 0; sent < GB; sent += zeros.length)
    if (!packer.write(zeros)) await new Promise(resolve => packer.once('drain', resolve));
  const done = new Promise(resolve => packer.once('end', resolve));
  packer.end();
  await done;
  return Buffer.concat(parts);
}

export async function bombs(target: Target, seconds: number): Promise<Account[]> {
  const gzip = await bomb(createGzip());
  const packed: [string, Buffer][] = [
    ['gzip', gzip],
    ['br', await bomb(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))],
    ['deflate', await bomb(createDeflate())],
    ['gzip, gzip', gzipSync(gzip)],
  ];
  const floods = packed.map(([encoding, body]): Flood => {
    const more = `${JSON_TYPE}Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n`;
    const bytes = Buffer.concat([Buffer.from(head(target, '/v1/enroll', more)), body]);
    const name = `1 GB of zeros as ${encoding} (${body.length.toLocaleString('en')} bytes)`;
    return [name, bytes, 1, ['415 unsupported_media_type']];
  });
  return flooded(target, seconds, floods);
}

type Flood = readonly [name: string, bytes: string | Buffer, answers: number, kinds: readonly string[]];

/** Each flood for its part of the time; an attacker leaves when he has his answers. */
async function flooded({ base }: Target, seconds: number, floods: readonly Flood[]): Promise<Account[]> {
  const all: Account[] = [];
  for (const [name, bytes, answers, kinds] of floods) {
    const account = only(name, kinds);
    all.push(account);
    const begin = (socket: Socket) => {
      socket.write(bytes);
      return undefined;
    };
    const again = () => strike(base, account, { patienceMs: PATIENCE_MS, answers, begin });
    await keepUp(seconds / floods.length, ATTACKERS, again);
  }
  return all;
}

const open = 'POST /v1/challenges HTTP/1.1\r\nHost: flood.example\r\n';

export async function headerFloods(target: Target, seconds: number): Promise<Account[]> {
  const many = Array.from({ length: 5_000 }, (_, n) => `x-${n}: ${n}\r\n`).join('');
  const tooLarge = ['431 headers_too_large'];
  const floods: Flood[] = [
    ['5,000 headers', `${open}${many}\r\n`, 1, tooLarge],
    ['a header of 100 KB', `${open}x-large: ${'a'.repeat(100_000)}\r\n\r\n`, 1, tooLarge],
    ['a path of 100 KB', `POST /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`, 1, tooLarge],
  ];
  return flooded(target, seconds, floods);
}

const PIPELINED = 10_000;

export async function pipelines(target: Target, seconds: number): Promise<Account[]> {
  const bare = `${open}Content-Length: 0\r\n\r\n`.repeat(PIPELINED);
  const keyed = head(target, '/v1/challenges', 'Content-Length: 0\r\n').repeat(PIPELINED);
  const floods: Flood[] = [
    ['10,000 requests without a key before the first answer', bare, PIPELINED, ['401 unauthorized']],
    ['10,000 requests with a key before the first answer', keyed, PIPELINED, ['200', '429 rate_limited']],
  ];
  return flooded(target, seconds, floods);
}

const BODY_BYTES = 65_536;
const CHUNKED = `${JSON_TYPE}Transfer-Encoding: chunked\r\n`;
/** Request timeout and check of src/http/server.ts, and some seconds for a busy machine. */
const ENDLESS_MS = 65_000;
const ENDLESS = 50;

export async function chunkFloods(target: Target, seconds: number): Promise<Account[]> {
  const begin = head(target, '/v1/match', CHUNKED);
  const single = (bytes: number) => `1\r\n{\r\n${'1\r\n \r\n'.repeat(bytes - 2)}1\r\n}\r\n0\r\n\r\n`;
  const invalid = ['400 invalid_request'];
  const floods: Flood[] = [
    ['a chunk extension of 1 MB', `${begin}1;a=${'b'.repeat(1_000_000)}\r\n{\r\n`, 1, invalid],
    [
      '100,000 chunks with extensions',
      begin + '1;a=b\r\n \r\n'.repeat(100_000),
      1,
      ['413 payload_too_large'],
    ],
    ['65,536 chunks of 1 byte', begin + single(BODY_BYTES), 1, invalid],
    ['65,537 chunks of 1 byte', begin + single(BODY_BYTES + 1), 1, ['413 payload_too_large']],
  ];
  const all = await flooded(target, seconds, floods);
  const name = `${ENDLESS} endless chunked bodies: answered, and ended within 60 s`;
  const endless = only(name, ['413 payload_too_large', '400 invalid_request']);
  const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
  await Promise.all(
    Array.from({ length: ENDLESS }, () =>
      strike(target.base, endless, {
        patienceMs: ENDLESS_MS,
        begin: socket => {
          socket.write(begin);
          return drip(socket, 25, () => chunk);
        },
      }),
    ),
  );
  return [...all, endless];
}
