/**
 * Another process on the same database, for tests: does one task and tells of it on stdout, a line at a time.
 * Use: node writer.ts ADDRESS TASK [ARGUMENT]…
 */
import type { Store } from '../../src/ports/store.ts';
import {
  appRecord,
  enrolment,
  FIRST,
  LIVE,
  NOW,
  newKey,
  signOut,
  takeWindow,
  UNLIMITED,
} from './fixtures.ts';
import { openPostgresAt } from './postgres-engine.ts';
import { openAt } from './sqlite-engine.ts';

const [address = '', task = '', ...args] = process.argv.slice(2);

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function reportDone(): Promise<void> {
  return new Promise(done => process.stdin.once('data', () => done()));
}

/** Enrolls until it is told how the gallery moved meanwhile; answers the enrolment's outcome. */
async function enrolAnyway(store: Store, id: string): Promise<string> {
  for (;;) {
    const { sequence } = await store.galleryState(LIVE);
    const templates = [0, 1].map(i => ({ ...template(i), id: `tpl_${id}_${i}` }));
    const { outcome } = await store.enrol(
      enrolment({ id, email: `${id}@example.com`, templates, sequence, auth: UNLIMITED }),
    );
    if (outcome !== 'stale') return outcome;
    await new Promise(done => setTimeout(done, Math.random() * 4));
  }
}

function template(i: number) {
  return { vector: new Float32Array(128).fill(i + 1) };
}

const TASKS: Record<string, (store: Store) => Promise<void>> = {
  /** Takes a window COUNT times at once, and tells how often it was let in. */
  async take(store) {
    const [key = '', limit, times] = args;
    const window = { key, limit: Number(limit), length: 1_000_000 };
    const answers = await Promise.all(
      Array.from({ length: Number(times) }, () => takeWindow(store, FIRST, window, NOW)),
    );
    tell(String(answers.filter(({ taken }) => taken).length));
  },

  /** Consumes each of the challenges, and tells which ones it got. */
  async consume(store) {
    const got = await Promise.all(
      args.map(async id => ((await store.consumeChallenge(id, LIVE, NOW)) ? id : '')),
    );
    tell(got.filter(id => id !== '').join(' '));
  },

  /** Makes keys at once, and tells how many. */
  async keys(store) {
    const [name, maximum, times] = args;
    const outcomes = await Promise.all(
      Array.from({ length: Number(times) }, (_, i) =>
        store.createKey(newKey(`key_${name}_${i}`), Number(maximum)),
      ),
    );
    tell(String(outcomes.filter(outcome => outcome === 'created').length));
  },

  /** Enrolls a number of people one after another, whatever others do. */
  async enrol(store) {
    const [name, times] = args;
    for (let i = 0; i < Number(times); i++) await enrolAnyway(store, `usr_${name}_${i}`);
    tell('done');
  },

  /** Writes without end, and tells of each write when it is acknowledged. */
  async append(store) {
    const [name] = args;
    const lane = async (of: number) => {
      for (let i = 0; ; i++) {
        const id = `${name}_${of}_${i}`;
        if (of === 0) await enrolAnyway(store, `usr_${id}`);
        if (of === 1) await signOut(store, `jti_${id}`, NOW);
        if (of === 2) await takeWindow(store, FIRST, { key: `w_${id}`, limit: 1, length: 1_000_000 }, NOW);
        if (of === 3) await store.createApp(appRecord(`app_${id}`));
        if (of === 4) {
          await store.addChallenge({ id: `ch_${id}`, gallery: LIVE, expiresAt: NOW + 1 });
          await store.consumeChallenge(`ch_${id}`, LIVE, NOW);
        }
        tell(`${of} ${id}`);
        await new Promise(done => setImmediate(done));
      }
    };
    await Promise.all([0, 1, 2, 3, 4].map(lane));
  },

  /** Fills the disk with large writes, then with small ones; tells of both, and later whether it works again. */
  async fill(store) {
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => 'ok',
        (error: Error) => error.name,
      );
    const untilRefused = async (write: (i: number) => Promise<unknown>) => {
      for (let i = 0; i < 2_000; i++) {
        const answer = await outcome(write(i));
        if (answer !== 'ok') return { stored: i, answer };
        await new Promise(done => setImmediate(done));
      }
      return { stored: 2_000, answer: 'never refused' };
    };
    const large = await untilRefused(i =>
      takeWindow(store, FIRST, { key: `${i}_${'x'.repeat(3_000)}`, limit: 1, length: 1_000_000 }, NOW),
    );
    const small = await untilRefused(i => store.updateApp(FIRST, { name: `Name ${i}` }));
    const together = await Promise.all([1, 2, 3].map(i => outcome(signOut(store, `jti_${i}`, NOW))));
    const pings = [await outcome(store.ping()), await outcome(store.ping())];
    const read = (await store.findApp(FIRST))?.name;
    tell(JSON.stringify({ large, small, together, pings, read }));
    await reportDone();
    // Another probe is not made within a second of the last one.
    await new Promise(done => setTimeout(done, 1_100));
    tell(
      JSON.stringify({
        pings: [await outcome(store.ping()), await outcome(store.ping())],
        write: await outcome(signOut(store, 'jti_after', NOW)),
      }),
    );
  },
};

const store = await (address.startsWith('postgres:') ? openPostgresAt : openAt)(address);
tell('ready');
await reportDone();
await TASKS[task]?.(store);
await store.close();
process.exit(0);
