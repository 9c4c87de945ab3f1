/**
 * Entries of what changed nothing: refusals, and looks at people. Anybody who may send requests can make any number of
 * them, in a log that only grows. So the first of several equal ones is written at once, and those that follow it
 * within a quarter of an hour are counted, and written as one entry with their count. Entries are equal if who, what,
 * where and the outcome are; what else differs (target, address, session) is left out of the counted one. Each node
 * counts for itself, in memory: a crash loses the counts of a quarter of an hour, never a first entry.
 * Held by test/domain/access/audit-counts.test.ts.
 */
import type { AuditEntry, AuditStore } from '../../ports/store/audit.ts';
import { HOUR, MINUTE } from '../../protocol/limits.ts';

export const COUNTED_FOR = 15 * MINUTE;
/** How long opening the same person again leaves no other entry. */
const OPENED_FOR = HOUR;
/** Beyond, the oldest is ended early. */
const MOST = 10_000;

export interface AuditCounts {
  /** @param who the operator's id; of nobody who is signed in, the network */
  count(entry: AuditEntry, who: string): Promise<void>;
  /** Appends the entry unless an equal one, with the same target, was within the hour. Others are not counted. */
  once(entry: AuditEntry, who: string): Promise<void>;
  /** Writes what has been counted. @param all false: only if its time is over */
  flush(all: boolean): Promise<void>;
}

interface Open {
  readonly endsAt: number;
  readonly length: number;
  /** What was counted since the first entry, as one. */
  more: AuditEntry | null;
}

export function createAuditCounts(
  store: Pick<AuditStore, 'appendAudit'>,
  clock: { now(): number },
): AuditCounts {
  /** Oldest first, by kind of window. */
  const open = new Map<string, Open>();

  async function write(each: Open): Promise<void> {
    const { more } = each;
    if (!more) return;
    each.more = null;
    try {
      await store.appendAudit(more);
    } catch (error) {
      each.more = joined(each.more, more);
      throw error;
    }
  }

  /** @returns the open window of this kind, or null once it has written the entry as the first of a new one */
  async function openOr(key: string, length: number, first: AuditEntry): Promise<Open | null> {
    const now = clock.now();
    const known = open.get(key);
    if (known && isOpen(known, now)) return known;
    const begun: Open = { endsAt: now + length, length, more: known?.more ?? null };
    open.delete(key);
    open.set(key, begun);
    try {
      await write(begun);
      await store.appendAudit(first);
    } catch (error) {
      // Equal ones may have been counted behind it meanwhile.
      begun.more = joined(begun.more, first);
      throw error;
    }
    const [oldest] = open.size > MOST ? open : [];
    if (oldest) {
      open.delete(oldest[0]);
      await write(oldest[1]);
    }
    return null;
  }

  return {
    async count(entry, who) {
      const { action, outcome, teamId, appId } = entry;
      const key = JSON.stringify([who, action, outcome, teamId, appId]);
      const known = await openOr(key, COUNTED_FOR, entry);
      if (known) known.more = joined(known.more, entry);
    },
    async once(entry, who) {
      const { action, outcome, target, appId } = entry;
      await openOr(JSON.stringify([who, action, outcome, appId, target, 'once']), OPENED_FOR, entry);
    },
    async flush(all) {
      const now = clock.now();
      for (const [key, each] of [...open]) {
        const isOver = !isOpen(each, now);
        if (all || isOver) await write(each);
        if (isOver && each.more === null && open.get(key) === each) open.delete(key);
      }
    },
  };
}

/** A window that ends later than it is long has seen another clock. */
function isOpen({ endsAt, length }: Open, now: number): boolean {
  return endsAt > now && endsAt <= now + length;
}

/** At the time of the latest. */
function joined(before: AuditEntry | null, entry: AuditEntry): AuditEntry {
  if (!before) return entry;
  const same = <Field extends 'target' | 'ip' | 'session'>(field: Field) =>
    before[field] === entry[field] ? entry[field] : null;
  return {
    ...entry,
    at: Math.max(before.at, entry.at),
    ...{ target: same('target'), ip: same('ip'), session: same('session') },
    count: (before.count ?? 1) + (entry.count ?? 1),
  };
}
