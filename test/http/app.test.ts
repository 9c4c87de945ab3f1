import * as assert from 'uvu/assert';
import { call, server, soon } from '../support/client.ts';
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

test('a query is ignored, also one that names another app', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  assert.is((await get(server(app), `/v1/app?app_id=${other.id}&app_id=%zz`)).json.id, app.id);
});

test('a new name is answered at once', async () => {
  const app = await run.createApp({ name: 'Before' });
  assert.is((await get(server(app))).json.name, 'Before');
  await run.cli(['app', 'update', app.id, '--name', 'After']);
  await soon(async () => (await get(server(app))).json.name === 'After', 'the new name');
});

test.run();
