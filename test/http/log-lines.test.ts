/** Lines of the log: which request each belongs to, and what the line of a request tells. */
import * as assert from 'uvu/assert';
import { requestFields } from '../../src/http/every-answer.ts';
import {
  assertError,
  browser,
  call,
  enrolled,
  faces,
  type Json,
  match,
  server,
  someEmail,
  soon,
} from '../support/client.ts';
import { requestCode } from '../support/codes.ts';
import { addLargeGallery } from '../support/large-gallery.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { raw } from '../support/raw.ts';
import { appFor, serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('log lines');
const inFile = inFileOnly(test);
const run = serviceFor(test);
const app = appFor(test, run);
const alone = serviceFor(test, { isAlone: true });

const lines = (of = run): Json[] => of.logs.map(line => JSON.parse(line));
const linesOf = (id: unknown, of = run): Json[] => lines(of).filter(({ requestId }) => requestId === id);
const bare = ({ level, time, pid, hostname, requestId, ms, ...reported }: Json) => reported;

/** The line of the request that was answered so. */
async function lineOf(answer: { headers: Json }): Promise<Json> {
  const id = answer.headers['x-request-id'];
  await soon(async () => linesOf(id).some(({ msg }) => msg === 'request'), 'the line of the request');
  const [line, ...others] = linesOf(id).filter(({ msg }) => msg === 'request');
  assert.equal(others, []);
  assert.type(line.ms, 'number');
  return bare(line);
}

const common = { msg: 'request' };

test('the line of a request has route, status, app and mode', async () => {
  const headers = server(app, 'test');
  const line = await lineOf(await call(run, 'GET', '/v1/users/usr_000000000000000000000000', { headers }));
  const known = { ...common, method: 'GET', route: '/v1/users/:id', app: app.id, mode: 'test' };
  assert.equal(line, { ...known, status: 404, code: 'not_found' });
  const { token } = await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(0)] });
  const me = await call(run, 'GET', '/v1/me', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(await lineOf(me), { ...known, route: '/v1/me', status: 200 });
});

test('a refusal has its code; the app is named as soon as the credential has told it', async () => {
  const refused = await match(run, app, { descriptors: [faces.stranger(1)] });
  const known = { ...common, method: 'POST', route: '/v1/match', app: app.id, mode: 'live' };
  assert.equal(await lineOf(refused), { ...known, status: 401, code: 'no_match' });
  const elsewhere = await call(run, 'POST', '/v1/match', {
    headers: browser(app, 'live', 'https://other.example'),
  });
  assert.equal(await lineOf(elsewhere), { ...known, status: 403, code: 'origin_not_allowed' });
  const { app: _, mode: __, ...rest } = known;
  const unknown = await call(run, 'POST', '/v1/match', { headers: { 'x-svc-key': 'x' } });
  assert.equal(await lineOf(unknown), { ...rest, status: 401, code: 'unauthorized' });
  const nowhere = await call(run, 'GET', `/v1/${app.id}`);
  assert.equal(await lineOf(nowhere), {
    ...common,
    method: 'GET',
    route: null,
    status: 404,
    code: 'not_found',
  });
});

test('what is no HTTP has a line with the id of its answer', async () => {
  for (const [bytes, code] of [
    ['NONSENSE\r\n\r\n', 'invalid_request'],
    ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'not_found'],
  ] as const) {
    const [answer] = await raw(alone, bytes);
    const id = answer?.headers['x-request-id'];
    await soon(async () => linesOf(id, alone).length > 0, 'a line');
    assert.equal(linesOf(id, alone).map(bare), [{ code, msg: 'no request' }]);
  }
});

test('a message that a request sends is logged under its id, also after the answer', async () => {
  const email = someEmail();
  await enrolled(run, app, { descriptors: [faces.genuine(2)], fields: { email } });
  const answer = await requestCode(run, app, email);
  const id = answer.headers['x-request-id'];
  await soon(async () => linesOf(id).length === 2, 'two lines');
  assert.equal(
    linesOf(id)
      .map(({ msg, by }) => [msg, by])
      .sort(),
    [
      ['mail sent', 'file'],
      ['request', undefined],
    ],
  );
});

test('requests at once do not take each other for their own, and jobs belong to none', async () => {
  const people = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const email = someEmail();
      await enrolled(run, app, { descriptors: [faces.genuine(10 + n)], fields: { email } });
      return email;
    }),
  );
  const before = lines().length;
  const answers = await Promise.all(people.map(email => requestCode(run, app, email)));
  await soon(
    async () =>
      lines()
        .slice(before)
        .filter(({ msg }) => /^(request|mail sent)$/.test(msg)).length === 16,
    'all lines',
  );
  for (const { headers } of answers)
    assert.equal(
      linesOf(headers['x-request-id'])
        .map(({ msg }) => msg)
        .sort(),
      ['mail sent', 'request'],
    );
  const jobs = lines().filter(({ msg }) => msg === 'job done');
  assert.ok(jobs.length > 0);
  for (const line of jobs) assert.equal(Object.keys(bare(line)), ['job', 'affected', 'msg']);
  assert.equal(requestFields(), {});
});

inFile('an error is logged under the id that the caller was given, with what went wrong', async () => {
  await using own = await startService({ env: { MATCH_MEMORY_MB: '1' } });
  const there = await own.createApp();
  addLargeGallery(own, there, 3_000);
  const answer = await match(own, there);
  assertError(answer, 'service_unavailable');
  const id = answer.headers['x-request-id'];
  await soon(async () => linesOf(id, own).some(({ msg }) => msg === 'request'), 'the line of the request');
  const messages = linesOf(id, own).map(({ level, msg }) => `${level} ${msg}`);
  assert.equal(messages, [
    '50 a gallery does not fit into MATCH_MEMORY_MB and is not loaded: raise it',
    '50 request failed',
    '30 request',
  ]);
});

test.run();
