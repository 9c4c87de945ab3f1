/** The service asks nothing of its store but the port: on one without SQL and without a file, people sign in all the same. */
import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { keyedHashes } from '../../src/adapters/secrets/hashes.ts';
import { Data } from '../contract/memory-store/data.ts';
import { memoryStore } from '../contract/memory-store/store.ts';
import { assertError, call, enrolled, faces, match, server, verify } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('memory store');

test('enrolment, sign-in, a stranger, verification and deletion work, and no database is made', async () => {
  const data = new Data();
  const secrets = keyedHashes(Buffer.alloc(32, 7));
  const run = await startService({ openStore: async () => ({ store: memoryStore(data), secrets }) });
  try {
    const app = await run.createApp();
    const { user } = await enrolled(run, app);
    const signedIn = await match(run, app);
    assert.equal(signedIn.json.user, user);
    assert.is((await verify(run, app, signedIn.json.token)).json.valid, true);
    assertError(await match(run, app, { descriptors: [faces.genuine(1)] }), 401, 'no_match');
    assert.is((await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(app) })).status, 204);
    assert.is((await verify(run, app, signedIn.json.token)).json.valid, false);
    assertError(await match(run, app), 401, 'no_match');
    assert.not(readdirSync(run.dataDir).some(name => name.endsWith('.db')));
  } finally {
    await run.close();
  }
});

test.run();
