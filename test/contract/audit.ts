/** Tiers 1 and 2, the audit log: entries in order, together with what they are about, and only ever at the end. */
import * as assert from 'uvu/assert';
import { type AuditEntry, FIRST_TEAM, type Recording } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine } from './engine.ts';
import { FIRST, NOW, newKey, takeWindow } from './fixtures.ts';

const recording = (change: Partial<Recording> = {}): Recording => ({
  at: NOW,
  actor: 'Ada <ada@mail.example>',
  actorId: 'opr_ada',
  action: 'app.rename',
  target: FIRST,
  teamId: FIRST_TEAM,
  appId: FIRST,
  ip: '192.0.2.1',
  session: 'ses_1',
  ...change,
});
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

  check('a change is recorded with it, once, and nothing without one', async ({ store }) => {
    const rename = store.recording(recording());
    assert.is(await rename.updateApp('app_none', { name: 'x' }), null);
    assert.equal(await store.listAudit({}, null, 9), [], 'nothing was changed');
    await takeWindow(rename, null, { key: 'limit', limit: 1, length: 1_000 }, NOW);
    assert.equal(await store.listAudit({}, null, 9), [], 'a limit is no action');
    await rename.updateApp(FIRST, { name: 'First' });
    await rename.updateApp(FIRST, { name: 'Again' });
    assert.equal(await store.listAudit({}, null, 9), [{ seq: 1, ...entry({ outcome: 'ok' }), count: 1 }]);
    await store.updateApp(FIRST, { name: 'Unrecorded' });
    assert.is((await store.listAudit({}, null, 9)).length, 1);
  });

  check('a change that fails leaves no entry', async ({ db, store }) => {
    const failing = store.recording(recording());
    await failing
      .updateApp(FIRST, () => {
        throw new Error('no');
      })
      .then(
        () => assert.unreachable(),
        () => undefined,
      );
    await failing.createKey(newKey('key_1'), 9);
    await store
      .recording(recording())
      .createKey(newKey('key_1'), 9)
      .then(
        () => assert.unreachable(),
        () => undefined,
      );
    assert.is(await count(db, 'audit_log'), 1);
    assert.is(await store.verifyAudit(), null);
  });

  check(
    'writes at once through one recording store make one entry, also after a failed one',
    async ({ store }) => {
      const one = store.recording(recording());
      await Promise.all([one.updateApp(FIRST, { name: 'A' }), one.updateApp(FIRST, { name: 'B' })]);
      assert.is((await store.listAudit({}, null, 9)).length, 1);
      const failing = store.recording(recording());
      const outcomes = await Promise.allSettled([
        failing.updateApp(FIRST, () => {
          throw new Error('no');
        }),
        failing.updateApp(FIRST, { name: 'C' }),
        failing.updateApp(FIRST, { name: 'D' }),
      ]);
      assert.equal(
        outcomes.map(({ status }) => status),
        ['rejected', 'fulfilled', 'fulfilled'],
      );
      assert.is((await store.listAudit({}, null, 9)).length, 2);
    },
  );

  check(
    'an action that had nothing to change is recorded when it is done, and no action twice',
    async ({ store }) => {
      const idle = store.recording(recording());
      await idle.endSessions('opr_none', null);
      await idle.recordUnchanged();
      await idle.recordUnchanged();
      await idle.updateApp(FIRST, { name: 'First' });
      assert.equal(await store.listAudit({}, null, 9), [{ seq: 1, ...entry({ outcome: 'ok' }), count: 1 }]);
      const busy = store.recording(recording());
      await Promise.all([busy.updateApp(FIRST, { name: 'Second' }), busy.recordUnchanged()]);
      assert.is((await store.listAudit({}, null, 9)).length, 2);
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

  check('revoking a revoked key changes nothing, so its write has no entry', async ({ store }) => {
    await store.createKey(newKey('key_1'), 9);
    for (let i = 0; i < 2; i++)
      assert.ok(
        await store.recording(recording({ action: 'key.revoke' })).updateKey('key_1', { revokedAt: NOW + i }),
      );
    assert.is((await store.listAudit({}, null, 9)).length, 1);
  });

  check('what answers with the changed row is recorded too', async ({ store }) => {
    await store.createKey(newKey('key_1'), 9);
    await store.recording(recording({ action: 'key.label' })).updateKey('key_1', { label: 'Till' });
    await store.recording(recording({ action: 'key.label' })).updateKey('key_none', { label: 'Till' });
    assert.equal(
      (await store.listAudit({}, null, 9)).map(({ action }) => action),
      ['key.label'],
    );
  });

  check('entries from many at once form one chain', async ({ db, store }) => {
    const stores = [store, await db.open()];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const one = stores[i % 2] as typeof store;
        if (i % 4 < 2) return one.appendAudit(entry({ at: NOW + i }));
        return one.recording(recording({ at: NOW + i })).createKey(newKey(`key_${i}`), 99);
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
