/**
 * A server under sign-ins and enrolments, while the master secret is rotated twice, every key is replaced twice, and apps
 * and signing keys are made beside it: nothing fails, people sign in with the faces of before and of meanwhile, and
 * everything opens with the secret that is in the file at the end.
 */
import * as assert from 'uvu/assert';
import { enroll, enrolled, faces, match, verify } from '../support/client.ts';
import { masterSecretOf } from '../support/data-keys.ts';
import { NO_LIMITS } from '../support/no-limits.ts';
import { json, madeDataDir, serve } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { inStore } from './sealed-folder.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: rotation under load');
const AT_FIRST = 40;

test('rotation and rekeying beside a server under load: nothing fails, and all of it opens', async () => {
  const env = { DATA_DIR: await madeDataDir(), ...NO_LIMITS };
  const server = await serve(env);
  const run = { base: server.base } as Running;
  const shop = await newApp(env, 'Shop', 'unlimited');
  const person = (n: number) => ({
    descriptors: [faces.genuine(n)],
    fields: { email: `p${n}@mail.example` },
  });
  for (let i = 0; i < AT_FIRST; i++) await enrolled(run, shop, person(i));
  const first = masterSecretOf(env.DATA_DIR);

  let known = AT_FIRST;
  let going = true;
  const seen = { signIns: 0, enrolments: 0 };
  const signIns = async (from: number) => {
    for (let i = from; going; i++) {
      const answer = await match(run, shop, { descriptors: [faces.genuine(i % known, 1)] });
      assert.is(answer.status, 200, answer.text);
      seen.signIns += 1;
    }
  };
  const enrolments = async () => {
    while (going) {
      const answer = await enroll(run, shop, person(known));
      assert.is(answer.status, 201, answer.text);
      known += 1;
      seen.enrolments += 1;
    }
  };
  const load = Promise.all([signIns(0), signIns(7), enrolments()]).finally(() => {
    going = false;
  });

  const fresh: TestApp[] = [];
  const changes = async () => {
    for (let round = 0; round < 2; round++) {
      await json(['master-secret', 'rotate', '--yes'], env);
      await json(['master-secret', 'destroy-old', '--yes'], env);
      // Its key is made by the server, which has to find the new secret for it.
      const app = await newApp(env, `Fresh ${round}`);
      await enrolled(run, app, person(0));
      fresh.push(app);
      await json(['signing-key', 'rotate', '--now', '--revoke-old'], env);
      const { rekeyed } = await json(['app', 'rekey', '--all'], env);
      assert.is(rekeyed.length, fresh.length + 2);
      // And this one's by a command.
      const { token } = (await match(run, app, {})).json;
      assert.is((await verify(run, app, token)).json.valid, true);
    }
  };
  await changes().finally(() => {
    going = false;
  });
  await load;
  assert.ok(seen.signIns > 20 && seen.enrolments > 5, JSON.stringify(seen));
  assert.not(masterSecretOf(env.DATA_DIR).equals(first));
  await server.stop();
  const faults = server.printed.stdout.split('\n').filter(line => /"level":"(warn|error|fatal)"/.test(line));
  assert.equal(faults, []);

  const again = await serve(env);
  for (const n of [0, AT_FIRST - 1, AT_FIRST, known - 1])
    assert.is(
      (await match({ base: again.base } as Running, shop, { descriptors: [faces.genuine(n, 1)] })).status,
      200,
    );
  for (const app of fresh) assert.is((await match({ base: again.base } as Running, app, {})).status, 200);
  await again.stop();
  await inStore(env.DATA_DIR, async store => {
    const { added, to } = await store.galleryChanges({ appId: shop.id, mode: 'live' }, 0, 1_000_000);
    assert.equal([added.count, to], [known, known], 'the gallery’s sequence counts enrolments alone');
  });
});

test.run();
