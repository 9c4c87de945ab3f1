/**
 * The feeds of an app's server: what happened to its users, and which tokens are no longer good. Both can be waited on
 * (readers.ts). Held by test/http/feeds.test.ts and test/http/feeds-waiting.test.ts.
 */
import type { OutboxEvent, Revocation, RevocationPlace } from '../../ports/store.ts';
import { VERIFIERS_BEHIND } from '../../protocol/limits.ts';
import type { OutboxType } from '../../protocol/outbox.ts';
import type { KeyCaller } from '../caller.ts';
import { openCursor, sealCursor } from '../cursors.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import type { Found, Wait } from './readers.ts';

type FeedDeps = Pick<Deps, 'store' | 'readers' | 'secrets' | 'clock'>;

interface EventPage {
  readonly events: readonly OutboxEvent[];
  /** The `seq` up to which nothing is left to read, whatever the types. */
  readonly nextAfter: number;
  /** The `seq` of the oldest event that is kept; null: none is. */
  readonly oldest: number | null;
}

/** @param query without `after`, no events: only where the next one comes */
export function readEvents(
  { store, readers }: FeedDeps,
  caller: KeyCaller,
  query: {
    readonly after?: number | undefined;
    readonly limit: number;
    readonly types?: readonly OutboxType[] | undefined;
  },
  wait: Wait,
): Promise<EventPage> {
  const { gallery } = caller;
  const { after, limit, types } = query;
  return readers.read<EventPage>(caller, wait, async from => {
    // Before the events: all up to here are among those, or of other types.
    const { newest, oldest } = await store.outboxState(gallery);
    if (after === undefined) return found({ events: [], nextAfter: newest, oldest }, false);
    const start = from?.seq ?? after;
    const events = await store.outboxEvents(gallery, start, limit, types);
    const last = events.at(-1)?.seq ?? 0;
    const nextAfter = events.length === limit ? last : Math.max(start, newest, last);
    return found({ events, nextAfter, oldest }, events.length === 0);
  });
}

const found = (answer: EventPage, isEmpty: boolean): Found<EventPage> => ({
  answer,
  isEmpty,
  // A revocation of all tokens is no event.
  seen: { seq: answer.nextAfter, all: Number.POSITIVE_INFINITY },
});

interface RevocationPage {
  readonly revocations: readonly Revocation[];
  readonly nextAfter: string;
  /** When it was read. */
  readonly asOf: number;
}

/**
 * Revocations after a cursor; without one all that a token may still meet, and that at once.
 * @throws Refusal invalid_request for a cursor of another app, mode or list
 */
export function readRevocations(
  { store, readers, secrets, clock }: FeedDeps,
  caller: KeyCaller,
  after: string | undefined,
  wait: Wait,
): Promise<RevocationPage> {
  const { gallery } = caller;
  const own = { purpose: 'revocations-cursor', of: `${gallery.appId}\0${gallery.mode}` };
  const opened = after === undefined ? null : openCursor<[number, number]>(secrets, own, after);
  if (after !== undefined && !opened)
    throw new Refusal(
      'invalid_request',
      'after: is not the "next_after" of the revocations of this app and mode. Leave it out to read everything.',
    );
  const start = opened && { seq: opened[0], all: opened[1] };
  return readers.read<RevocationPage>(caller, wait, async (from: RevocationPlace | null) => {
    const asOf = clock.now();
    const { revocations, place } = await store.revocations(gallery, from ?? start, asOf - VERIFIERS_BEHIND);
    return {
      answer: { revocations, nextAfter: sealCursor(secrets, own, [place.seq, place.all]), asOf },
      isEmpty: start !== null && revocations.length === 0,
      seen: place,
    };
  });
}
