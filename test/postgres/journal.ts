/** Each node's copy of the journal of erasures is whole, whoever erased. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { reachOf, readErasures } from '../../src/adapters/journal/erasure-journal.ts';
import { journalPuller } from '../../src/adapters/postgres/journal.ts';
import { setErasuresReach } from '../../src/adapters/sql/keys/meta.ts';
import { ROWS, SERVICE } from '../../src/adapters/sql/scope.ts';
import { deleteUser, enrolled, LIVE, NOW } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

const HOUR = 3_600_000;

export function journal(test: Suite): void {
  const check = nodesOn(test);

  check('two copies, each with every erasure once, late ones and those of a lost file too', async nodes => {
    const { db, store, one, two } = nodes;
    const folder = tempFolder();
    const files = ['one', 'two', 'three'].map(name => join(folder, `${name}.jsonl`));
    const [first, second] = [journalPuller(one, files[0] ?? ''), journalPuller(two, files[1] ?? '')];
    const hashesIn = (file = '') => readErasures(file).map(({ hash }) => hash);
    const stored = async () =>
      (await db.rows<{ hash: string }>('SELECT hash FROM erasures')).map(({ hash }) => hash).sort();
    for (const at of [NOW, NOW + 1]) {
      const { user } = await enrolled(store);
      await deleteUser(store, LIVE, user.id, at);
      await Promise.all([first(), second(), second()]);
    }
    const late = `INSERT INTO erasures (hash, erased_at, journaled, seen_at)
      SELECT $1, $2, 1, MAX(seen_at) - 300000 FROM erasures`;
    await one.write(ROWS, sql => sql.run(late, 'late', NOW - 1_000));
    await Promise.all([first(), second()]);
    for (const file of files.slice(0, 2)) assert.equal(hashesIn(file).sort(), await stored());
    await journalPuller(two, files[2] ?? '')();
    assert.equal(hashesIn(files[2]).sort(), await stored());
    assert.equal(await db.rows('SELECT * FROM erasures WHERE journaled = 0'), []);
    // The clocks of nodes may be wrong by hours, whichever way.
    for (const at of [NOW + 2 * HOUR, NOW, NOW - 2 * HOUR]) {
      const { user } = await enrolled(store);
      await deleteUser(store, LIVE, user.id, at);
      await first();
      await second();
    }
    for (const file of files.slice(0, 2)) assert.equal(hashesIn(file).sort(), await stored());
    // The job of another node has deleted the oldest: so do all, and a new file does not claim to have them.
    await one.write(SERVICE, async sql => {
      await sql.run('DELETE FROM erasures WHERE erased_at < $1', NOW);
      await setErasuresReach(sql, NOW);
    });
    for (const file of [files[0] ?? '', join(folder, 'four.jsonl')]) {
      await journalPuller(two, file)();
      assert.is(reachOf(file), NOW);
      assert.equal(hashesIn(file).sort(), await stored());
    }
    writeFileSync(join(folder, 'no-folder'), '');
    const fault = await journalPuller(two, join(folder, 'no-folder', 'file'))().catch(error => error);
    assert.is(fault.name, 'StoreUnavailable');
  });
}
