/**
 * What webhooks cost: a sign-in beside one, many events at ten, and a hundred thousand that wait for a dead endpoint.
 * The endpoints are in a process of their own, on the core of the load generator. Use: npm run bench -- events
 */
import { type Measure, rowOf } from '../nodes/row.ts';
import { galleryOf } from '../service/galleries.ts';
import { stop } from '../service/servers.ts';
import type { Row } from '../table.ts';
import { refuseUnknown } from '../wrong-usage.ts';
import { cost } from './cost.ts';
import { dead } from './dead.ts';
import { gate } from './gate.ts';
import { rate } from './rate.ts';
import { startReceiver } from './webhooks.ts';

const USERS = 1_000;
const PARTS = { cost, rate, dead };

/** @param only some of the parts */
export async function events(only: readonly string[] = Object.keys(PARTS)): Promise<Row[]> {
  refuseUnknown('part', only, Object.keys(PARTS));
  const gallery = await galleryOf(USERS);
  const receiver = await startReceiver();
  try {
    console.error(await gate(receiver, gallery));
    const all: Measure[] = [];
    for (const [name, part] of Object.entries(PARTS))
      if (only.includes(name)) all.push(...(await part(receiver, gallery)));
    return all.map(rowOf);
  } finally {
    await stop(receiver.child);
  }
}
