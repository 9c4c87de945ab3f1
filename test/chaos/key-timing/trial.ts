/**
 * Can a key be found letter by letter from the time that a wrong one takes? Keys that begin like a real one are asked
 * against keys of the same length that do not. A server with that very fault is measured too: it has to be seen.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startService } from '../../support/forked-service.ts';
import { type Figure, figure, none, type Trial } from '../../support/trial.ts';
import { type Difference, type Door, difference, timeKeys } from './measure.ts';

/** Beyond this the two kinds of keys can be told apart. */
const MOST_T = 4.5;
/** What a letter costs in the faulty server. */
const LETTER_NS = 300;

export const trial: Trial = {
  about: 'are beginnings of keys found out by time?',
  options: { seed: 7, count: 10_000 },
  async run({ seed = 7, count = 10_000 }, say) {
    const service = await startService();
    try {
      const app = await service.run.createApp();
      const doors: readonly (readonly [name: string, key: string, door: Door])[] = [
        [
          'secret keys',
          app.live.sk,
          { method: 'GET', path: '/v1/app', headers: key => ({ authorization: `Bearer ${key}` }) },
        ],
        [
          'publishable keys',
          app.live.pk,
          {
            method: 'POST',
            path: '/v1/challenges',
            headers: key => ({ 'x-svc-key': key, origin: app.origin }),
          },
        ],
      ];
      const figures: Figure[] = [];
      for (const [name, key, door] of doors) {
        say(`2 × ${count} ${name} …`);
        const times = await timeKeys(service.run.base, door, key, count, seed);
        const found = difference(times);
        const held = Math.abs(found.t) < MOST_T && Math.abs(found.cropped) < MOST_T;
        const what = `${name}: Welch t of long against no common beginning`;
        figures.push(figure(what, `below ${MOST_T}`, shown(found), held));
        figures.push(none(`${name}: answers other than 401, of ${2 * count}`, times.odd));
      }
      const [, key, door] = doors[0] as (typeof doors)[0];
      say('a server that compares letter by letter …');
      const leak = await leaky(key, door, count, seed);
      const seen = Math.max(leak.t, leak.cropped) >= MOST_T;
      const what = `a server that leaks ${LETTER_NS / 1_000} µs a letter is seen`;
      figures.push(figure(what, `${MOST_T} or more`, shown(leak), seen));
      return figures;
    } finally {
      await service.close();
    }
  },
};

function shown({ t, cropped, micros }: Difference): string {
  return `${t.toFixed(2)}, without the slowest tenth ${cropped.toFixed(2)} (${micros.toFixed(1)} µs)`;
}

async function leaky(key: string, door: Door, count: number, seed: number) {
  const child = fork(join(import.meta.dirname, 'leaky-server.ts'), [key, String(LETTER_NS)]);
  try {
    const base = await new Promise<string>((resolve, reject) => {
      child.once('message', address => resolve(String(address)));
      child.once('exit', code => reject(new Error(`the leaky server ended with ${code}`)));
    });
    return difference(await timeKeys(base, door, key, count, seed));
  } finally {
    child.kill();
  }
}
