/**
 * Reads .fvecs, the format of the TEXMEX data sets: for each vector a little-endian int32 with its dimension, then as
 * many float32. The message for a bad file names the vector, counted from 1, and its fault. Held by
 * test/bench/files.test.ts.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type People, putUnit } from '../../src/calibration/people.ts';
import { DIMENSIONS } from '../data-sets.ts';
import { progress } from '../progress.ts';
import { WrongFile } from './wrong-file.ts';

const BYTES = 4 + 4 * DIMENSIONS;
/** Vectors read at once. */
const BLOCK = 4_096;

/** Every vector is a person of its own. @throws WrongFile */
export function readFvecs(file: string): People {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    throw WrongFile.unreadable(file, error);
  }
  try {
    const status = fstatSync(handle);
    if (!status.isFile()) throw new WrongFile(file, 'is not a file');
    if (status.size === 0) throw new WrongFile(file, 'is empty');
    return read(file, handle, status.size);
  } finally {
    closeSync(handle);
  }
}

function read(file: string, handle: number, size: number): People {
  const n = Math.ceil(size / BYTES);
  const people = {
    vectors: new Float32Array(n * DIMENSIONS),
    norms: new Float64Array(n),
    starts: Uint32Array.from({ length: n + 1 }, (_, i) => i),
  };
  const shown = progress(`reading ${n} vectors`, n);
  const bytes = Buffer.alloc(BLOCK * BYTES);
  const numbers = new Float64Array(DIMENSIONS);
  for (let i = 0; i < n; shown.at(i)) {
    const got = readSync(handle, bytes, 0, bytes.length, i * BYTES);
    for (let at = 0; at < got; at += BYTES, i++) {
      const wrong = (fault: string) =>
        new WrongFile(file, `vector ${i + 1} of ${n}, at byte ${i * BYTES}: ${fault}`);
      const left = Math.min(BYTES, got - at);
      const dimension = left < 4 ? DIMENSIONS : bytes.readInt32LE(at);
      if (dimension !== DIMENSIONS)
        throw wrong(`its dimension is ${dimension}, but must be ${DIMENSIONS}${swapped(bytes, at)}`);
      if (left < BYTES)
        throw wrong(`the file ends after ${left} of its ${BYTES} bytes: it is truncated; copy it again`);
      for (let d = 0; d < DIMENSIONS; d++) {
        const value = bytes.readFloatLE(at + 4 + 4 * d);
        if (!Number.isFinite(value)) throw wrong(`number ${d + 1} is ${value}, but must be finite`);
        numbers[d] = value;
      }
      people.norms[i] = putUnit(numbers, people.vectors, i);
      if (people.norms[i] === 0) throw wrong('all its numbers are 0, so it has no direction');
    }
    if (got === 0) throw new WrongFile(file, 'became shorter while it was read');
  }
  shown.end();
  return people;
}

function swapped(bytes: Buffer, at: number): string {
  return bytes.readInt32BE(at) === DIMENSIONS ? ': the file is big-endian, .fvecs is little-endian' : '';
}
