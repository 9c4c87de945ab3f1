/** The service while its database is away: what it refuses, what it still answers, and that it goes on by itself. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { VERSION } from '../../src/version.ts';
import { assertError, browser, call, challenge, enrolled, match } from '../support/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('postgres: outage');
/** How long nodes may take to go on after the server accepts writes. */
const BACK_MS = 5_000;

async function problemsOf({ portal }: Running): Promise<string[]> {
  const { problems } = (await (await fetch(`${portal}/health`)).json()) as { problems: { name: string }[] };
  return problems.map(({ name }) => name);
}

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: an outage'));
else
  test('killed and started again: 503 in the envelope, the key set still answered, then as before', async () => {
    const server = await startPostgres(['fsync=off']);
    await server.query('CREATE DATABASE face');
    const env = {
      DATABASE_URL: server.urlOf('face'),
      MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
      DEMO: 'off',
    };
    const run = await startService({ env: { ...env, NODE_NAME: 'face-7' } });
    let idle: Running | null = null;
    try {
      const app = await run.createApp();
      const { user } = await enrolled(run, app);
      const keys = (await call(run, 'GET', '/.well-known/jwks.json')).json;
      assert.is((await match(run, app)).status, 200);
      const figures = await (await fetch(`${run.portal}/metrics`)).text();
      const named = figures.split('\n').filter(line => /^\w+\{/.test(line));
      assert.ok(
        named.length > 50 && named.every(line => line.includes('node_name="face-7"')),
        'each node by its name',
      );
      const { nodes } = (await (await fetch(`${run.portal}/health`)).json()) as {
        nodes: { name: string; version: string; lag_ms: unknown; clock_offset_ms: unknown }[];
      };
      assert.equal(
        nodes.map(({ name, version }) => [name, version]),
        [['face-7', VERSION]],
      );
      // Nobody has asked it anything before the database is gone.
      idle = await startService({ env });
      for (let round = 0; round < 2; round++) {
        await server.crash();
        for (const path of ['/v1/challenges', '/v1/match']) {
          const refused = await call(run, 'POST', path, { headers: browser(app), json: {} });
          assertError(refused, 'service_unavailable');
          assert.ok(Number(refused.headers['retry-after']) >= 1, 'says when to try again');
        }
        assert.is((await call(run, 'GET', '/health')).status, 503);
        for (const node of [run, idle]) {
          const answer = await call(node, 'GET', '/.well-known/jwks.json');
          assert.equal([answer.status, answer.json], [200, keys]);
        }
        // Erasures are looked for every second.
        await delay(1_500);
        assert.equal(await problemsOf(run), ['database']);
        await server.boot();
        const began = performance.now();
        while ((await call(run, 'GET', '/health')).status !== 200) {
          assert.ok(performance.now() - began < BACK_MS, 'back by itself');
          await delay(20);
        }
        await challenge(run, app);
        const again = await match(run, app);
        assert.is(again.status, 200, again.text);
        assert.is(again.json.user.id, user.id);
      }
    } finally {
      await Promise.all([run.close(), idle?.close()]);
      server.stop();
    }
  });

test.run();
