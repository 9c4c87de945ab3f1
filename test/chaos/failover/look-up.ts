/** Looks up, one by one, what was acknowledged; and whether anything was written in part. */
import { call, server, verify } from '../../support/client.ts';
import type { Running } from '../../support/service.ts';
import { ORPHANS } from '../races/database.ts';
import type { Cluster } from './cluster.ts';
import { DESCRIPTORS, type Person } from './load.ts';

const AT_ONCE = 8;

/** Rows that lack their other half. Nobody here adds or removes a face of theirs. */
const HALVES: Readonly<Record<string, string>> = {
  ...ORPHANS,
  'users without all templates': `SELECT id FROM users WHERE ${DESCRIPTORS} <>
    (SELECT count(*) FROM templates WHERE user_id = users.id AND origin = 'enrolled')`,
  'users whose enrolment is not an event': `SELECT id FROM users WHERE 1 <>
    (SELECT count(*) FROM auth_events WHERE user_id = users.id AND type = 'enroll')`,
};

export async function halves(cluster: Cluster): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries(HALVES)) {
    const rows = await cluster.query(text);
    if (rows.length > 0) found.push(`${rows.length} ${what}`);
  }
  return found;
}

/** Through one node after the other. @returns what is missing, a line for each acknowledged write */
export async function lost(
  cluster: Cluster,
  bases: readonly string[],
  people: readonly Person[],
): Promise<string[]> {
  const matches = new Map<string, number>();
  const rows = await cluster.query<{ user_id: string; count: string }>(
    `SELECT user_id, count(*) FROM auth_events WHERE type = 'match' GROUP BY user_id`,
  );
  for (const row of rows) matches.set(row.user_id, Number(row.count));
  const found: string[] = [];
  const waiting = people.filter(({ isSeen }) => !isSeen);
  let turn = 0;

  async function lookUp(person: Person): Promise<void> {
    const { app, id, isGone, doubt } = person;
    const run = { base: bases[turn++ % bases.length] } as Running;
    const { status } = await call(run, 'GET', `/v1/users/${id}`, { headers: server(app) });
    person.isSeen = true;
    if (isGone && status !== 404) found.push(`deletion of ${id}: ${status}`);
    if (isGone || (doubt === 'delete' && status === 404)) return;
    if (status !== 200) {
      found.push(`enrolment of ${id}: ${status}`);
      return;
    }
    const count = matches.get(id) ?? 0;
    const most = person.matches + (doubt === 'match' ? 1 : 0);
    for (let n = count; n < person.matches; n++) found.push(`sign-in of ${id}`);
    if (count > most) found.push(`${id} signed in ${count} times, not ${most}`);
    for (const token of person.signedOut) {
      const answer = await verify(run, app, token);
      if (answer.json?.reason !== 'revoked') found.push(`sign-out of ${id}: ${answer.text}`);
    }
  }

  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await lookUp(next);
    }),
  );
  return found;
}
