/** The migrations on PostgreSQL: by one of many nodes that start at once, and with its own triggers. */
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

const ENTRY = { at: 1, actor: 'a', actorId: null, action: 'x', target: null, teamId: null };

export function schema(test: Suite): void {
  const check = nodesOn(test);

  test('nodes that start at once on an empty database: one schema, one key for hashes', async () => {
    const server = await startPostgres();
    try {
      await server.query('CREATE DATABASE empty');
      const folder = tempFolder();
      const open = () => openPostgresStore(locationAt(server.urlOf('empty'), folder), systemRandom());
      const nodes = await Promise.all([open(), open(), open(), open()]);
      assert.is(new Set(nodes.map(({ secrets }) => secrets.hash('p', 'v'))).size, 1);
      await Promise.all(nodes.map(({ store }) => store.close()));
      const other = { ...locationAt(server.urlOf('empty'), folder), masterSecret: Buffer.alloc(32, 8) };
      const fault = await openPostgresStore(other, systemRandom()).catch(error => error);
      assert.instance(fault, StoreMisfit);
      assert.match(fault.message, /the master secret does not fit this database/);
      const none = { ...other, masterSecret: null };
      const missing = await openPostgresStore(none, systemRandom()).catch(error => error);
      const nowhere = locationAt(server.urlOf('empty').replace('127.0.0.1', '127.0.0.2'), folder);
      const away = await openPostgresStore(nowhere, systemRandom()).catch(error => error);
      assert.match(
        away.message,
        /^the database postgres:\/\/127\.0\.0\.2:\d+\/empty does not answer \(.*ECONNREFUSED/,
      );
      assert.match(missing.message, /MASTER_SECRET is not set .* all nodes on postgres:\/\/127\.0\.0\.1/);
    } finally {
      server.stop();
    }
  });

  check('rows of the audit log can be neither changed nor removed nor added out of order', async nodes => {
    const { store, one } = nodes;
    for (let i = 0; i < 3; i++)
      await store.appendAudit({ ...ENTRY, appId: null, ip: null, session: null, outcome: 'ok' });
    for (const text of [
      `UPDATE audit_log SET actor = 'b' WHERE seq = 2`,
      'DELETE FROM audit_log WHERE seq = 3',
      'TRUNCATE audit_log',
      `INSERT INTO audit_log (seq, at, actor, action, outcome, hash) VALUES (9, 1, 'a', 'x', 'ok', 'h')`,
      'UPDATE audit_anchor SET seq = -1',
      'DELETE FROM audit_anchor',
      `INSERT INTO audit_anchor ("only", seq, hash) VALUES (1, 5, '')`,
    ]) {
      const fault = await one.read.run(text).catch(error => error);
      assert.match(String(fault.message), /audit log/, text);
    }
    assert.is(await store.verifyAudit(), null);
    assert.is(await store.prune('audit', 2, 10), 3, 'from the beginning, by the service');
    assert.is(await store.verifyAudit(), null);
  });
}
