/** What only a database in a file can suffer, and promise: faults of the disk, rebuilds. */
import { suite } from '../support/suite.ts';
import { sqliteAudit } from './audit.ts';
import { sqliteCompaction } from './compaction.ts';
import { sqliteFaults } from './faults.ts';
import { sqliteFigures } from './figures.ts';
import { sqliteMigration } from './migration.ts';
import { sqlitePlans } from './plans.ts';
import { sqlitePlanted } from './planted.ts';
import { scopes } from './scopes.ts';
import { sqliteSnapshots } from './snapshots.ts';
import { sqliteSync } from './sync.ts';

const test = suite('database in a file');
sqliteFaults(test);
sqliteSync(test);
sqliteCompaction(test);
sqliteFigures(test);
sqliteAudit(test);
sqlitePlanted(test);
sqlitePlans(test);
sqliteMigration(test);
sqliteSnapshots(test);
scopes(test);
test.run();
