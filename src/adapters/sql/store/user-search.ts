/** Searches through the users of a gallery for a text. Each is decrypted, which takes time. */
import { setImmediate as turn } from 'node:timers/promises';
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { Order, PlacedUser, UserPosition } from '../../../ports/store.ts';
import type { Opener } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { mayHold } from './personal.ts';
import { placedUser } from './placed-rows.ts';
import { userPage } from './users.ts';

/** Users per statement: between two of them, others have their turn. */
const AT_ONCE = 1_000;

/** A page of the users whose address or name contains a text. */
interface UserSearch {
  readonly gallery: GalleryKey;
  readonly contains: string;
  readonly after: UserPosition | null;
  readonly limit: number;
  readonly order: Order;
}

interface Row {
  id: string;
  sealed: Uint8Array;
  created_at: number;
}

/** @throws UnknownKey unless the opener's `isLast` */
export async function searchUsers(
  sql: Sql,
  opener: Opener,
  { gallery, contains, after, limit, order }: UserSearch,
): Promise<PlacedUser[]> {
  const wanted = contains.toLowerCase();
  const found: PlacedUser[] = [];
  let position = after;
  for (;;) {
    const rows = await userPage<Row>(sql, 'id, sealed, created_at', gallery, position, AT_ONCE, order);
    const values = rows.map(row => row.sealed);
    const may = mayHold(opener, values, wanted);
    for (const { id } of rows.filter((_, i) => may[i])) {
      const person = await placedUser(sql, opener, id);
      if (person && [person.user.email, person.user.name].some(text => text.toLowerCase().includes(wanted)))
        found.push(person);
      if (found.length === limit) return found;
    }
    const last = rows.at(-1);
    if (rows.length < AT_ONCE || !last) return found;
    position = { createdAt: last.created_at, id: last.id };
    await turn();
  }
}
