/**
 * Entry of the executable: runs the packed program. An executable that was built on another kind of machine may have no
 * code cache. Held by test/dist/run.long.test.ts and test/bare/arm64.test.ts.
 */
import { getAssetKeys, getRawAsset } from 'node:sea';
import { CODE_CACHE, compile } from './program.ts';

// The executable's Node.js ignores this variable (main.ts), but threads and child processes would read it.
delete process.env.NODE_OPTIONS;

const packed = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);

const cached = getAssetKeys().includes(CODE_CACHE) ? packed(CODE_CACHE) : undefined;
compile(packed('program.js').toString('utf8'), process.execPath, cached).run();
