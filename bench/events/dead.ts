/**
 * Sign-ins and a good endpoint beside two dead ones for which very many events wait: one refuses connections, one never
 * answers. Another service has the same events and the good endpoint alone; whichever is not measured is stopped.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ofGallery } from '../../src/adapters/sql/scope.ts';
import { tellSignIn } from '../../src/adapters/sql/store/outbox.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { loadConfig } from '../../src/config.ts';
import { openContextOf } from '../../src/service/data.ts';
import { freePort } from '../../test/support/free-port.ts';
import { median } from '../measure.ts';
import type { Measure } from '../nodes/row.ts';
import { copyOf, type Gallery } from '../service/galleries.ts';
import { type Figures, measure, type Side } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import { arrived, checked, newest, type Receiver, type Webhook, webhookTo, withStore } from './webhooks.ts';

const EVENTS = 100_000;
const BATCH = 1_000;
const PASSES = 8;
const SECONDS = 8;
const RATE = 150;
/** After a stop. */
const AWAKE_MS = 1_000;
const MOST = 1.1;

interface Ran {
  readonly folder: string;
  readonly server: ChildProcess;
  readonly side: Side;
  readonly good: Webhook;
  readonly figures: Figures[];
  readonly delays: (readonly [p50: number, p99: number])[];
}

export async function dead(receiver: Receiver, gallery: Gallery): Promise<Measure[]> {
  const generator = startLoad();
  const all: Ran[] = [];
  const started = async (isBeside: boolean): Promise<Ran & { readonly dead: readonly string[] }> => {
    const folder = copyOf(gallery);
    const refusing = `http://127.0.0.1:${await freePort()}/`;
    const dead = isBeside
      ? [await webhookTo(receiver, folder, {}, refusing), await webhookTo(receiver, folder, { never: true })]
      : [];
    await tellMany(folder, gallery);
    const good = await webhookTo(receiver, folder);
    const server = startService(folder);
    const ran = { folder, server, good, side: await sideOf(gallery, server), figures: [], delays: [] };
    all.push(ran);
    await measure(generator, ran.side, { connections: 64, seconds: SECONDS });
    server.kill('SIGSTOP');
    return { ...ran, dead: dead.map(({ id }) => id) };
  };
  try {
    const alone = await started(false);
    const beside = await started(true);
    let events = 0;
    for (let pass = 0; pass < PASSES; pass++) {
      console.error(`dead endpoints: pass ${pass + 1} of ${PASSES}`);
      for (const ran of pass % 2 ? [beside, alone] : [alone, beside])
        events += await turn(generator, receiver, ran, pass);
    }
    const left = await leftOf(beside.folder, beside.dead);
    if (left < EVENTS) throw new Error(`only ${left} events wait for a dead endpoint: no figure is shown`);
    const by = `${events} events arrived, signed, in order; ${left} or more wait at each dead endpoint`;
    const compared = (what: string, of: (ran: Ran) => number[], most?: number): Measure => {
      const [there, value] = [of(alone), of(beside)];
      const ratio = median(value.map((each, pass) => each / (there[pass] ?? Number.NaN)));
      const other = { what: 'no dead one', value: median(there), ratio };
      return { what, value: median(value), beside: other, ...(most && { wanted: { most } }), checked: by };
    };
    return [
      compared(
        `${EVENTS} events wait for each of two dead endpoints: ms of a sign-in, p99`,
        ({ figures }) => figures.map(({ p99_ms }) => p99_ms),
        MOST,
      ),
      compared('the same, median', ({ figures }) => figures.map(({ p50_ms }) => p50_ms)),
      compared('the same: processor time of a sign-in, µs', ({ figures }) =>
        figures.map(({ cpu_us }) => cpu_us),
      ),
      compared(
        'the same: ms until an event is at a good endpoint, p99',
        ({ delays }) => delays.map(([, p99]) => p99),
        MOST,
      ),
      compared('the same, median', ({ delays }) => delays.map(([p50]) => p50)),
    ];
  } finally {
    await stop(generator);
    for (const { server } of all) {
      server.kill('SIGCONT');
      await stop(server);
    }
  }
}

/** @returns how many events arrived */
async function turn(generator: ChildProcess, receiver: Receiver, ran: Ran, pass: number): Promise<number> {
  const { folder, server, side, good, figures, delays } = ran;
  server.kill('SIGCONT');
  await delay(AWAKE_MS);
  const after = await newest(folder);
  const load = { connections: 128, seconds: SECONDS, open: { rate: RATE, seed: pass } };
  const made = await measure(generator, side, load, sent => arrived(receiver, good.path, after, sent));
  const [told] = await checked(receiver, folder, [good], after, made.units);
  server.kill('SIGSTOP');
  figures.push(made.figures);
  if (told) delays.push(told.delays.all);
  return made.units;
}

/** Sign-ins, as far as the outbox knows of them. */
async function tellMany(folder: string, { signers }: Gallery): Promise<void> {
  const place = await withStore(folder, async (_, gallery) => gallery);
  const context = await openContextOf(loadConfig({ DATA_DIR: folder }), systemRandom());
  const userId = signers[0]?.userId ?? '';
  for (let n = 0; n < EVENTS; n += BATCH)
    await context.driver.write(ofGallery(place), async sql => {
      const at = Date.now();
      for (let i = 0; i < BATCH; i++)
        await tellSignIn(sql, context, place, at, userId, 'face', { jti: `jti_${n + i}`, expiresAt: at });
    });
  await context.driver.close();
}

/** Events that were told and not even tried, at the webhook with the fewest, and those that wait after an attempt. */
const leftOf = (folder: string, ids: readonly string[]) =>
  withStore(folder, async (store, gallery) => {
    const { newest } = await store.outboxState(gallery);
    const webhooks = (await store.listWebhooks({ gallery })).filter(({ id }) => ids.includes(id));
    const left = webhooks.map(({ sentTo, disabledAt }) => (disabledAt === null ? newest - sentTo : 0));
    return Math.min(...left);
  });
