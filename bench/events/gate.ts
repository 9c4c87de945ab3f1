/** Before anything is measured: ten webhooks get all events of some sign-ins, also one whose endpoint fails at times. */
import { copyOf, type Gallery } from '../service/galleries.ts';
import { run } from '../service/measure.ts';
import { startLoad, stop } from '../service/servers.ts';
import { sideOf, startService } from '../service/side.ts';
import { checked, newest, type Receiver, webhookTo } from './webhooks.ts';

export const WEBHOOKS = 10;
/** So long that requests arrive in the order in which they left, but for those under way at once. */
const HOLD_MS = 20;
const FAILS_ONE_OF = 7;
const LOAD = { connections: 2, seconds: 2 };

/** @returns how it was checked. @throws Error when an event is missing, not signed, or out of order */
export async function gate(receiver: Receiver, gallery: Gallery): Promise<string> {
  const folder = copyOf(gallery);
  const paths: string[] = [];
  for (let n = 0; n < WEBHOOKS; n++) {
    const how = n === 0 ? { holdMs: HOLD_MS, failsOneOf: FAILS_ONE_OF } : { holdMs: HOLD_MS };
    paths.push((await webhookTo(receiver, folder, how)).path);
  }
  const [server, generator] = [startService(folder), startLoad()];
  try {
    const side = await sideOf(gallery, server);
    const after = await newest(folder);
    const { units, wrong } = await run(generator, { ...side.job, ...LOAD });
    if (wrong > 0) throw new Error(`${wrong} of ${units} sign-ins were wrong: no figure is shown`);
    const [failing] = await checked(receiver, folder, paths, after, units);
    if (failing && failing.requests <= failing.events)
      throw new Error('nothing failed, so nothing was tried again: no figure is shown');
    return `${units} sign-ins at ${WEBHOOKS} webhooks: all arrived, signed, in order`;
  } finally {
    await stop(generator);
    await stop(server);
  }
}
