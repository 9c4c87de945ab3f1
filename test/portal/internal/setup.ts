/** Two teams with an app each, and the state of the database, for tests that nothing was changed. */
import * as assert from 'uvu/assert';
import { createTeam } from '../../../src/domain/access/teams.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createApp } from '../../../src/domain/operating/apps.ts';
import { createKey } from '../../../src/domain/operating/keys.ts';
import { newSecret } from '../../../src/domain/webhooks/signature.ts';
import type { Operators } from '../../support/portal.ts';
import type { Running } from '../../support/service.ts';
import type { Suite } from '../../support/suite.ts';
import { NOBODY_LISTENS, type Place } from './requests.ts';

export interface Setup {
  readonly own: Place;
  readonly other: Place;
}

export function setupFor(test: Suite, operators: Operators): Setup {
  const setup: { own?: Place; other?: Place } = {};
  test.before(async () => {
    setup.own = await placeIn(operators, 'Own');
    setup.other = await placeIn(operators, 'Other');
  });
  return setup as Setup;
}

export async function placeIn({ admin: { deps } }: Operators, name: string): Promise<Place> {
  const { id: team } = await createTeam(deps, name);
  const { id: app } = await createApp(deps, { name: `${name} app`, teamId: team, plan: 'unlimited' });
  const key = async (mode: 'live' | 'test') => (await createKey(deps, app, 'secret', mode)).record.id;
  const webhook = async (mode: 'live' | 'test') => {
    const id = newId(deps.random, 'wh');
    const fields = { url: NOBODY_LISTENS, events: ['*'] as const, description: '' };
    const made = { id, gallery: { appId: app, mode }, ...fields, secrets: [newSecret(deps.random)] };
    assert.is(await deps.store.createWebhook({ ...made, createdAt: deps.clock.now() }, 10), 'created');
    return id;
  };
  return {
    ...{ team, app, testKey: await key('test'), liveKey: await key('live') },
    ...{ testWebhook: await webhook('test'), liveWebhook: await webhook('live') },
  };
}

/** What is no change: the audit log, limits, jobs, and when a session was last seen. */
const QUIET: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['*'],
  windows: ['*'],
  ceremonies: ['*'],
  meta: ['*'],
  jobs: ['*'],
  operator_sessions: ['seen_at'],
};

/** Every row of every table, as one text. */
export function stateOf(run: Running): string {
  const tables = run.rows(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`);
  return tables
    .filter(({ name }) => !QUIET[name]?.includes('*'))
    .map(({ name }) => {
      const rows = run.rows(`SELECT * FROM ${name}`).map(row => {
        for (const quiet of QUIET[name] ?? []) delete row[quiet];
        return JSON.stringify(row, (_, value) => (Buffer.isBuffer(value) ? value.toString('hex') : value));
      });
      return [name, ...rows.sort()].join('\n');
    })
    .join('\n\n');
}
