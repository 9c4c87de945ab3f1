/** Searches through the users of a gallery for a text. Each is opened, which takes time. */
import type { PlacedUser } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';
import type { UserSearch } from '../gallery-reader.ts';
import type { Opener } from './personal.ts';
import { placedUser } from './placed-rows.ts';
import { USER, type UserRow, user, userPage } from './users.ts';

/** Users per statement: between two of them, others have their turn. */
const AT_ONCE = 1_000;

/** @throws UnknownKey unless the opener's `isLast` */
export async function searchUsers(
  sql: Sql,
  opener: Opener,
  { gallery, contains, after, limit, order }: UserSearch,
): Promise<PlacedUser[]> {
  const wanted = contains.toLowerCase();
  const found: string[] = [];
  let position = after;
  for (;;) {
    const rows = await userPage<UserRow>(sql, USER, gallery, position, AT_ONCE, order);
    for (const row of rows) {
      const person = user(opener, gallery, row);
      if (!person) continue;
      if ([person.email, person.name].some(text => text.toLowerCase().includes(wanted))) found.push(row.id);
      if (found.length === limit) break;
    }
    const last = rows.at(-1);
    if (found.length === limit || rows.length < AT_ONCE || !last) break;
    position = { createdAt: last.created_at, id: last.id };
  }
  const people: PlacedUser[] = [];
  for (const id of found) {
    const person = await placedUser(sql, opener, id);
    if (person) people.push(person);
  }
  return people;
}
