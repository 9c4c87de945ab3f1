/** Before anything is measured: ten webhooks get all events of some sign-ins, one of them at an endpoint that fails. */
import { copyOf, type Gallery } from '../service/galleries.ts';
import { run } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import { checked, newest, type Receiver, type Webhook, webhookTo } from './webhooks.ts';

export const WEBHOOKS = 10;
/** So long that requests arrive nearly in the order in which they left. */
const HOLD_MS = 20;
const FAILS_ONE_OF = 7;
/** Four are under way at once, and one of them may need a new connection. */
const MOST_OVERTAKEN = 50;
const LOAD = { connections: 2, seconds: 2 };

/** @returns how it was checked. @throws Error when an event is missing, not signed, or out of order */
export async function gate(receiver: Receiver, gallery: Gallery): Promise<string> {
  const folder = copyOf(gallery);
  const webhooks: Webhook[] = [];
  for (let n = 0; n < WEBHOOKS; n++) {
    const how = n === 0 ? { holdMs: HOLD_MS, failsOneOf: FAILS_ONE_OF } : { holdMs: HOLD_MS };
    webhooks.push(await webhookTo(receiver, folder, how));
  }
  const [server, generator] = [startService(folder), startLoad()];
  try {
    const side = await sideOf(gallery, server);
    const after = await newest(folder);
    const { units, wrong } = await run(generator, { ...side.job, ...LOAD });
    if (wrong > 0) throw new Error(`${wrong} of ${units} sign-ins were wrong: no figure is shown`);
    const told = await checked(receiver, folder, webhooks, after, units);
    const overtaken = Math.max(...told.map(each => each.overtaken));
    if (overtaken > MOST_OVERTAKEN) throw new Error(`${overtaken} events overtook one: no figure is shown`);
    const [failing] = told;
    if (failing && failing.requests <= failing.events)
      throw new Error('nothing failed, so nothing was tried again: no figure is shown');
    return `${units} sign-ins at ${WEBHOOKS} webhooks: all arrived, signed, in order`;
  } finally {
    await stop(generator);
    await stop(server);
  }
}
