/** The log tells of requests, and holds nothing that belongs to a person or opens a door. */
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import {
  browser,
  call,
  challenge,
  consent,
  enroll,
  enrolled,
  faces,
  match,
  server,
  verify,
} from '../support/client.ts';
import { raw } from '../support/raw.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('logs');
const run = serviceFor(test, { env: { LIMIT_IP_PER_MINUTE: '30', LOG_LEVEL: 'debug' }, isAlone: true });

test('no key, token, email, name, address or descriptor is logged, whatever becomes of the request', async () => {
  const app = await run.createApp({ name: 'Somerville App' });
  const ip = '203.0.113.77';
  const person = { email: 'mary.somerville@example.com', name: 'Mary Somerville' };
  const { token } = await enrolled(run, app, { ip, fields: person });
  const found = await match(run, app, { ip });
  await match(run, app, { ip, descriptors: [faces.stranger(1)] });
  await enroll(run, app, { ip, fields: person });
  await enroll(run, app, { ip, fields: { ...person, liveness: 'Mary Somerville' } });
  await verify(run, app, token);
  await verify(run, app, `${token}x`);
  const { challenge_id } = await challenge(run, app, 'live', ip);
  const json = { challenge_id, descriptors: [faces.genuine(0)], consent, ...person };
  const broken = `${JSON.stringify(json)}}`;
  for (const path of ['/v1/enroll', '/v1/match', '/v1/tokens/verify', '/v1/nothing']) {
    await call(run, 'POST', path, { headers: { ...browser(app), ...server(app) }, ip, raw: broken });
    await call(run, 'POST', path, { headers: browser(app), ip, raw: broken, type: 'text/plain' });
    await call(run, 'POST', path, {
      headers: browser(app, 'live', 'https://other.example'),
      ip,
      raw: broken,
    });
    await call(run, 'POST', path, { ip, raw: broken });
  }
  const query = `?email=${person.email}&key=${app.live.sk}&token=${token}&ip=${ip}`;
  await call(run, 'GET', `/v1/app${query}`, { headers: server(app), ip });
  await call(run, 'GET', `/v1/${token}${query}`, { ip });
  await call(run, 'POST', '/v1/challenges', { headers: { ...browser(app), 'x-svc-key': app.live.sk }, ip });
  await raw(run, `GET /${app.live.sk} HTTP/9.9\r\nAuthorization: Bearer ${app.live.sk}\r\n\r\n`);
  for (let n = 0; n < 31; n++) await call(run, 'POST', '/v1/challenges', { headers: browser(app), ip });

  const secrets = [
    ...[app.live, app.test].flatMap(keys => [keys.pk, keys.sk]),
    ...[token, found.json.token].flatMap((text: string) => [text, text.split('.')[2] ?? '']),
    person.email,
    'Somerville',
    ip,
    '127.0.0.1',
    ...[0, 1, 64, 127].map(index => String(faces.genuine(0)[index])),
    ...[0, 1, 64, 127].map(index => String(faces.genuine(0, 1)[index])),
  ];
  const requests = run.logs.filter(line => !line.includes('"listening"'));
  assert.ok(requests.length > 0, 'something is logged');
  for (const line of requests) {
    assert.ok(JSON.parse(line), 'a line of JSON');
    for (const secret of secrets)
      assert.not.ok(line.toLowerCase().includes(secret.toLowerCase()), `${secret} in ${line}`);
  }
});

for (const path of ['/v1/challenges', '/v1/match'])
  test(`a client that leaves in the middle of a body for ${path} is no fault of the service`, async () => {
    const app = await run.createApp();
    const { hostname, port } = new URL(run.base);
    const sent = { ...browser(app), 'content-type': 'application/json', 'content-length': '100' };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    const before = run.logs.length;
    const ended = () => run.logs.slice(before).find(line => line.includes('"route"'));
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n{"a"`);
    await new Promise(next => setTimeout(next, 50));
    socket.destroy();
    while (!ended()) await new Promise(next => setTimeout(next, 5));
    const reported = run.logs.slice(before).filter(line => /request failed|"status":5/.test(line));
    assert.equal(reported, []);
  });

test('a request id in an answer finds the request in the log', async () => {
  const app = await run.createApp();
  const answer = await call(run, 'GET', '/v1/app', { headers: server(app) });
  const id = String(answer.headers['x-request-id']);
  await new Promise(resolve => setTimeout(resolve, 50));
  assert.ok(
    run.logs.some(line => line.includes(id)),
    'the id in a line',
  );
});

test.run();
