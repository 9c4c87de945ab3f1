/** Nodes that deliver webhooks and die: nothing is lost, and another one takes over. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import { openAdmin } from '../../src/service/data.ts';
import { enrolled } from '../contract/fixtures.ts';
import { makeTestApp } from '../support/apps.ts';
import { soon } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import { hasPostgres } from '../support/postgres.ts';
import { type Env, madeDataDir, newDataDir, type Server, serve } from '../support/process.ts';
import { copyOfReady, serverWithReady, TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { suite } from '../support/suite.ts';
import { receiver } from './receivers.ts';

const TAKEN_OVER_MS = 30_000;
const test = suite('webhooks: killed');

/** An app with a webhook, and a way to let things happen to its users. */
async function given(settings: Env, url: string) {
  const admin = await openAdmin(loadConfig(settings));
  const { store, random } = admin.deps;
  const { id: appId } = await makeTestApp(admin, {});
  const gallery = { appId, mode: 'live' as const };
  const id = 'wh_000000000000000000000001';
  const made = { id, gallery, url, description: '', secrets: [newSecret(random)], createdAt: Date.now() };
  await store.createWebhook({ ...made, events: ['*'] }, 10);
  // Whoever signs out has to be there. The enrollment is the first event.
  const { user } = await enrolled(store, { gallery, at: Date.now() });
  let count = 1;
  return closing({
    store,
    id,
    /** @returns the last `seq` */
    async happen(howMany: number): Promise<number> {
      const now = Date.now();
      const token = () => ({ userId: user.id, jti: `jti_${++count}`, expiresAt: now + 3_600_000 });
      await Promise.all(Array.from({ length: howMany }, () => store.revokeToken(gallery, token(), now)));
      return count;
    },
    close: () => admin.close(),
  });
}

const seqs = (arrived: readonly { readonly event: { readonly seq: number } }[]) =>
  new Set(arrived.map(({ event }) => event.seq));
const upTo = (last: number) => new Set(Array.from({ length: last }, (_, n) => n + 1));

test('a service that is killed again and again loses no event, and repeats few', async () => {
  const settings = { DATA_DIR: await madeDataDir() };
  await using server = await receiver((_, res) => void setTimeout(() => res.writeHead(204).end(), 2));
  await using webhook = await given(settings, server.url);
  let last = 0;
  for (let round = 0; round < 6; round++) {
    const service = await serve(settings);
    const before = server.arrived.length;
    last = await webhook.happen(500);
    await soon(async () => server.arrived.length > before + 60 * round, 'some', 30_000);
    service.kill('SIGKILL');
    await service.ended;
  }
  const service = await serve(settings);
  await soon(async () => seqs(server.arrived).size === last, 'all events', 60_000);
  assert.equal(seqs(server.arrived), upTo(last));
  // What was answered within the last turn before each kill, at most.
  assert.ok(server.arrived.length < last + 6 * 500, `${server.arrived.length} for ${last}`);
  await service.stop();
  const recorded = await webhook.store.listDeliveries(webhook.id, 10_000);
  assert.equal(new Set(recorded.map(({ eventId }) => eventId)).size, last);
});

test('of a killed service only the request that was under way is repeated', async () => {
  const settings = { DATA_DIR: await madeDataDir() };
  await using server = await receiver();
  await using webhook = await given(settings, server.url);
  const service = await serve(settings);
  // The first one never gets an answer.
  let isFirst = true;
  server.answer = (_, res) => {
    if (!isFirst) res.writeHead(204).end();
    isFirst = false;
  };
  const last = await webhook.happen(50);
  const recorded = async () => (await webhook.store.listDeliveries(webhook.id, 1_000)).length;
  await soon(async () => (await recorded()) === last - 1, 'all but one', 30_000);
  const place = async () => (await webhook.store.listWebhooks({ id: webhook.id }))[0]?.sentTo;
  await soon(async () => (await place()) === last, 'the place behind them', 10_000);
  service.kill('SIGKILL');
  await service.ended;
  const after = await serve(settings);
  await soon(async () => (await recorded()) === last, 'all', 30_000);
  assert.is(server.arrived.length, last + 1);
  assert.equal(server.arrived.at(-1)?.event, server.arrived[0]?.event);
  await after.stop();
});

if (hasPostgres())
  test('of two nodes one delivers, and the other within 30 seconds when it dies', async () => {
    const database = await serverWithReady();
    try {
      await database.query(copyOfReady('two'));
      const node = (name: string): Env => ({
        DATA_DIR: newDataDir(),
        DATABASE_URL: database.urlOf('two'),
        MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
        NODE_NAME: name,
        BASE_URL: 'http://127.0.0.1:8080',
      });
      await using to = await receiver();
      await using webhook = await given(node('command'), to.url);
      const nodes: readonly [Server, Server] = [await serve(node('one')), await serve(node('two'))];
      let last = await webhook.happen(300);
      await soon(async () => to.arrived.length >= last, 'all events', TAKEN_OVER_MS);
      assert.is(to.arrived.length, last, 'one node delivers');
      const recorded = async () => (await webhook.store.listDeliveries(webhook.id, 1_000)).length;
      await soon(async () => (await recorded()) === last, 'what came of it', TAKEN_OVER_MS);
      const [lease] = await database.query<{ owner: string }>(
        "SELECT owner FROM leases WHERE name = 'webhooks'",
        'two',
      );
      const [own] = await database.query<{ name: string }>(
        `SELECT name FROM nodes WHERE id = '${lease?.owner}'`,
        'two',
      );
      const [holder, other] = own?.name === 'one' ? nodes : [nodes[1], nodes[0]];
      holder.kill('SIGKILL');
      const began = Date.now();
      last = await webhook.happen(300);
      await soon(async () => seqs(to.arrived).size === last, 'the other node', TAKEN_OVER_MS);
      console.log(`taken over within ${Date.now() - began} ms`);
      assert.equal(seqs(to.arrived), upTo(last));
      assert.is(to.arrived.length, last, 'none twice: nothing was under way');
      await other.stop();
    } finally {
      database.stop();
    }
  });
else test('PostgreSQL is not installed', () => console.log('left out: two nodes'));

test.run();
