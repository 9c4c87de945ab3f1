/** Entries of what changed nothing: the first at once, equal ones as one with their count, and none is lost. */
import * as assert from 'uvu/assert';
import { type AuditCounts, COUNTED_FOR, createAuditCounts } from '../../../src/domain/access/audit-counts.ts';
import type { AuditEntry } from '../../../src/ports/store/audit.ts';
import { suite } from '../../support/suite.ts';

const test = suite('operators: audit counts');
const ENTRY: AuditEntry = {
  ...{ at: 0, actor: 'Vera <vera@example.com>', actorId: 'opr_vera', action: 'key.create', target: 'app_1' },
  ...{ teamId: 'team_1', appId: 'app_1', ip: '192.0.2.1', session: 'ses_1', outcome: 'forbidden' },
};

interface Counting {
  readonly counts: AuditCounts;
  readonly clock: { time: number; now(): number };
  readonly log: AuditEntry[];
  isAway: boolean;
  refuse(change?: Partial<AuditEntry>, who?: string): Promise<void>;
}

function counting(): Counting {
  const clock = { time: 1_000_000, now: () => clock.time };
  const log: AuditEntry[] = [];
  const store = {
    async appendAudit(entry: AuditEntry) {
      await null;
      if (made.isAway) throw new Error('away');
      log.push(entry);
    },
  };
  const counts = createAuditCounts(store, clock);
  const made: Counting = {
    ...{ counts, clock, log, isAway: false },
    refuse: (change = {}, who = 'opr_vera') => counts.count({ ...ENTRY, at: clock.time, ...change }, who),
  };
  return made;
}

const total = (log: readonly AuditEntry[]) => log.reduce((sum, { count = 1 }) => sum + count, 0);

test('600 equal ones at once are two entries: the first, and the others as one', async () => {
  const { refuse, log, counts } = counting();
  await Promise.all(Array.from({ length: 600 }, () => refuse()));
  assert.equal(log, [{ ...ENTRY, at: 1_000_000 }]);
  await counts.flush(true);
  assert.equal(log[1], { ...ENTRY, at: 1_000_000, count: 599 });
  await counts.flush(true);
  assert.is(log.length, 2, 'nothing is written twice');
});

test('a day of 600 a minute, whatever their target, address and session: 192 entries, exact', async () => {
  const { refuse, log, counts, clock } = counting();
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    for (let i = 0; i < 600; i += 1)
      await refuse({ target: `usr_${i}`, ip: `192.0.2.${i % 9}`, session: `ses_${i % 9}` });
    clock.time += 60_000;
    await counts.flush(false);
  }
  await counts.flush(true);
  assert.is(log.length, 2 * 24 * 4);
  assert.is(total(log), 24 * 60 * 600);
  const { target, ip, session, count } = log[1] as AuditEntry;
  assert.equal([target, ip, session, count], [null, null, null, 15 * 600 - 1]);
});

const DIFFERENT: readonly [string, Partial<AuditEntry>, string?][] = [
  ['another operator', { actorId: 'opr_other' }, 'opr_other'],
  ['another action', { action: 'key.revoke' }],
  ['another outcome', { outcome: 'step_up_required' }],
  ['another app', { appId: 'app_2' }],
  ['another team', { teamId: 'team_2' }],
];
for (const [what, change, who] of DIFFERENT)
  test(`${what} has an entry at once`, async () => {
    const { refuse, log } = counting();
    await refuse();
    await refuse(change, who);
    assert.is(log.length, 2);
  });

test('an entry that could not be written is counted, and written once the database is back', async () => {
  const portal = counting();
  portal.isAway = true;
  for (let i = 0; i < 3; i += 1) await portal.refuse().catch(() => undefined);
  await portal.counts.flush(true).then(
    () => assert.unreachable(),
    () => undefined,
  );
  portal.isAway = false;
  await portal.counts.flush(true);
  assert.is(total(portal.log), 3);
});

test('a new window writes what the one before has counted, also with a clock that was set back', async () => {
  for (const step of [COUNTED_FOR, -COUNTED_FOR]) {
    const { refuse, log, clock } = counting();
    await refuse();
    await refuse();
    clock.time += step;
    await refuse();
    assert.equal(
      log.map(({ count = 1 }) => count),
      [1, 1, 1],
      String(step),
    );
  }
});

test.run();
