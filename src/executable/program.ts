/**
 * The program as one script, which V8 need not compile again: what it made of the functions that a start uses was kept by
 * the build (warm.ts). Of another V8, or damaged, that is left aside, and the script is compiled as any other.
 */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** What the bundle finds in its scope. */
export const SCOPE = ['require', 'bundleFile', 'bundleFolder', 'bundleUrl'] as const;

/** @param file of which the code counts as a part */
export function compile(code: string, file: string, cachedData?: Buffer) {
  const script = new Script(`(function (${SCOPE.join(', ')}) {${code}\n})`, { filename: file, cachedData });
  return {
    /** What is known of its functions by now. */
    compiled: () => script.createCachedData(),
    run: () => script.runInThisContext()(builtIn, file, dirname(file), pathToFileURL(file).href),
  };
}

/** Nothing is looked for beside the executable, where anybody could put it. */
function builtIn(name: string): unknown {
  const found = process.getBuiltinModule(name);
  if (found) return found;
  throw Object.assign(new Error(`there is no module ${name} in this program`), { code: 'MODULE_NOT_FOUND' });
}
