/**
 * The names of all tests, file by file, as the files write them: names are often made in loops, so the files are asked
 * themselves. Nothing of them runs. A file that cannot be loaded is told, and has no tests.
 *
 * Use: node test/repo/test-names.ts   (prints {"test/http/app.test.ts": ["…", …], …})
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
process.env.TEST_LIST = '1';
const { listed } = await import('../support/suite.ts');

const names: Record<string, string[]> = {};
for (const file of globSync('test/**/*.test.ts', { cwd: ROOT }).sort()) {
  listed.length = 0;
  await import(join(ROOT, file)).catch(error => {
    console.error(`${file} cannot be loaded: ${error}`);
    listed.length = 0;
  });
  names[file.replaceAll('\\', '/')] = [...listed];
}
process.stdout.write(JSON.stringify(names), () => process.exit());
