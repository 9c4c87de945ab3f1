/** Entry of the executable: runs the packed program. Held by test/dist/run.long.test.ts. */
import { getRawAsset } from 'node:sea';
import { compile } from './program.ts';

// The executable's Node.js ignores this variable (main.ts), but threads and child processes would read it.
delete process.env.NODE_OPTIONS;

const packed = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);

compile(packed('program.js').toString('utf8'), process.execPath, packed('program.compiled')).run();
