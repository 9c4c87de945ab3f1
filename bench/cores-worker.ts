/** A thread of cores.ts: multiplies for some time from a given moment on, and tells how many multiplications a nanosecond took. */
import { parentPort } from 'node:worker_threads';

/** Multiplications of a round, in eight sequences that do not wait for each other. */
const ROUNDS = 2_000;
const AT_ONCE = 8;

let a = 1;
let b = 2;
let c = 3;
let d = 4;
let e = 5;
let f = 6;
let g = 7;
let h = 8;

function multiply(rounds: number): void {
  let [i, j, k, l, m, n, o, p] = [a, b, c, d, e, f, g, h];
  for (let round = 0; round < rounds; round++) {
    i = Math.imul(i, 0x2c1b3c6d);
    j = Math.imul(j, 0x297a2d39);
    k = Math.imul(k, 0x1b873593);
    l = Math.imul(l, 0x27d4eb2f);
    m = Math.imul(m, 0x165667b1);
    n = Math.imul(n, 0x2545f491);
    o = Math.imul(o, 0x5bd1e995);
    p = Math.imul(p, 0x6c078965);
  }
  [a, b, c, d, e, f, g, h] = [i, j, k, l, m, n, o, p];
}

const now = () => performance.timeOrigin + performance.now();

parentPort?.on('message', ({ from, ms }: { from: number; ms: number }) => {
  while (now() < from) multiply(AT_ONCE);
  const began = performance.now();
  let rounds = 0;
  let lasted = 0;
  do {
    multiply(ROUNDS);
    rounds += ROUNDS;
    lasted = performance.now() - began;
  } while (lasted < ms);
  parentPort?.postMessage((rounds * AT_ONCE) / (lasted * 1e6));
});
