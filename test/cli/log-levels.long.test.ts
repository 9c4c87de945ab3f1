/** LOG_LEVEL: each level shows what it says and all that is more serious, and nothing else. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { consent, faces, type Json, planFile } from '../support/client.ts';
import { json, logLines, madeDataDir, serve, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: log levels');
/** What is to be seen of a run that has something to tell at every level, from the least serious on. */
const LINES = [
  ['debug', 'request refused'],
  ['info', 'listening'],
  ['info', 'request'],
  ['info', 'draining'],
  ['info', 'closed'],
  ['warn', 'a plan of apps is not in PLANS_FILE'],
  ['error', 'request failed'],
] as const;
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const origin = 'http://localhost:3000';

/** A refused field, a plan that is not there, an erasure that cannot be journaled. */
async function linesAt(LOG_LEVEL: string): Promise<Json[]> {
  const env = { DATA_DIR: await madeDataDir(), LIMIT_IP_PER_MINUTE: '0' };
  const gold = { ...env, PLANS_FILE: planFile({ gold: 5 }) };
  const { app } = await json(['app', 'create', '--name', 'Shop', '--plan', 'gold'], gold, within);
  const keyOf = async (type: string) =>
    (await json(['key', 'create', '--app', app.id, '--type', type, '--mode', 'test'], gold, within)).key;
  const [publishable, secret] = [await keyOf('publishable'), await keyOf('secret')];
  const server = await serve({ ...env, LOG_LEVEL, PLANS_FILE: planFile({ tiny: 3 }) });
  const post = async (path: string, body: object): Promise<Json> => {
    const headers = { 'x-svc-key': publishable, origin, 'content-type': 'application/json' };
    return (await fetch(server.base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  await post('/v1/match', {});
  const { challenge_id } = await post('/v1/challenges', {});
  const face = { challenge_id, descriptors: [faces.genuine(0)], email: 'ada@example.com', consent };
  const { user } = await post('/v1/enroll', face);
  mkdirSync(join(env.DATA_DIR, 'erasures.jsonl'));
  const headers = { authorization: `Bearer ${secret}` };
  const gone = await fetch(`${server.base}/v1/users/${user.id}`, { method: 'DELETE', headers });
  assert.is(gone.status, 503);
  return logLines((await server.stop()).stdout);
}

for (const [place, level] of LEVELS.entries())
  test(`LOG_LEVEL=${level}`, async () => {
    const lines = await linesAt(level);
    const shown = LEVELS.slice(place);
    for (const [of, msg] of LINES) {
      const found = lines.filter(line => line.msg === msg);
      assert.is(found.length > 0, shown.includes(of), `${msg} at ${level}`);
      for (const line of found) assert.is(line.level, of, msg);
    }
    for (const line of lines) {
      assert.ok(shown.includes(line.level), `${line.level} ${line.msg} at ${level}`);
      assert.type(line.time, 'number');
    }
  });

test.run();
