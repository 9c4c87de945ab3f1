/** One origin more or less: idempotent, all or none, and never a loss beside another change. */
import * as assert from 'uvu/assert';
import type { AdminDeps } from '../../src/domain/deps.ts';
import { addOrigins, removeOrigins } from '../../src/domain/operating/apps.ts';
import type { Json } from '../support/client.ts';
import { assertRefused, json, madeDataDir, text, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { inStore } from './sealed-folder.ts';

const test = suite('cli: app origins');
const env = { DATA_DIR: await madeDataDir() };
const [A, B, C] = ['https://a.example', 'https://b.example', 'http://localhost:3000'];
let app: Json;
test.before(async () => {
  app = (await json(['app', 'create', '--name', 'Shop', '--origin', A], env, within)).app;
});

const origins = async () => (await json(['app', 'show', app.id], env, within)).app.allowed_origins;

test('add-origin and remove-origin change the list by what is named, and answer the whole app', async () => {
  const added = await json(['app', 'add-origin', app.id, B, C], env, within);
  assert.equal(added, { app: { ...app, allowed_origins: [A, B, C] } });
  const removed = await json(['app', 'remove-origin', app.id, A, C], env, within);
  assert.equal(removed, { app: { ...app, allowed_origins: [B] } });
  assert.match(
    await text(['app', 'add-origin', app.id, A], env),
    /^origins +https:\/\/b\.example https:\/\/a\.example$/m,
  );
  assert.equal(await origins(), [B, A]);
});

test('adding one that is there changes nothing; removing one that is not is exit 1, and removes none', async () => {
  await json(['app', 'update', app.id, '--origin', A, '--origin', B], env, within);
  assert.equal((await json(['app', 'add-origin', app.id, A, A], env, within)).app.allowed_origins, [A, B]);
  assertRefused(
    await within(['app', 'remove-origin', app.id, A, C], env),
    1,
    /"http:\/\/localhost:3000" is not an origin of app_/,
  );
  assert.equal(await origins(), [A, B]);
});

test('twenty at once lose none of each other', async () => {
  const many = Array.from({ length: 20 }, (_, i) => `https://p${i}.example`);
  await inStore(env.DATA_DIR, async store => {
    const deps = { store, settings: { plans: new Map() } } as unknown as AdminDeps;
    await Promise.all(many.map(origin => addOrigins(deps, app.id, [origin])));
    const listed = (await store.findApp(app.id))?.allowedOrigins ?? [];
    assert.equal(
      many.filter(origin => !listed.includes(origin)),
      [],
    );
    await Promise.all(many.map(origin => removeOrigins(deps, app.id, [origin])));
    assert.equal(many.filter(origin => listed.includes(origin)).length, 20);
  });
  assert.equal(
    (await origins()).filter((origin: string) => many.includes(origin)),
    [],
  );
});

test.run();
