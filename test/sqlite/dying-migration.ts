/** Migrates the database that it is given, and dies by SIGKILL when one of two further migrations has run. */
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { migrations } from '../../src/adapters/sql/migrations.ts';
import { databaseAt } from '../../src/adapters/sql/schema.ts';
import { openSqlite } from '../../src/adapters/sqlite/driver.ts';
import { NEXT, openKeys } from './migration.ts';

const LAST = {
  number: NEXT.number + 1,
  name: '1000-last.sql',
  text: () => {
    process.kill(process.pid, 'SIGKILL');
    return '';
  },
};
const [, , file = ''] = process.argv;
await migrate(openSqlite(file), databaseAt(file), openKeys, [...migrations(), NEXT, LAST]);
