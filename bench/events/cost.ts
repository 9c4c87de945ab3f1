/** What a sign-in costs with a webhook and without, in one service whose webhook is enabled every other time. */
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Measure } from '../nodes/row.ts';
import { copyOf, type Gallery } from '../service/galleries.ts';
import { type Figures, type Load, measure } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import { arrived, checked, disable, enable, newest, type Receiver, webhookTo } from './webhooks.ts';

const PASSES = 8;
const SECONDS = 5;
/** Sign-ins a second when not as many as possible: about a third of what a core can do. */
const RATE = 200;
const LOADS = {
  steady: (seed: number): Load => ({ connections: 128, seconds: SECONDS, open: { rate: RATE, seed } }),
  full: (): Load => ({ connections: 64, seconds: SECONDS }),
};
/** Until a change of the webhook is seen. */
const SEEN_MS = 1_500;
const [MOST, LEAST] = [1.05, 0.95];

type Name = keyof typeof LOADS;
type Turn = Record<'none' | 'one', Figures[]>;

export async function cost(receiver: Receiver, gallery: Gallery): Promise<Measure[]> {
  const folder = copyOf(gallery);
  const webhook = await webhookTo(receiver, folder);
  const [server, generator] = [startService(folder), startLoad()];
  const turns: Record<Name, Turn> = { steady: { none: [], one: [] }, full: { none: [], one: [] } };
  let events = 0;
  try {
    const side = await sideOf(gallery, server);
    for (let n = 0; n < 2; n++) await measure(generator, side, LOADS.full());
    for (let pass = 0; pass < PASSES; pass++) {
      console.error(`with a webhook and without: pass ${pass + 1} of ${PASSES}`);
      for (const what of pass % 2 ? (['one', 'none'] as const) : (['none', 'one'] as const)) {
        await (what === 'one' ? enable(folder, webhook.id) : disable(folder, webhook.id));
        await delay(SEEN_MS);
        for (const name of Object.keys(LOADS) as Name[]) {
          const after = await newest(folder);
          const { figures, units } = await measure(
            generator,
            side,
            LOADS[name](pass),
            what === 'one' ? sent => arrived(receiver, webhook.path, after, sent) : undefined,
          );
          if (what === 'one') {
            await checked(receiver, folder, [webhook], after, units);
            events += units;
          }
          turns[name][what].push(figures);
        }
      }
    }
  } finally {
    await stop(generator);
    await stop(server);
  }
  const by = `${events} events arrived, signed, in order`;
  const compared = (what: string, name: Name, figure: keyof Figures, wanted?: Measure['wanted']): Measure => {
    const [none, one] = [turns[name].none, turns[name].one].map(all => all.map(each => each[figure]));
    const ratio = median((one ?? []).map((value, pass) => value / (none?.[pass] ?? Number.NaN)));
    const beside = { what: 'no webhook', value: median(none ?? []), ratio };
    return { what, value: median(one ?? []), beside, ...(wanted && { wanted }), checked: by };
  };
  const steady = `${RATE} sign-ins a second, one webhook`;
  return [
    compared(`${steady}: ms, median`, 'steady', 'p50_ms', { most: MOST }),
    compared('the same, p99', 'steady', 'p99_ms'),
    compared('the same: processor time of a sign-in, µs', 'steady', 'cpu_us'),
    compared('the same, of the thread that answers', 'steady', 'main_us'),
    compared('as many sign-ins a second as possible, one webhook', 'full', 'per_second', { least: LEAST }),
    compared('the same: processor time of a sign-in, µs', 'full', 'cpu_us'),
    compared('the same, of the thread that answers', 'full', 'main_us'),
  ];
}
