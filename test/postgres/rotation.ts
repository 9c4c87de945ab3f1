/** Another master secret for a database that several nodes use: each follows with its own file, or refuses. */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import { destroyOldOfServer, rotateServer } from '../../src/adapters/postgres/rotation.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { enrolled, LIVE, OTHER } from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

export function rotation(test: Suite): void {
  const check = nodesOn(test);

  check(
    'a node with the new file goes on, one without it refuses what needs it, until it has it',
    async ({ db }) => {
      const folders = [1, 2].map(tempFolder);
      const random = systemRandom();
      const locations = folders.map(folder => {
        writeFileSync(join(folder, 'master.key'), TEST_MASTER_SECRET.toString('base64url'));
        return { ...locationAt(db.address, folder), masterSecret: null };
      });
      const [first, second] = locations as [(typeof locations)[0], (typeof locations)[0]];
      const contexts = [await openPostgresContext(first, random), await openPostgresContext(second, random)];
      const [one, two] = await Promise.all(contexts.map(async context => (await openedOn(context)).store));
      try {
        if (!one || !two) throw new Error('no nodes');
        const { user } = await enrolled(one);
        assert.ok(await two.findUser(LIVE, { id: user.id }));
        assert.ok((await rotateServer(first, null, random)).keys >= 2);
        const old = join(folders[0] as string, 'master.key.old');
        assert.ok(existsSync(old));
        assert.is(await destroyOldOfServer(first), old);
        assert.not.ok(existsSync(old));
        await destroyOldOfServer(first).then(
          () => assert.unreachable(),
          error => assert.match(error.message, /there is no old master secret/),
        );
        // Keys that are open stay so; a key of another app is made under the new secret.
        assert.equal((await two.findUser(LIVE, { id: user.id }))?.id, user.id);
        await enrolled(two);
        await enrolled(two, { gallery: OTHER }).then(
          () => assert.unreachable(),
          error => assert.instance(error, StoreUnavailable),
        );
        copyFileSync(join(folders[0] as string, 'master.key'), join(folders[1] as string, 'master.key'));
        await enrolled(two, { gallery: OTHER });
        assert.is((await one.listUsers(OTHER, null, 10)).length, 1);
        const again = await openPostgresContext(second, random);
        assert.ok(await (await openedOn(again)).store.findUser(LIVE, { id: user.id }), 'and starts');
        await again.driver.close();
      } finally {
        for (const context of contexts) await context.driver.close();
      }
    },
  );

  check('with the secret in the environment, it is refused while nodes run', async ({ db }) => {
    const location = locationAt(db.address, tempFolder());
    const context = await openPostgresContext(location, systemRandom());
    try {
      await context.nodes?.report({ name: 'node-a', version: '1', lagMs: 0, settings: null }, Date.now);
      const rotate = () => rotateServer(location, Buffer.alloc(32, 8), systemRandom());
      await rotate().then(
        () => assert.unreachable(),
        error =>
          assert.match(error.message, /^node-a may have the current secret in MASTER_SECRET: stop all nodes/),
      );
      await context.nodes?.leave();
      assert.ok((await rotate()).keys >= 1);
    } finally {
      await context.driver.close();
    }
  });
}
