/**
 * Loads the built matching core. There is no search without it: what is missing or broken is said in one line that
 * names the file and the command that makes it. Held by test/matcher/pool.test.ts.
 */
import { readFile } from 'node:fs/promises';

/** Where `npm run build` puts the core, seen from this file. */
const BUILT = new URL('../../../dist/core/matcher.wasm', import.meta.url);

/** @throws Error whose message is one line */
export async function loadModule(path: string | URL = BUILT): Promise<WebAssembly.Module> {
  const name = path instanceof URL ? path.pathname : path;
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new Error(`the matching core ${name} cannot be read: run npm run build`, { cause });
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new Error(`the matching core ${name} does not compile: run npm run build`, { cause });
  }
}
