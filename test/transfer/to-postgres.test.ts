/** An app moves from a database file to a server: whole, under its id, and again only as a new one. */
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { run } from '../../src/cli/run.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { newDataDir, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, folderWith, newFile, withPass } from './given.ts';

const test = suite('transfer: to PostgreSQL');

async function ran(env: Record<string, string>, ...argv: string[]) {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const code = await run([...argv, '--json'], { env: withPass(env), print: keep, printError: keep });
  return { code, text: lines.join('\n') };
}

if (!hasPostgres())
  test('PostgreSQL is not installed', () => console.log('left out: an app that moves there'));
else
  test('export from a file, import on a server', async () => {
    const server = await startPostgres();
    try {
      await server.query('CREATE DATABASE face');
      const from = await folderWith(3);
      const file = newFile();
      const exported = await ran(from, 'app', 'export', APP, file);
      assert.is(exported.code, 0, exported.text);
      const location = locationAt(server.urlOf('face'), tempFolder());
      const to = {
        DATA_DIR: newDataDir(),
        DATABASE_URL: server.urlOf('face'),
        MASTER_SECRET: String(location.masterSecret?.toString('base64url')),
      };
      const imported = await ran(to, 'app', 'import', file);
      assert.is(imported.code, 0, imported.text);
      const { users, templates } = JSON.parse(imported.text);
      assert.equal([users, templates], [6, 12]);
      assert.is((await ran(to, 'app', 'import', file)).code, 1, 'it is there');
      assert.is((await ran(to, 'app', 'import', file, '--as-new')).code, 1, 'its users are there');
      const { store } = await openPostgresStore(location, systemRandom());
      try {
        const gallery = { appId: APP, mode: 'live' } as const;
        const { added, to: end } = await store.galleryChanges(gallery, 0, 100);
        assert.equal([added.count, end, (await store.listApps()).length], [6, 6, 1]);
        const rows = await server.query<{ encoder: string | null }>('SELECT encoder FROM galleries', 'face');
        assert.is(rows.length, 2, 'galleries are born with their app');
        await store.deleteApp(APP, Date.now());
      } finally {
        await store.close();
      }
    } finally {
      server.stop();
    }
  });

test.run();
