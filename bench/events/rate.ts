/** Ten webhooks at a steady rate of events: how late each arrives, and whether it gets later. */
import type { Measure } from '../nodes/row.ts';
import { copyOf, type Gallery } from '../service/galleries.ts';
import { measure } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import { WEBHOOKS } from './gate.ts';
import { arrived, checked, newest, type Receiver, type Webhook, webhookTo } from './webhooks.ts';

const RATE = 500;
const SECONDS = 30;
const WARM_UP_SECONDS = 5;
const CORES = '0,1';

export async function rate(receiver: Receiver, gallery: Gallery): Promise<Measure[]> {
  const folder = copyOf(gallery);
  const webhooks: Webhook[] = [];
  for (let n = 0; n < WEBHOOKS; n++) webhooks.push(await webhookTo(receiver, folder));
  const [server, generator] = [startService(folder, CORES), startLoad()];
  try {
    const side = await sideOf(gallery, server);
    const load = (seconds: number) => ({ connections: 512, seconds, open: { rate: RATE, seed: seconds } });
    const all = async (after: number, units: number) => {
      for (const { path } of webhooks) await arrived(receiver, path, after, units);
    };
    const start = await newest(folder);
    const { units: before } = await measure(generator, side, load(WARM_UP_SECONDS));
    await all(start, before);
    const after = await newest(folder);
    console.error(`${RATE} events a second to ${WEBHOOKS} webhooks, for ${SECONDS} s`);
    let drained = Number.NaN;
    const { figures, units } = await measure(generator, side, load(SECONDS), async sent => {
      const began = performance.now();
      await all(after, sent);
      drained = (performance.now() - began) / 1_000;
    });
    const told = await checked(receiver, folder, webhooks, after, units);
    const of = (part: 'first' | 'last' | 'all', at: 0 | 1) =>
      Math.max(...told.map(({ delays }) => delays[part][at]));
    const by = `${units * WEBHOOKS} deliveries of ${units} events, signed, in order`;
    const what = `${RATE} events a second to ${WEBHOOKS} webhooks`;
    return [
      {
        what: `${what}: events a second`,
        value: figures.per_second,
        wanted: { least: 0.97 * RATE },
        checked: by,
      },
      {
        what: 'the same: s until the last had arrived, from the last sign-in',
        value: drained,
        wanted: { most: 1 },
        checked: by,
      },
      {
        what: 'the same: ms from the event to its arrival, median, slowest webhook',
        value: of('all', 0),
        checked: by,
      },
      { what: 'the same, p99', value: of('all', 1), checked: by },
      {
        what: 'the same: median of the last third',
        value: of('last', 0),
        beside: { what: 'first third', value: of('first', 0), ratio: of('last', 0) / of('first', 0) },
        wanted: { most: 1.5 },
        checked: by,
      },
      { what: 'the same: ms of a sign-in, median', value: figures.p50_ms, checked: by },
      {
        what: 'the same: processor time of a sign-in and its deliveries, µs',
        value: figures.cpu_us,
        checked: by,
      },
    ];
  } finally {
    await stop(generator);
    await stop(server);
  }
}
