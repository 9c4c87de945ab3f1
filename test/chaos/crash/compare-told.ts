/**
 * What the app is told, against what was done: an event for each change and no other, none twice, in order, and none that
 * comes below a number that was there before. Of who was deleted, only that.
 */
import type { OutboxType } from '../../../src/protocol/outbox.ts';
import type { Context } from './context.ts';
import type { Account, Person } from './person.ts';
import type { Facts, Rows } from './rows.ts';

export type ToldSoFar = ReturnType<typeof createToldSoFar>;

export function createToldSoFar() {
  return {
    upTo: 0,
    /** User by number. */
    users: new Map<number, string | null>(),
    /** All names of revocations: they leave their table when the tokens have ended. */
    revoked: new Set<string>(),
  };
}

export function compareTold({ told: before, findings }: Context, rows: Rows): void {
  const { told, toldUpTo, counts, others, people } = rows;
  for (const name of rows.revoked) before.revoked.add(name);
  const revoked = (kind: RegExp) => [...before.revoked].filter(name => kind.test(name)).length;
  const changes =
    counts.enroll +
    counts.match +
    counts.code +
    counts.deletion +
    others.email_changed +
    others.templates_added;
  // A first verification tells two.
  const wanted = changes + revoked(/^jti_/) + 2 * revoked(/^(?:unproven|earlier):/);
  if (toldUpTo !== wanted)
    findings.add(toldUpTo < wanted ? 'lost' : 'half', `${toldUpTo} events were told of ${wanted} changes`);

  const now = new Set(told.map(({ seq }) => seq));
  for (const seq of now)
    if (seq <= before.upTo && !before.users.has(seq))
      findings.add('half', `event ${seq} came after event ${before.upTo} was there`);
  for (const [seq, user] of before.users)
    if (!now.has(seq) && (user === null || people.has(user)))
      findings.add('lost', `event ${seq}, which was there before, is gone`);
  before.upTo = toldUpTo;
  before.users.clear();
  for (const { seq, user_id: user } of told) before.users.set(seq, user);

  const once = new Set<string>();
  for (const { seq, type, data } of told) {
    const name = `${type} ${data?.jti ?? seq}`;
    if (!data) findings.add('damaged', `event ${seq} does not open`);
    if (once.has(name)) findings.add('half', `${name} was told twice`);
    once.add(name);
  }
  const deleted = told.flatMap(({ type, data }) => (type === 'user.deleted' && data ? [data.user_id] : []));
  if (deleted.length !== counts.deletion || new Set(deleted).size !== deleted.length)
    findings.add('half', `${deleted.length} deletions were told of ${counts.deletion}`);
  for (const id of deleted)
    if (people.has(id)) findings.add('half', `the deletion of ${id}, who is there, was told`);
}

/** What the app has to be told of the person, as `differs` compares it. */
export function tellingOf(
  person: Person,
  { events, revoked, verified }: Account,
  { told }: Facts,
): [what: string, wanted: unknown, found: unknown][] {
  const first = Number(verified);
  const times: Partial<Record<OutboxType, number>> = {
    'user.enrolled': events.enroll,
    'user.signed_in': events.match + events.email_code,
    'user.signed_out': revoked.length,
    'user.templates_added': events.templates_added,
    'user.email_changed': events.email_changed,
    'user.email_verified': first,
    'user.tokens_revoked': first,
  };
  const named = (jti: string, isOut: boolean) =>
    told.findIndex(({ type, data }) => data?.jti === jti && (type === 'user.signed_out') === isOut);
  return [
    ['the first event', 'user.enrolled', told[0]?.type],
    ...Object.entries(times).map(([type, n]): [string, unknown, unknown] => [
      `${type} as told`,
      n,
      told.filter(row => row.type === type).length,
    ]),
    ...person.tokens
      .filter(({ isTold }) => isTold)
      .map(({ jti }): [string, unknown, unknown] => [`token ${jti} told`, true, named(jti, false) >= 0]),
    ...revoked
      .filter(jti => named(jti, false) >= 0)
      .map((jti): [string, unknown, unknown] => [
        `sign-out of ${jti} told after its sign-in`,
        true,
        named(jti, true) > named(jti, false),
      ]),
  ];
}
