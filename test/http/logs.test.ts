/** The log tells of requests, and holds nothing that belongs to a person or opens a door. */
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import {
  type Answer,
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
import { CODES_PATH, freshCode, VERIFY_PATH, verifyCode, wrongCode } from '../support/codes.ts';
import {
  addTemplates,
  bearer,
  changeCode,
  confirmChange,
  deleteMe,
  getMe,
  loggedSecret,
  logout,
  ME_ROUTES,
  rename,
  requestChange,
} from '../support/me.ts';
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

test('nor is any of it on the routes of a user, or a code', async () => {
  const app = await run.createApp({ firstParty: true });
  const person = { email: 'mary.somerville@example.com', name: 'Mary Somerville' };
  const first = await enrolled(run, app, { fields: person });
  const token = first.token;
  const second = (await match(run, app)).json.token;
  const answers: Answer[] = [await getMe(run, token), await rename(run, token, 'Caroline Herschel')];
  answers.push(await rename(run, token, 'Ada\u0000Lovelace'));
  const taken = await enrolled(run, app, {
    descriptors: [faces.genuine(1)],
    fields: { email: 'taken.person@example.com' },
  });
  answers.push(await requestChange(run, token, taken.user.email));
  answers.push(await requestChange(run, token, 'no.address@'));
  const code = await changeCode(run, token, 'caroline.herschel@example.com');
  const wrong = wrongCode(code);
  answers.push(await confirmChange(run, token, wrong), await confirmChange(run, token, code));
  const own = 'caroline.herschel@example.com';
  const signIn = await freshCode(run, app, own);
  for (const [email, guess] of [
    [own, wrongCode(signIn)],
    ['no.address@example.com', wrong],
    [own, signIn],
  ])
    answers.push(await verifyCode(run, app, email, guess));
  for (const raw of [`{"email":"${own}"`, `{"email":"${own},${own}"}`])
    for (const path of [CODES_PATH, VERIFY_PATH])
      answers.push(
        await call(run, 'POST', `${path}?email=${own}&code=${signIn}`, { headers: browser(app), raw }),
      );
  const added = await addTemplates(run, app, token, [faces.genuine(0, 3)]);
  answers.push(added, await addTemplates(run, app, token, [faces.stranger(3)]));
  for (const [method, path] of ME_ROUTES)
    for (const raw of [`{"name":"${person.name}"`, `"${token}"`])
      if (method !== 'DELETE' && !path.endsWith('logout'))
        answers.push(await call(run, method, `${path}?token=${token}`, { headers: bearer(token), raw }));
  answers.push(await call(run, 'GET', '/v1/me', { headers: bearer(`${token}x`) }));
  answers.push(
    await call(run, 'POST', '/v1/me/logout', {
      headers: { cookie: `svc_session=${second}`, origin: app.origin },
    }),
  );
  answers.push(await logout(run, token), await logout(run, token));
  answers.push(await deleteMe(run, added.json.token), await getMe(run, added.json.token));
  await call(run, 'GET', '/v1/app', { headers: server(app) });
  const statuses = new Set(answers.map(answer => answer.status));
  for (const status of [200, 201, 204, 400, 401, 404, 409])
    assert.ok(statuses.has(status), `an answer ${status}`);
  assert.ok(run.logs.length > answers.length, 'requests are logged');
  const secrets = [
    ...[token, second, added.json.token].flatMap((one: string) => [one, one.split('.')[2] ?? '']),
    ...[person.email, 'caroline.herschel@example.com', 'taken.person@example.com', 'no.address'],
    ...['Somerville', 'Herschel', 'Lovelace', code, wrong, signIn, wrongCode(signIn)],
    ...[0, 64, 127].map(index => String(faces.genuine(0, 3)[index])),
  ];
  assert.is(loggedSecret(run, secrets), undefined);
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

test.run();
