import * as assert from 'uvu/assert';
import { assertError, browser, call, server, soon } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('app');
const run = serviceFor(test);

const get = (headers = {}, path = '/v1/app') => call(run, 'GET', path, { headers });

for (const mode of ['live', 'test'] as const) {
  test(`a ${mode} secret key reads id and name of its app, nothing else`, async () => {
    const [app] = [await run.createApp({ name: 'Café 42 <b>' }), await run.createApp()];
    const answer = await get(server(app, mode));
    assert.is(answer.status, 200);
    assert.equal(answer.json, { id: app.id, name: 'Café 42 <b>' });
    assert.match(app.id, /^app_[0-9A-Za-z]{24}$/);
  });
}

test('a query and a body are ignored, also one that names another app', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  assert.is((await get(server(app), `/v1/app?app_id=${other.id}&app_id=%zz`)).json.id, app.id);
  const raw = JSON.stringify({ app_id: other.id });
  assert.is(
    (await call(run, 'GET', '/v1/app', { headers: server(app), raw, type: 'text/plain' })).json.id,
    app.id,
  );
});

test('a body above 64 KB is refused', async () => {
  const app = await run.createApp();
  const send = (size: number) => call(run, 'GET', '/v1/app', { headers: server(app), raw: 'x'.repeat(size) });
  assert.is((await send(65_536)).status, 200);
  assertError(await send(65_537), 'payload_too_large');
});

test('a publishable key is no credential here', async () => {
  const app = await run.createApp();
  assertError(await get(browser(app)), 'unauthorized');
  assertError(await get({ authorization: `Bearer ${app.live.pk}` }), 'unauthorized');
});

test('a new name is answered at once', async () => {
  const app = await run.createApp({ name: 'Before' });
  assert.is((await get(server(app))).json.name, 'Before');
  await run.cli(['app', 'update', app.id, '--name', 'After']);
  await soon(async () => (await get(server(app))).json.name === 'After', 'the new name');
});

test('the keys of a deleted app stop working at once', async () => {
  const app = await run.createApp();
  assert.is((await get(server(app))).status, 200);
  await run.cli(['app', 'delete', app.id, '--yes']);
  await soon(async () => (await get(server(app))).status === 401, 'no access to a deleted app');
  assertError(await call(run, 'POST', '/v1/challenges', { headers: browser(app) }), 'unauthorized');
});

test.run();
