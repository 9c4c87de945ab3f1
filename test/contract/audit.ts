/** Tiers 1 and 2, the audit log: entries in order, together with what they are about, and only ever at the end. */
import * as assert from 'uvu/assert';
import { type AuditEntry, FIRST_TEAM } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine } from './engine.ts';
import { FIRST, NOW, newKey } from './fixtures.ts';
import { fill, recordedVerbs, recording, UNWRITABLE } from './recorded-verbs.ts';

const entry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  ...recording(),
  outcome: 'forbidden',
  ...change,
});

export function audit(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('entries are numbered from 1, and listed by every filter in both directions', async ({ store }) => {
    await store.appendAudit(entry());
    await store.appendAudit(
      entry({ at: NOW + 1, actorId: null, actor: 'command line (root)', teamId: null }),
    );
    await store.appendAudit(entry({ at: NOW + 2, appId: null, action: 'key.create', outcome: 'ok' }));
    const all = await store.listAudit({}, null, 10);
    assert.equal(
      all.map(({ seq, at }) => [seq, at - NOW]),
      [
        [3, 2],
        [2, 1],
        [1, 0],
      ],
    );
    assert.equal(all[2], { seq: 1, ...entry(), count: 1 });
    const seqs = async (...given: Parameters<typeof store.listAudit>) =>
      (await store.listAudit(...given)).map(({ seq }) => seq);
    assert.equal(await seqs({}, null, 2), [3, 2]);
    assert.equal(await seqs({}, 3, 10), [2, 1]);
    assert.equal(await seqs({ teamId: FIRST_TEAM }, null, 10), [3, 1]);
    assert.equal(await seqs({ actorId: 'opr_ada', appId: FIRST }, null, 10), [1]);
    assert.equal(await seqs({ action: 'key.create' }, null, 10), [3]);
    assert.equal(await seqs({ since: NOW + 1, until: NOW + 2 }, null, 10), [2]);
    const visibleTo = { actorId: 'opr_none', teamIds: ['team_none', FIRST_TEAM] };
    assert.equal(await seqs({ visibleTo }, null, 10), [3, 1]);
    assert.equal(await seqs({ visibleTo, action: 'key.create' }, null, 10), [3]);
    assert.equal(await seqs({ visibleTo: { actorId: 'opr_ada', teamIds: [] } }, 3, 10), [1]);
    assert.equal(await seqs({ visibleTo: { actorId: 'opr_none', teamIds: [] } }, null, 10), []);
    const after = async (seq: number, limit: number) =>
      (await store.listAudit({}, seq, limit, 'oldest')).map(each => each.seq);
    assert.equal([await after(0, 2), await after(1, 9), await after(3, 9)], [[1, 2], [2, 3], []]);
    assert.is(await store.verifyAudit(), null);
  });

  for (const [verb, done, refused] of recordedVerbs())
    check(
      `${verb}: an entry each time it is done, also without effect, and none if it refuses`,
      async ({ store }) => {
        await fill(store);
        await done[0]?.(store, UNWRITABLE).then(
          () => assert.unreachable('what cannot be recorded is not done'),
          () => undefined,
        );
        for (const act of done) await act(store, recording());
        assert.equal(
          await store.listAudit({}, null, 99),
          done.map((_, i) => ({ seq: i + 1, ...entry({ outcome: 'ok' }), count: 1 })).reverse(),
        );
        for (const [i, act] of refused.entries()) {
          await act(store, recording()).catch(() => undefined);
          assert.is((await store.listAudit({}, null, 99)).length, done.length, `refusal ${i}`);
        }
        assert.is(await store.verifyAudit(), null);
      },
    );

  check('an entry may stand for many, and its count is kept', async ({ store }) => {
    await store.appendAudit(entry({ count: 1 }));
    await store.appendAudit(entry({ count: 599 }));
    assert.equal(
      (await store.listAudit({}, 0, 9, 'oldest')).map(({ count }) => count),
      [1, 599],
    );
    assert.is(await store.verifyAudit(), null);
  });

  check('entries from many at once form one chain', async ({ db, store }) => {
    const stores = [store, await db.open()];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const one = stores[i % 2] as typeof store;
        if (i % 4 < 2) return one.appendAudit(entry({ at: NOW + i }));
        return one.createKey(newKey(`key_${i}`), 99, recording({ at: NOW + i }));
      }),
    );
    const seqs = (await store.listAudit({}, 0, 99, 'oldest')).map(({ seq }) => seq);
    assert.equal(
      seqs,
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    assert.is(await store.verifyAudit(), null);
  });

  check('the oldest entries go, and the rest still follows from them', async ({ store }) => {
    for (let i = 0; i < 5; i++) await store.appendAudit(entry({ at: NOW + i }));
    assert.is(await store.prune('audit', NOW, 10), 0);
    assert.is(await store.prune('audit', NOW + 3, 2), 2, 'not more than asked for');
    assert.is(await store.prune('audit', NOW + 3, 10), 1);
    const seqs = async () => (await store.listAudit({}, 0, 9, 'oldest')).map(({ seq }) => seq);
    assert.equal(await seqs(), [4, 5]);
    assert.is(await store.verifyAudit(), null);
    assert.is(await store.prune('audit', NOW + 9, 10), 2);
    await store.appendAudit(entry());
    assert.equal(await seqs(), [6]);
    assert.is(await store.verifyAudit(), null);
  });
}
