/** Verbs on keys: what each refuses, by field and code. */
import * as assert from 'uvu/assert';
import { createApp } from '../../src/domain/operating/apps.ts';
import { createKey, listKeys, revokeKey } from '../../src/domain/operating/keys.ts';
import { suite } from '../support/suite.ts';
import { operate, refused } from './operating.ts';

const test = suite('operating: keys');
const { deps, clock, close } = await operate();
test.after(close);

test("no room in the app's plan: refused until a key of that mode is revoked", async () => {
  const { id } = await createApp(deps, { name: 'Shop' });
  const make = () => createKey(deps, id, 'secret', 'live');
  const [first] = [await make(), await make(), await make()];
  assert.match(await refused('key', 'too_many_keys', make), /no room for another live key$/);
  await createKey(deps, id, 'secret', 'test');
  await revokeKey(deps, first.record.id);
  await make();
  assert.is((await listKeys(deps, id)).length, 5);
});

test('an app or a key that is not there', async () => {
  const message = 'there is no app "app_x"';
  assert.is(await refused('app', 'not_found', () => createKey(deps, 'app_x', 'secret', 'live')), message);
  assert.is(await refused('app', 'not_found', () => listKeys(deps, 'app_x')), message);
  assert.is(await refused('key', 'not_found', () => revokeKey(deps, 'key_x')), 'there is no key "key_x"');
});

test('revoking again keeps the first time', async () => {
  const { id } = await createApp(deps, { name: 'Shop' });
  const { record } = await createKey(deps, id, 'publishable', 'live');
  const at = clock.time;
  await revokeKey(deps, record.id);
  clock.time += 60_000;
  await revokeKey(deps, record.id);
  assert.equal(
    (await listKeys(deps, id)).map(({ revokedAt }) => revokedAt),
    [at],
  );
});

test.run();
