/**
 * The whole fuzz: `npm run fuzz -- --count 100000 --seed 7`. Ends with 1 when a request was answered with 5xx, not in
 * time, or otherwise than described, when a valid one failed, or when too few came as far as the validation of fields.
 * `--start INDEX --count 1` repeats one case of a seed.
 */
import { parseArgs } from 'node:util';
import { startService } from '../support/forked-service.ts';
import { fuzzRaw } from './raw-run.ts';
import { fuzz } from './run.ts';

const LEAST_REACHED = 0.5;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '7' },
    start: { type: 'string', default: '0' },
    raw: { type: 'string', default: '600' },
  },
});
const [count, seed, start, rawCount] = [values.count, values.seed, values.start, values.raw].map(Number);
if (![count, seed, start, rawCount].every(Number.isSafeInteger)) {
  console.error('use: npm run fuzz -- [--count N] [--seed N] [--start INDEX] [--raw N]');
  process.exit(2);
}

const began = performance.now();
const service = await startService({ MAIL_ANSWER_MS: '0' });
const { tally, faults } = await fuzz(service, {
  count: count as number,
  seed: seed as number,
  start: start as number,
  progress: done => {
    if (done % 10_000 === 0) console.error(`${done} requests, ${seconds()} s`);
  },
});
const raw =
  (count as number) > 1 ? await fuzzRaw(service, { count: rawCount as number, seed: seed as number }) : null;
const all = [...faults, ...(raw?.faults ?? [])];
if (service.ended() === null) await service.close();

const share = tally.total.reached / tally.total.requests;
const few = (count as number) >= 1_000 && share < LEAST_REACHED;
if (few) all.push(`only ${(100 * share).toFixed(1)} % of the requests came to the validation of fields`);
console.table(tally.table());
if (raw) console.table(raw.table);
for (const fault of all) console.log(`\nVIOLATION ${fault}`);
console.log(
  `\n${tally.total.requests} requests and ${raw?.count ?? 0} raw ones, seed ${seed}: ${all.length} violations, ` +
    `${(100 * share).toFixed(1)} % came to the validation of fields, ${seconds()} s`,
);
process.exit(all.length === 0 ? 0 : 1);

function seconds(): string {
  return ((performance.now() - began) / 1_000).toFixed(0);
}
