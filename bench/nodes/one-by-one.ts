/** Loaded into a process before all else, for comparison: no two writes share a transaction. */
import { registerHooks } from 'node:module';

const SHARED = 'const MOST_TOGETHER = 64;';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/adapters/postgres/driver.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(SHARED)) throw new Error(`${url} lacks "${SHARED}"`);
    return { ...loaded, source: source.replace(SHARED, 'const MOST_TOGETHER = 1;') };
  },
});
