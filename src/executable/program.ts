/**
 * Compiles the program as one script, with V8's code cache from the build (warm.ts), so that a start compiles less. A
 * cache that is damaged or from another V8 is ignored.
 */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/** Name of the asset. */
export const CODE_CACHE = 'program.compiled';
/** Names in the scope of the bundle. */
export const SCOPE = ['require', 'bundleFile', 'bundleFolder', 'bundleUrl'] as const;

/** @param file the file name that the code runs under */
export function compile(code: string, file: string, cachedData?: Buffer) {
  const script = new Script(`(function (${SCOPE.join(', ')}) {${code}\n})`, { filename: file, cachedData });
  return {
    /** The code cache, with the functions compiled so far. */
    compiled: () => script.createCachedData(),
    run: () => script.runInThisContext()(builtIn, file, dirname(file), pathToFileURL(file).href),
  };
}

/**
 * Loads built-in modules only. Files beside the executable are never loaded, because others could have put them there.
 */
function builtIn(name: string): unknown {
  const found = process.getBuiltinModule(name);
  if (found) return found;
  throw Object.assign(new Error(`there is no module ${name} in this program`), { code: 'MODULE_NOT_FOUND' });
}
