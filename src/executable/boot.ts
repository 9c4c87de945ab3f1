/** The executable's own entry: runs the packed program. Held by test/dist/run.long.test.ts. */
import { getRawAsset } from 'node:sea';
import { compile } from './program.ts';

// Of its own Node.js no notice is taken of it (main.ts), but every thread would read it, and every process started here.
delete process.env.NODE_OPTIONS;

const packed = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);

compile(packed('program.js').toString('utf8'), process.execPath, packed('program.compiled')).run();
