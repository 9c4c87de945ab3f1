/** Verbs on apps: what each refuses, by field and code, and that a refused one changes nothing. */
import * as assert from 'uvu/assert';
import {
  addOrigins,
  createApp,
  deleteApp,
  findApp,
  listApps,
  removeOrigins,
  updateApp,
} from '../../src/domain/operating/apps.ts';
import { suite } from '../support/suite.ts';
import { operate, refused } from './operating.ts';

const test = suite('operating: apps');
const { deps, close } = await operate();
const [A, B] = ['https://a.example', 'https://b.example'];
test.after(close);

test('wrong fields are named, and nothing is made or changed', async () => {
  const app = await createApp(deps, { name: 'Shop', allowedOrigins: [A] });
  const rows: [object, string, RegExp][] = [
    [{ name: ' x' }, 'name', /^must be 1 to 100 characters/],
    [{ allowedOrigins: [B, `${A}/`] }, 'allowed_origins', /^"https:\/\/a\.example\/" is not a plain origin/],
    [{ plan: 'gold' }, 'plan', /^"gold" is not a plan: use one of free, standard, unlimited$/],
  ];
  for (const [fields, field, message] of rows) {
    const create = () => createApp(deps, { name: 'New', ...fields });
    assert.match(await refused(field, 'invalid_request', create), message);
    assert.match(await refused(field, 'invalid_request', () => updateApp(deps, app.id, fields)), message);
  }
  await refused('allowed_origins', 'invalid_request', () => addOrigins(deps, app.id, [B, 'null']));
  assert.equal(await listApps(deps), [app]);
});

test('an app that is not there: each verb says so alike', async () => {
  const verbs = [
    () => findApp(deps, 'app_x'),
    () => updateApp(deps, 'app_x', { name: 'y' }),
    () => addOrigins(deps, 'app_x', [A]),
    () => removeOrigins(deps, 'app_x', [A]),
    () => deleteApp(deps, 'app_x'),
  ];
  for (const verb of verbs) assert.is(await refused('app', 'not_found', verb), 'there is no app "app_x"');
});

test('an origin that is not on the list: it is named, and none is removed', async () => {
  const app = await createApp(deps, { name: 'Shop', allowedOrigins: [A] });
  const message = await refused('allowed_origins', 'not_found', () => removeOrigins(deps, app.id, [A, B]));
  assert.is(message, `"${B}" is not an origin of ${app.id}, so nothing was removed`);
  assert.equal(await findApp(deps, app.id), app);
});

test('an app is deleted once', async () => {
  const { id } = await createApp(deps, { name: 'Gone' });
  await deleteApp(deps, id);
  await refused('app', 'not_found', () => deleteApp(deps, id));
  await refused('app', 'not_found', () => findApp(deps, id));
});

test.run();
