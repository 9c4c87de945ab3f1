/**
 * How long the executable takes from nothing to its first answer, with an empty database, and what it then holds in memory.
 * A timing decides no test: this prints.
 *
 * Use: node test/dist/cold-start.ts [--count N]
 */
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newDataDir } from '../support/process.ts';
import { copy } from './copy.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '20' } } });
const PORT = String(20_000 + (process.pid % 20_000));
const own = copy();
const times: number[] = [];
const memory: number[] = [];
// A server that was started does not keep this process alive.
const waiting = setInterval(() => undefined, 1_000);

for (let i = 0; i < Number(values.count); i++) {
  const began = performance.now();
  const starting = own.serve({ DATA_DIR: newDataDir(), PORT });
  while ((await health()) !== 200) await delay(2);
  times.push(performance.now() - began);
  const server = await starting;
  await delay(1_000);
  memory.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_000);
  await server.stop();
}
clearInterval(waiting);

const show = (all: number[], unit: string) => {
  const [least, middle, most] = [0, all.length >> 1, all.length - 1].map(at => all.sort((a, b) => a - b)[at]);
  return `${middle?.toFixed(0)} ${unit} (${least?.toFixed(0)} to ${most?.toFixed(0)})`;
};
console.log(`${times.length} starts with an empty database, one matching thread; median (least to most)`);
console.log(`size            ${(statSync(join(own.folder, 'face-sign-in')).size / 1e6).toFixed(1)} MB`);
console.log(`first answer    ${show(times, 'ms')}`);
console.log(`memory at rest  ${show(memory, 'MB')}`);

function health(): Promise<number> {
  return new Promise(resolve => {
    const asking = request({ host: '127.0.0.1', port: PORT, path: '/health', agent: false }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.on('error', () => resolve(0)).end();
  });
}
