/** The program as a user whom permissions hold, on machines where tests run as root. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, type Start } from '../support/process.ts';

export const NOBODY = 65_534;

const urlOf = (file: string) => JSON.stringify(pathToFileURL(join(ROOT, file)));
/** What commands import when they run. */
const LATE = ['src/service.ts', 'src/service/data.ts', 'src/service/file.ts', 'src/service/upkeep.ts'];

/**
 * Runs the program as a user that permissions hold. The files are loaded before the user is changed: a clone may lie
 * where nobody else may read.
 */
export const asNobody: Start = {
  entry: [
    '--input-type=module',
    '--eval',
    `import { run } from ${urlOf('src/cli/run.ts')};
     ${LATE.map(file => `import ${urlOf(file)};`).join(' ')}
     import { registerHooks } from 'node:module';
     // What is loaded already is not looked for again, where this user may not look.
     registerHooks({ resolve: (name, context, next) => name.startsWith('.')
       ? { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true } : next(name, context) });
     if (process.getuid() === 0) { process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}); }
     const [print, printError] = [process.stdout, process.stderr].map(to => line => to.write(line + '\\n'));
     process.exitCode = await run(process.argv.slice(1), { env: process.env, print, printError });`,
  ],
};
