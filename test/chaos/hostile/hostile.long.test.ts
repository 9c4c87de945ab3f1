/** The trial of attacks tells answers apart, and the one of logs finds what is planted and nothing else. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { KINDS, type Marker, markersOf } from '../../support/log-sink.ts';
import { suite } from '../../support/suite.ts';
import { searchFor } from '../logs/search.ts';
import { plantedLine } from '../logs/trial.ts';
import { answerReader, kindOf } from './answers.ts';
import { newAccount, strike, summaryOf } from './attack.ts';

const test = suite('chaos: hostile and logs');
const envelope = '{"error":{"code":"invalid_request","message":"No."}}';
const answer = (status: number, body: string) =>
  `HTTP/1.1 ${status} Text\r\nContent-Length: ${body.length}\r\nX: y\r\n\r\n${body}`;

test('answers are told apart, in pieces of any size', () => {
  const stream = Buffer.from(
    `HTTP/1.1 100 Continue\r\n\r\n${answer(200, '{}')}${answer(400, envelope)}${answer(500, 'oops')}${answer(204, '')}`,
  );
  for (const size of [1, 7, 64, stream.length]) {
    const kinds: string[] = [];
    const read = answerReader(kind => kinds.push(kind));
    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));
    assert.equal(
      kinds,
      ['200', '400 invalid_request', '500 outside the envelope', '204'],
      `pieces of ${size}`,
    );
  }
  assert.is(kindOf(404, envelope), '404 outside the envelope', 'a code of another status');
});

test('an end, an answer, a faulty answer and a service that holds on are told apart', async () => {
  const deeds = ['end', 'answer', 'fault', 'hold'];
  const server = createServer(socket => {
    socket
      .on('error', () => undefined)
      .once('data', data => {
        const action = data.toString();
        if (action === 'end') socket.destroy();
        if (action === 'answer') socket.write(answer(400, envelope));
        if (action === 'fault') socket.end(answer(503, '{}'));
      });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = deeds.map(name => newAccount(name));
  await Promise.all(
    accounts.map(account =>
      strike(base, account, {
        patienceMs: 300,
        answers: account.name === 'answer' ? 1 : 2,
        begin: socket => {
          socket.write(account.name);
          return undefined;
        },
      }),
    ),
  );
  server.close();
  type One = (typeof accounts)[0];
  const [end, answered, fault, hold] = accounts as [One, One, One, One];
  assert.equal([end.endedAfter.length, end.answers.size, end.held], [1, 0, 0]);
  assert.equal([...answered.answers], [['400 invalid_request', 1]]);
  assert.equal([...fault.answers], [['503 outside the envelope', 1]]);
  assert.equal([hold.held, hold.endedAfter.length], [1, 0]);
  assert.match(summaryOf(hold), /1 still open/);
});

const sent = {
  headers: { 'x-svc-key': 'svc_pk_live_AbCdEfGhIjKl', 'x-forwarded-for': '203.0.113.7, 198.51.100.4' },
  body: Buffer.from(
    JSON.stringify({
      email: 'mary@example.com',
      name: 'Grace',
      code: '314159',
      descriptors: [[0.123456789, 0.5]],
    }),
  ),
  answer: { token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJlLW9mLWEtdG9rZW4' },
};
const markers = markersOf(sent);
const index = searchFor(markers);
/** Kinds found in a line. */
const search = (line: string) => [...new Set(index.in(line).map(({ kind }) => kind))];

test('every kind of marker is gathered, and found where it is planted', () => {
  assert.equal([...new Set(markers.map(([kind]) => kind))].sort(), [...KINDS].sort());
  for (const marker of markers) {
    assert.equal(search(plantedLine(marker)), [marker[0]], marker[1]);
    const upper: Marker = [marker[0], marker[1].toUpperCase()];
    assert.equal(search(plantedLine(upper)), [marker[0]], 'in other letters');
  }
  const number = JSON.stringify({ probe: [0.123456789] });
  assert.equal(search(number), ['descriptor'], 'as a number of JSON');
  assert.equal(search('at c2lnbmF0dXJlLW9mLWEtdG9rZW4'), ['token'], 'a signature alone, in no JSON');
  assert.equal(search('{"cause":"for \\"314159\\""}'), ['code']);
});

test('what tests send on purpose is taken as it comes', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  for (const body of [`{"descriptors":[[${deep}]],"name":${deep}}`, '[]', 'null', '{"email":', '\xff'])
    assert.equal(
      markersOf({ headers: {}, body: Buffer.from(body), answer: undefined }),
      [],
      body.slice(0, 40),
    );
});

test('what only looks like a marker is not found', () => {
  const usual = {
    level: 'info',
    time: 1773576000000,
    requestId: 'req_314159',
    method: 'POST',
    status: 200,
    ms: 314159,
  };
  for (const line of [
    JSON.stringify(usual),
    '{"file":"2026-01-01T10-00-00.000Z-314159-x.json","msg":"Graceful"}',
    '{"pid":314159,"at":"1203.0.113.71"}',
  ])
    assert.equal(search(line), [], line);
});

test.run();
