/** A thread of cores.ts: multiplies for a while from a given time on, and reports multiplications per nanosecond. */
import { parentPort } from 'node:worker_threads';

/** Rounds between two readings of the clock. */
const ROUNDS = 2_000;
/** Independent multiplications in a round. */
const PER_ROUND = 8;

/** Keeps V8 from optimising the multiplications away. */
let product = 1;

function multiply(): void {
  let [i, j, k, l, m, n, o, p] = [product, 2, 3, 4, 5, 6, 7, 8];
  for (let round = 0; round < ROUNDS; round++) {
    i = Math.imul(i, 0x2c1b3c6d);
    j = Math.imul(j, 0x297a2d39);
    k = Math.imul(k, 0x1b873593);
    l = Math.imul(l, 0x27d4eb2f);
    m = Math.imul(m, 0x165667b1);
    n = Math.imul(n, 0x2545f491);
    o = Math.imul(o, 0x5bd1e995);
    p = Math.imul(p, 0x6c078965);
  }
  product = i ^ j ^ k ^ l ^ m ^ n ^ o ^ p;
}

const now = () => performance.timeOrigin + performance.now();

parentPort?.on('message', ({ from, ms }: { from: number; ms: number }) => {
  while (now() < from) multiply();
  const began = performance.now();
  let multiplications = 0;
  let lasted = 0;
  do {
    multiply();
    multiplications += ROUNDS * PER_ROUND;
    lasted = performance.now() - began;
  } while (lasted < ms);
  parentPort?.postMessage(multiplications / (lasted * 1e6));
});
