/** What the portal costs sign-ins: while 20 operators look at it, and for the day table and the index of events. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { DAY } from '../../src/protocol/limits.ts';
import { median } from '../measure.ts';
import { measure, type Side } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import type { Data } from './data.ts';
import type { Figure } from './figure.ts';
import type { Operator } from './operator.ts';

const ROUNDS = 5;
const SECONDS = 5;
/** Units per second: about a third of what the service can do on one core. */
const RATE = 150;
/** How often each operator's page asks for something. */
const LOOK_MS = 2_000;
const EVENTS = 20_000;

/** @returns the p99 of sign-ins with operators by that without, and the processor time of a sign-in (µs) */
export async function beside(
  data: Data,
  operators: readonly Operator[],
  side: Side,
): Promise<{ readonly figure: Figure; readonly cpuMicros: number }> {
  const generator = startLoad();
  const load = (seed: number) => ({ connections: 256, seconds: SECONDS, open: { rate: RATE, seed } });
  try {
    await measure(generator, side, load(0));
    const [quiet, watched, cpu]: [number[], number[], number[]] = [[], [], []];
    for (let round = 1; round <= ROUNDS; round++)
      for (const isWatched of round % 2 ? [false, true] : [true, false]) {
        const look = isWatched ? looking(data, operators) : null;
        const { figures } = await measure(generator, side, load(round));
        await look?.end();
        (isWatched ? watched : quiet).push(figures.p99_ms);
        if (!isWatched) cpu.push(figures.cpu_us);
      }
    const ratio = median(watched) / median(quiet);
    return {
      figure: {
        ...{
          name: `sign-ins, p99 with 20 operators by ${median(quiet).toFixed(1)} ms without`,
          wanted: '≤ 1.1',
        },
        ...{ median: ratio, worst: ratio, most: 1.1 },
      },
      cpuMicros: median(cpu),
    };
  } finally {
    await stop(generator);
  }
}

/** Each operator asks in turn for charts, events and a search, at times of their own. */
function looking({ app }: Data, operators: readonly Operator[]): { end(): Promise<void> } {
  let isOver = false;
  const at = `apps/${app}/live`;
  const paths = ['days?last=90', 'events', 'users?limit=50', 'users?contains=user1234'];
  const all = operators.map(async (operator, i) => {
    await delay((i * LOOK_MS) / operators.length);
    for (let turn = i; !isOver; turn++) {
      await operator.get(`${at}/${paths[turn % paths.length]}`);
      await delay(LOOK_MS);
    }
  });
  return {
    async end() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Time of the upsert and of the index beside an event, as a share of a sign-in's processor time. */
export function costOfNumbers({ folder, app }: Data, cpuMicros: number): Figure {
  const db = new Database(join(folder, 'face-sign-in.db'));
  db.pragma('synchronous = NORMAL');
  const insert = db.prepare(
    `INSERT INTO auth_events (id, app_id, mode, user_id, type, at, sealed)
     VALUES (?, ?, 'live', 'usr_x', 'match', ?, zeroblob(80))`,
  );
  const count = db.prepare(
    `INSERT INTO event_days (app_id, mode, day, type, count) VALUES (?, 'live', ?, 'match', 1)
     ON CONFLICT (app_id, mode, day, type) DO UPDATE SET count = event_days.count + 1`,
  );
  const now = Date.now();
  const day = Math.floor(now / DAY) * DAY;
  let next = 0;
  /** Microseconds an event. Nothing is kept. */
  const timed = (counts: boolean) => {
    db.exec('BEGIN');
    const began = performance.now();
    for (let i = 0; i < EVENTS; i++) {
      insert.run(`evt_${next++}`, app, now + i);
      if (counts) count.run(app, day);
    }
    const micros = ((performance.now() - began) * 1_000) / EVENTS;
    db.exec('ROLLBACK');
    return micros;
  };
  const rounds = (counts: boolean) => median(Array.from({ length: ROUNDS }, () => timed(counts)));
  rounds(true);
  const whole = rounds(true);
  const index = db
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'auth_events_by_gallery'")
    .pluck()
    .get();
  db.exec('DROP INDEX auth_events_by_gallery');
  const bare = rounds(false);
  db.exec(String(index));
  db.close();
  const share = ((whole - bare) / cpuMicros) * 100;
  return {
    ...{ name: `day table and index: ${(whole - bare).toFixed(1)} µs of ${cpuMicros} µs a sign-in (%)` },
    ...{ wanted: '≤ 5 %', median: share, worst: share, most: 5 },
  };
}
