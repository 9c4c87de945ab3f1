/** Rules of keys, of moving apps and of health broken in the source, one row each. */
import type { Break } from './break.ts';

// biome-ignore format: one row a break, so that it reads as a table
export const BREAKS_C: readonly Break[] = [
  { rule: 'health.degraded', file: 'src/portal/health/problems.ts',
    find: `return problems.length > 0 ? 'degraded' : 'ok';`,
    replace: `return problems.length > 9 ? 'degraded' : 'ok';` },
  { rule: 'keys.destroyed-unused', file: 'src/adapters/sql/store/data-keys.ts',
    find: 'if (await needsOlder(driver.read, owner, sealedPrefix(newest.id))) return false;',
    replace: '' },
  { rule: 'keys.destroyed-unused', file: 'src/adapters/sql/store/data-keys.ts',
    find: `for (const mode of ['live', 'test'])`,
    replace: `for (const mode of ['live'])` },
  { rule: 'keys.rotation-whole', file: 'src/adapters/sql/keys/rotation.ts',
    find: 'const keys = await driver.write(sql => wrapAnew(sql, current, following, random));\n    if (!location.masterSecret) adoptNext(location.masterSecretFile);',
    replace: 'if (!location.masterSecret) adoptNext(location.masterSecretFile);\n    const keys = await driver.write(sql => wrapAnew(sql, current, following, random));' },
  { rule: 'keys.rotation-whole', file: 'src/adapters/sql/keys/rotation.ts',
    find: 'if (!location.masterSecret) await settleHeld(location.masterSecretFile, driver.read, masters);',
    replace: '' },
  { rule: 'import.unseen', file: 'src/adapters/sql/store/apps.ts',
    find: 'FROM apps WHERE importing = 0 ORDER BY',
    replace: 'FROM apps ORDER BY' },
  { rule: 'import.unseen', file: 'src/adapters/sql/store/imports.ts',
    find: 'WHERE importing = 1)\';',
    replace: 'WHERE importing = 2)\';' },
  { rule: 'import.refuses-altered', file: 'src/adapters/transfer/sealed-file.ts',
    find: '    decipher.final();\n    return clear;',
    replace: '    return clear;' },
  { rule: 'export.nothing-clear', file: 'src/adapters/transfer/export-app.ts',
    find: '    rmSync(copy);\n',
    replace: '' },
];
