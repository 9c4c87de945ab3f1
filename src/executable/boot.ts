/** The executable's own entry: runs the packed program. */
import { getRawAsset } from 'node:sea';
import { compile } from './program.ts';

const packed = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);

compile(packed('program.js').toString('utf8'), process.execPath, packed('program.compiled')).run();
