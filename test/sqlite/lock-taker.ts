/** Takes and releases a lock so many times, beside others of its kind. Exit 1: somebody else held it at the same time. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { lockBriefly } from '../../src/adapters/journal/instance-lock.ts';

const [, , file = '', times] = process.argv;
for (let taken = 0; taken < Number(times); ) {
  const release = lockBriefly(file);
  if (!release) continue;
  // Fails if it exists.
  mkdirSync(`${file}.held`);
  rmdirSync(`${file}.held`);
  release();
  taken += 1;
}
