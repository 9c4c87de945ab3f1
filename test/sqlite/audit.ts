/** Whoever can write the database file but has no master secret: the audit log shows what they did. */
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { mastersOf } from '../../src/adapters/journal/examine-keys.ts';
import { keyedHashes } from '../../src/adapters/secrets/master.ts';
import { fittingMaster } from '../../src/adapters/sql/examine/findings.ts';
import { hashKeyOf } from '../../src/adapters/sql/keys/prepare.ts';
import { verifyAudit } from '../../src/adapters/sql/store/audit.ts';
import { withSql } from '../../src/adapters/sqlite/examine-reading.ts';
import { sqliteStatements } from '../../src/adapters/sqlite/statements.ts';
import type { AuditFault, Store } from '../../src/ports/store.ts';
import { contractOn } from '../contract/engine.ts';
import { NOW } from '../contract/fixtures.ts';
import { databaseFile, locationAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

const ENTRY = {
  ...{ actor: 'Ada <ada@mail.example>', actorId: 'opr_ada', action: 'app.rename', target: 'app_1' },
  ...{ teamId: null, appId: null, ip: null, session: null, outcome: 'ok' },
};
const ADD = `INSERT INTO audit_log (seq, at, actor, action, outcome, hash)`;

async function fill(store: Store): Promise<void> {
  for (let i = 0; i < 4; i++) await store.appendAudit({ at: NOW + i, ...ENTRY, count: i < 3 ? 1 : 7 });
}

export function sqliteAudit(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('the audit log refuses every statement but an addition at its end', async ({ db, store }) => {
    await fill(store);
    const file = new Database(databaseFile(db));
    for (const [statement, message] of [
      ["UPDATE audit_log SET outcome = 'x'", /cannot be changed/],
      ['DELETE FROM audit_log', /cannot be shortened/],
      ['DELETE FROM audit_log WHERE seq = 4', /cannot be shortened/],
      [`${ADD} VALUES (9, 1, 'a', 'b', 'c', 'd')`, /only grows at its end/],
      [`${ADD} VALUES (2, 1, 'a', 'b', 'c', 'd')`, /only grows at its end/],
      [`${ADD.replace('INSERT', 'REPLACE')} VALUES (2, 1, 'a', 'b', 'c', 'd')`, /only grows at its end/],
      ['UPDATE audit_anchor SET seq = -1', /only advances/],
      ['DELETE FROM audit_anchor', /stays/],
      ["REPLACE INTO audit_anchor (only, seq, hash) VALUES (1, -5, 'x')", /has its anchor already/],
    ] as const)
      assert.throws(() => file.exec(statement), message);
    file.close();
    assert.is(await store.verifyAudit(), null);
    assert.is((await store.listAudit({}, null, 9)).length, 4);
  });

  check('without its triggers too: every change is found, and named', async ({ db, store }) => {
    await fill(store);
    const found = async (...statements: string[]): Promise<AuditFault> => {
      const file = new Database(databaseFile(db));
      file.exec('SAVEPOINT before');
      const triggers = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
      for (const name of triggers) file.exec(`DROP TRIGGER ${name}`);
      for (const statement of statements) file.exec(statement);
      try {
        return await verifyAudit(sqliteStatements(file), secrets);
      } finally {
        file.exec('ROLLBACK TO before');
        file.close();
      }
    };
    const location = locationAt(db.address);
    const hashKey = await withSql(location.path, async sql =>
      hashKeyOf(sql, await fittingMaster(sql, mastersOf(location))),
    );
    const secrets = keyedHashes(hashKey);
    const changed = 'was changed or added outside the service';
    assert.is(await found(), null);
    assert.equal(await found("UPDATE audit_log SET actor = 'Eve' WHERE seq = 2"), {
      seq: 2,
      reason: changed,
    });
    assert.equal(await found("UPDATE audit_log SET ip = '' WHERE seq = 3"), { seq: 3, reason: changed });
    assert.equal(await found('UPDATE audit_log SET count = 2 WHERE seq = 3'), { seq: 3, reason: changed });
    assert.equal(await found('UPDATE audit_log SET count = 1 WHERE seq = 4'), { seq: 4, reason: changed });
    assert.equal(await found('DELETE FROM audit_log WHERE seq = 2'), { seq: 2, reason: 'is missing' });
    assert.equal(await found(`${ADD} VALUES (5, 1, 'a', 'b', 'c', 'd')`), { seq: 5, reason: changed });
    const end = 'is missing, or the end of the log was changed';
    assert.equal(await found('DELETE FROM audit_log WHERE seq = 4'), { seq: 4, reason: end });
    assert.equal(await found('DELETE FROM audit_log'), { seq: 1, reason: end });
    assert.equal(
      await found(
        'UPDATE audit_anchor SET seq = 2, hash = (SELECT hash FROM audit_log WHERE seq = 2)',
        'DELETE FROM audit_log WHERE seq <= 2',
      ),
      { seq: 5, reason: end },
      'the beginning was cut off',
    );
    assert.equal(await found("DELETE FROM meta WHERE name = 'audit_head'"), { seq: 5, reason: end });
    const swap = 'UPDATE audit_log SET seq = -seq WHERE seq IN (2, 3)';
    assert.equal(await found(swap, 'UPDATE audit_log SET seq = 5 + seq WHERE seq < 0'), {
      seq: 2,
      reason: changed,
    });
  });
}
