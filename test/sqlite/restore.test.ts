/** What a restore does besides copying. What it means for a running service is in test/cli/backup.long.test.ts. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fileUpkeep } from '../../src/adapters/sqlite/upkeep.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { contractOn } from '../contract/engine.ts';
import { deleteUser, enrolled, LIVE, NOW, OTHER, SECOND } from '../contract/fixtures.ts';
import { link, linkBy, operator, passkey, session } from '../contract/operator-fixtures.ts';
import { locationAt, openAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';

const test = suite('restore');
const check = contractOn(test, sqliteEngine);

/** Restores into a new folder that has the master secret and, if given, the journal of another folder. */
async function restored<Answer>(
  from: string,
  {
    backup,
    journal,
    erasures = null,
    now = NOW + 10,
  }: { backup: string; journal: boolean; erasures?: string | null; now?: number },
  look: (folder: string, erasedAgain: number) => Promise<Answer>,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-restore-'));
  const [source, target] = [locationAt(from), locationAt(folder)];
  try {
    copyFileSync(source.masterSecretFile, target.masterSecretFile);
    if (journal) copyFileSync(source.erasuresFile, target.erasuresFile);
    const { erasedAgain } = await fileUpkeep(target, systemRandom()).restore({
      backup,
      erasures,
      acceptGap: false,
      now,
      onProgress: () => undefined,
    });
    return await look(folder, erasedAgain);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

check('users and apps erased after the backup are erased again, and everybody else is there', async given => {
  const { db, store } = given;
  const [gone, kept, ofApp] = [
    await enrolled(store, { email: 'gone@mail.example' }),
    await enrolled(store, { email: 'kept@mail.example' }),
    await enrolled(store, { gallery: OTHER, email: 'of-app@mail.example' }),
  ];
  const rows = await db.rows<{ sealed: Buffer }>(`SELECT sealed FROM users WHERE id <> '${kept.user.id}'`);
  const upkeep = fileUpkeep(locationAt(db.address), systemRandom());
  const [backup, later] = [join(db.address, 'backup.db'), join(db.address, 'later.db')];
  await upkeep.backUp(backup, () => undefined);
  await deleteUser(store, LIVE, gone.user.id, NOW + 1);
  await store.deleteApp(SECOND, NOW + 2);
  await upkeep.backUp(later, () => undefined);
  const markers = [gone.user.id, ofApp.user.id, `Name of ${SECOND}`, ...rows.map(({ sealed }) => sealed)];
  assert.ok(
    markers.every(marker => readFileSync(backup).includes(marker)),
    'found before',
  );

  for (const [what, known] of [
    ['the journal of the folder', { journal: true }],
    ['a journal that is given', { journal: false, erasures: locationAt(db.address).erasuresFile }],
    ['a later backup that is given', { journal: false, erasures: later }],
  ] as const)
    await restored(db.address, { backup, ...known }, async (folder, erasedAgain) => {
      assert.is(erasedAgain, 2, what);
      const bytes = readFileSync(locationAt(folder).path);
      assert.equal(
        markers.filter(marker => bytes.includes(marker)),
        [],
        what,
      );
      const again = await openAt(folder);
      assert.is(await again.findUser(LIVE, { id: gone.user.id }), null, what);
      assert.is((await again.findUser(LIVE, { id: kept.user.id }))?.email, 'kept@mail.example', what);
      await again.close();
    });
});

check(
  'numbers of what is told go on beyond all that anybody has read, also after a second restore',
  async given => {
    const { db, store } = given;
    await enrolled(store);
    await deleteUser(store, OTHER, (await enrolled(store, { gallery: OTHER })).user.id, NOW);
    await store.setKnownTime(NOW, null);
    const backup = join(db.address, 'backup.db');
    await fileUpkeep(locationAt(db.address), systemRandom()).backUp(backup, () => undefined);
    await enrolled(store);
    const heads: number[] = [(await store.outboxState(LIVE)).newest];
    for (const now of [NOW + 10, NOW + 70_000])
      await restored(db.address, { backup, journal: true, now }, async folder => {
        const there = await openAt(folder);
        for (const gallery of [LIVE, OTHER]) {
          const { newest } = await there.outboxState(gallery);
          assert.ok(newest >= 1_000_000_000 + now - NOW && newest < 1_000_100_000, `${newest}`);
        }
        const { newest } = await there.outboxState(LIVE);
        // As many as may come meanwhile.
        for (let i = 0; i < 3; i++) await enrolled(there, { at: now });
        const events = await there.outboxEvents(LIVE, newest, 9);
        assert.equal(
          events.map(({ seq }) => seq),
          [newest + 1, newest + 2, newest + 3],
        );
        assert.ok(newest > Math.max(...heads), `${newest} after ${heads}`);
        heads.push(newest + 3);
        assert.equal(
          (await there.outboxEvents(LIVE, 0, 1)).map(({ seq }) => seq),
          [1],
          'and what was kept is there',
        );
        const second = Math.floor(now / 1_000) + 1;
        const { revocations } = await there.revocations(LIVE, { seq: newest, all: 0 }, now);
        assert.equal(revocations, [
          { kind: 'all', issuedBefore: second * 1_000, expiresAt: second * 1_000 + 3_600_000 },
        ]);
        await there.close();
      });
  },
);

check(
  'operators are there again and listed, and nobody of them is signed in or has a link',
  async ({ db, store }) => {
    await operator(store, 'ada', { makesAdmin: true });
    await store.startSession(session(), 10);
    await store.addPasskey(passkey(), 10);
    await store.setRecoveryCodes('opr_ada', ['code'], NOW);
    await store.createLink(link({ operatorId: 'opr_ada' }));
    const backup = join(db.address, 'backup.db');
    await fileUpkeep(locationAt(db.address), systemRandom()).backUp(backup, () => undefined);
    const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-restore-'));
    const target = locationAt(folder);
    try {
      copyFileSync(locationAt(db.address).masterSecretFile, target.masterSecretFile);
      const { operators } = await fileUpkeep(target, systemRandom()).restore({
        ...{ backup, erasures: null, acceptGap: true, now: NOW + 10, onProgress: () => undefined },
      });
      const passkeys = [{ label: 'Laptop', createdAt: NOW, lastUsedAt: null }];
      assert.equal(operators, [
        { email: 'ada@mail.example', name: 'ada', isAdmin: true, isDisabled: false, passkeys },
      ]);
      const there = await openAt(folder);
      assert.is((await there.listOperators())[0]?.recoveryCodes, 0);
      assert.is((await there.listOperators({ email: 'ada@mail.example' }))[0]?.id, 'opr_ada');
      assert.equal(await there.listSessions('opr_ada', 0, 0), []);
      assert.is(await linkBy(there, 'hash_1'), null);
      await there.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.run();
