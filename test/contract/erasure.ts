/**
 * Tier 4, erasure. A deleted person is gone when no byte of them can be found in what the engine keeps on disk: not
 * in a row, a freed page, a log or a copy that reordering a page has left. Every marker must be found before it is
 * missed, or the search itself proves nothing.
 */
import * as assert from 'uvu/assert';
import { seeded } from '../support/random.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, nextTurn, type TestDatabase } from './engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  FIRST,
  failedMatch,
  LIVE,
  NOW,
  newKey,
  OTHER,
  SECOND,
  signIn,
  TEST,
  takeWindow,
  vector,
} from './fixtures.ts';

type Markers = Record<string, string | Buffer>;

async function found(db: TestDatabase, markers: Markers): Promise<string[]> {
  const bytes = await db.bytes();
  return Object.entries(markers)
    .filter(([, marker]) => bytes.includes(marker))
    .map(([what]) => what);
}

/** Somebody whose every trace can be told from everybody else's. */
async function traceable(
  given: { db: TestDatabase; store: Parameters<typeof enrolled>[0] },
  name: string,
  gallery = LIVE,
) {
  const { db, store } = given;
  const email = `Marker.${name}@Mail-${name}.example`;
  const origin = { ip: `ip-${name}`, userAgent: `agent-${name}`, liveness: { checks: [`check-${name}`] } };
  const templates = [0, 1].map(i => ({ id: `tpl_${name}_${i}`, vector: vector(name.length + i + 0.5) }));
  const person = await enrolled(store, {
    gallery,
    id: `usr_${name}`,
    email,
    name: `Name-${name}`,
    origin,
    templates,
    policyVersion: `policy-${name}`,
  });
  const [good = ''] = await challenges(store, 1, gallery, `ch_${name}`);
  await store.recordSignIn(
    signIn(person.number, good, { gallery, origin: { ...origin, ip: `later-ip-${name}` } }),
  );
  await store.recordFailedMatch(
    failedMatch({
      gallery,
      nearUser: person.number,
      origin: { ...origin, userAgent: `near-agent-${name}` },
    }),
  );
  const markers: Markers = { policy: `policy-${name}` };
  for (const [table, id] of [
    ['templates', 'user_id'],
    ['users', 'id'],
    ['consents', 'user_id'],
    ['auth_events', 'user_id'],
  ]) {
    const rows = await db.rows<{ sealed: Uint8Array }>(
      `SELECT sealed FROM ${table} WHERE ${id} = '${person.user.id}'`,
    );
    for (const [i, row] of rows.entries()) {
      const bytes = Buffer.from(row.sealed);
      for (const at of [0, 29, bytes.length - 16])
        markers[`sealed in ${table}, ${i}, from ${at}`] = bytes.subarray(at, at + 16);
    }
  }
  const clear = [
    email,
    email.toLowerCase(),
    `Name-${name}`,
    `ip-${name}`,
    `later-ip-${name}`,
    `agent-${name}`,
    `near-agent-${name}`,
    `check-${name}`,
    ...templates.flatMap(({ vector: { buffer } }) => [0, 256, 496].map(at => Buffer.from(buffer, at, 16))),
  ];
  return { user: person.user, markers, clear };
}

export function erasure(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  check('no template and nothing personal is ever on disk in the clear', async given => {
    const { user, clear } = await traceable(given, 'ana');
    const code = {
      ...{ id: 'code_1', gallery: LIVE, userId: user.id, hash: 'hash', expiresAt: NOW + 1_000 },
      ...{ email: 'Marker.new@example.com', lockoutKey: 'window' },
    };
    assert.is(await given.store.putCode(code), 'stored');
    const { codes } = (await given.store.userFile(user.id, false)) ?? {};
    assert.is(codes?.[0]?.newEmail, code.email);
    const bytes = await given.db.bytes();
    for (const part of [...clear, code.email]) assert.not(bytes.includes(part), String(part));
  });

  wiped('a deleted user leaves no byte, while another one stays as they were', async given => {
    const { db, store } = given;
    const gone = await traceable(given, 'first');
    const kept = await traceable(given, 'another');
    assert.equal(await found(db, gone.markers), Object.keys(gone.markers), 'found before');
    assert.is(await deleteUser(store, LIVE, gone.user.id, NOW + 9), 1);
    assert.equal(await found(db, gone.markers), []);
    assert.equal(await found(db, kept.markers), Object.keys(kept.markers));
    assert.is(await store.findUser(LIVE, { id: gone.user.id }), null);
    assert.is((await store.galleryChanges(LIVE, 0, 10)).added.count, 2);
    assert.is(await store.enrolBlocker(LIVE, gone.user.email, null), null, 'the address is free again');
  });

  wiped('a deleted app leaves no byte in either mode, while another app stays as it was', async given => {
    const { db, store } = given;
    await store.updateApp(FIRST, { name: 'Name-of-app', allowedOrigins: ['https://app-marker.example'] });
    await store.createKey(newKey('key_marker'), 5);
    await store.createKey(newKey('key_other', { appId: SECOND }), 5);
    await takeWindow(store, FIRST, { key: 'window-marker', limit: 5, length: 1_000 }, NOW);
    await takeWindow(store, SECOND, { key: 'window-other', limit: 5, length: 1_000 }, NOW);
    await challenges(store, 1, LIVE, 'challenge-marker');
    const people = [await traceable(given, 'in-live'), await traceable(given, 'in-test', TEST)];
    const kept = await traceable(given, 'elsewhere', OTHER);
    const storedHashOf = async (id: string) =>
      String((await db.rows<{ hash: string }>(`SELECT hash FROM api_keys WHERE id = '${id}'`))[0]?.hash);
    const markers: Markers = {
      'app name': 'Name-of-app',
      origin: 'app-marker.example',
      'key id': 'key_marker',
      'key hash': await storedHashOf('key_marker'),
      window: 'window-marker',
      challenge: 'challenge-marker',
    };
    for (const { user, markers: of } of people)
      for (const [what, marker] of Object.entries(of)) markers[`${what} of ${user.id}`] = marker;
    const others: Markers = { ...kept.markers, key: await storedHashOf('key_other'), window: 'window-other' };
    assert.equal(await found(db, markers), Object.keys(markers), 'found before');
    const usage = await db.rows('SELECT * FROM usage');
    assert.is(await store.deleteApp(FIRST, NOW + 9), true);
    assert.equal(await found(db, markers), []);
    assert.equal(await found(db, others), Object.keys(others));
    assert.equal(await db.rows('SELECT * FROM usage'), usage);
    assert.equal(
      await db.rows(
        `SELECT mode, at, user_id, sealed FROM auth_events WHERE type = 'app_deleted' ORDER BY mode`,
      ),
      ['live', 'test'].map(mode => ({ mode, at: NOW + 9, user_id: null, sealed: null })),
    );
    assert.is(await count(db, 'auth_events', `app_id = '${FIRST}' AND type NOT LIKE '%deleted'`), 6);
    for (const gallery of [LIVE, TEST]) assert.is((await store.galleryState(gallery)).sequence, 0);
    assert.is(await store.findCredential(newKey('key_marker').hash), null);
    assert.is((await store.galleryChanges(OTHER, 0, 10)).added.count, 2);
  });

  wiped('of many people in one gallery, those deleted leave no byte in any page', async ({ db, store }) => {
    // Hashes come in no order, so pages of an index are split and filled again.
    const random = seeded(155);
    const word = () => random.bytes(4).readUInt32BE().toString(36).padStart(7, '0');
    for (let i = 0; i < 240; i++)
      await enrolled(store, { id: `usr_${i}`, email: `${word()}@mail.example`, name: '', templates: [] });
    const rows = await db.rows<{ id: string; email_hash: string; sealed: Uint8Array }>(
      'SELECT id, email_hash, sealed FROM users',
    );
    const isGone = ({ id }: { id: string }) => Number(id.slice(4)) % 3 === 0;
    const traces = (row: (typeof rows)[number]) => [
      row.email_hash,
      Buffer.from(row.sealed).toString('latin1', 9, 32),
    ];
    const [gone, kept] = [rows.filter(isGone), rows.filter(row => !isGone(row))].map(some =>
      some.flatMap(traces),
    );
    for (const { id } of rows.filter(isGone)) await deleteUser(store, LIVE, id, NOW);
    const text = (await db.bytes()).toString('latin1');
    const found = (some: readonly string[] = []) => some.filter(trace => text.includes(trace)).length;
    assert.equal([found(gone), found(kept)], [0, 320]);
  });

  for (const whose of ['another', 'the same'])
    wiped(`erasures come to an end while ${whose} handle never rests`, async given => {
      const { db, store } = given;
      const busy = whose === 'another' ? await db.open() : store;
      const gone = await traceable(given, 'ana');
      let over = false;
      const traffic = Promise.all(
        Array.from({ length: 8 }, async (_, lane) => {
          for (let i = 0; !over; i++) {
            await takeWindow(busy, SECOND, { key: `w_${lane}_${i}`, limit: 1, length: 1 }, NOW);
            if (lane === 0) await busy.galleryChanges(LIVE, 0, 10);
          }
        }),
      );
      await nextTurn();
      const patience = new Promise(done => setTimeout(done, 5_000, 'no end'));
      const deleted = await Promise.race([deleteUser(store, LIVE, gone.user.id, NOW), patience]);
      const left = deleted === 1 ? await found(db, gone.markers) : ['not asked'];
      over = true;
      await traffic;
      assert.is(deleted, 1);
      assert.equal(left, []);
    });
}
