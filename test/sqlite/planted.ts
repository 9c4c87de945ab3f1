/**
 * Whoever can write the database or a backup, but has no master secret: what a planted, moved, replayed (an older state
 * put back) or removed row of each table gives. SECURITY.md says the same in words, table by table.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { examineRows } from '../../src/adapters/sqlite/examine-rows.ts';
import type { CeremonyRecord, Store } from '../../src/ports/store.ts';
import { contractOn } from '../contract/engine.ts';
import {
  enrolled,
  FIRST,
  LIVE,
  MONTH,
  NOW,
  newKey,
  OTHER,
  SECOND,
  signingKey,
  signOut,
} from '../contract/fixtures.ts';
import { IDLE, link, operator, passkey, redeeming, session } from '../contract/operator-fixtures.ts';
import { databaseFile, locationAt, openAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import { newWebhook } from '../contract/webhooks.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ATTACKS } from './planted-rows.ts';

type Row = Record<string, string | number | null | Uint8Array>;

const TEAM = 'team_other000000000000000000';
const LATER = NOW + 5 * 60_000;

/** Ada is the admin; Vic was one, and is a viewer now. Returns the states of rows from before. */
async function fill(store: Store, rows: <Some = Row>(sql: string) => Promise<Some[]>) {
  await operator(store, 'ada', { makesAdmin: true });
  await operator(store, 'vic', { makesAdmin: true });
  await operator(store, 'off');
  await store.updateOperator('opr_off', { disabledAt: NOW });
  await store.createTeam({ id: TEAM, name: 'Other', createdAt: NOW });
  await store.setMember(TEAM, 'opr_vic', 'owner', NOW);
  await store.setMember(TEAM, 'opr_ada', 'owner', NOW);
  for (const id of ['psk_ada', 'psk_gone'])
    await store.addPasskey(passkey({ id, credentialId: `credential of ${id}` }), 9);
  await store.addPasskey(
    passkey({ id: 'psk_vic', credentialId: 'credential of psk_vic', operatorId: 'opr_vic' }),
    9,
  );
  for (const [id, operatorId] of [
    ['ada', 'opr_ada'],
    ['gone', 'opr_ada'],
    ['vic', 'opr_vic'],
  ] as const)
    await store.startSession(
      session({ id: `ses_${id}`, operatorId, hash: `cookie of ${id}`, secretHash: `secret of ${id}` }),
      9,
    );
  await store.createLink(link({ id: 'lnk_used', hash: 'used', operatorId: 'opr_ada' }));
  await store.useCeremony(CEREMONY);
  await store.setRecoveryCodes('opr_vic', ['good', 'used'], NOW);
  for (const [id, appId] of [
    ['key_first', FIRST],
    ['key_gone', FIRST],
    ['key_other', SECOND],
  ] as const)
    await store.createKey(newKey(id, { appId }), 9);
  await enrolled(store, { id: 'usr_one', name: 'One', email: 'one@mail.example' });
  await enrolled(store, { id: 'usr_two', email: 'two@mail.example', gallery: OTHER });
  await store.addSigningKey(signingKey('one'), null);
  await signOut(store, 'jti', NOW + 1_000);
  await signOut(store, 'jti_one', NOW + 1_000, 'usr_one');
  await store.addChallenge({ id: 'ch_one', gallery: LIVE, expiresAt: LATER });
  await store.createWebhook(newWebhook('wh_one'), 9);
  const entry = { at: NOW, actor: 'Ada', actorId: null, action: 'x', target: null };
  const whole = { ...entry, teamId: null, appId: null, ip: null, session: null, outcome: 'ok' };
  for (let i = 0; i < 3; i++) await store.appendAudit(whole);
  const old = async (table: string, where: string) =>
    (await rows(`SELECT * FROM ${table} WHERE ${where}`))[0] as Row;
  const before = {
    operators: await old('operators', "id = 'opr_vic'"),
    members: await old('members', "operator_id = 'opr_vic'"),
    passkeys: await old('passkeys', "id = 'psk_gone'"),
    operator_sessions: await old('operator_sessions', "id = 'ses_gone'"),
    operator_links: await old('operator_links', "id = 'lnk_used'"),
    ceremonies: await old('ceremonies', '1 = 1'),
    recovery_codes: {} as Row,
    apps: await old('apps', `id = '${FIRST}'`),
    api_keys: await old('api_keys', "id = 'key_gone'"),
    webhooks: await old('webhooks', '1 = 1'),
  };
  const codes = await rows('SELECT * FROM recovery_codes');
  await store.useRecoveryCode('opr_vic', 'used');
  const left = new Set((await rows('SELECT hash FROM recovery_codes')).map(({ hash }) => hash));
  before.recovery_codes = codes.find(({ hash }) => !left.has(hash as string)) as Row;
  await store.updateOperator('opr_vic', { isAdmin: false });
  await store.setMember(TEAM, 'opr_vic', 'viewer', NOW);
  await store.updatePasskey('opr_ada', 'psk_gone', null);
  await store.endSessions('opr_ada', 'ses_gone');
  await store.redeemLink(redeeming({ hash: 'used' }));
  await store.updateApp(FIRST, { teamId: TEAM });
  await store.updateKey('key_gone', { revokedAt: NOW });
  await store.updateWebhook('wh_one', { url: 'https://new.example' });
  return before;
}

const CEREMONY: CeremonyRecord = {
  ...{ browser: 'b', challenge: 'c', operatorId: 'opr_vic', expiresAt: LATER },
  purpose: 'step-up',
};

type Ask = (store: Store, of: string, more: string) => Promise<unknown>;
const ASKS: Readonly<Record<string, Ask>> = {
  async standing(store, id) {
    const [found] = await store.listOperators({ id });
    return found && (found.disabledAt !== null ? 'disabled' : found.isAdmin ? 'admin' : 'no admin');
  },
  role: async (store, id) =>
    (await store.listTeams({ operatorId: id })).map(({ name, role }) => `${name}: ${role}`).join(),
  owner: async (store, id) =>
    (await store.listPasskeys({ credentialId: `credential of ${id}` }))[0]?.operatorId,
  code: (store, id, code) => store.useRecoveryCode(id, code),
  session: async (store, id) =>
    (await store.findSession(`cookie of ${id}`, `secret of ${id}`, NOW + 1, IDLE))?.operator.id,
  link: async (store, hash) => (await store.redeemLink(redeeming({ hash }))).outcome,
  unused: (store, browser) => store.useCeremony({ ...CEREMONY, browser }),
  firstParty: async store => (await store.findApp(FIRST))?.firstParty,
  team: async store => (await store.findApp(FIRST))?.teamId,
  appOf: async (store, id) => (await store.findCredential(`hash of ${id}`))?.app.id,
  name: async (store, id) => (await store.findUser(LIVE, { id }))?.name,
  unreadable: async store => (await store.galleryChanges(LIVE, 0, 9)).unreadable?.length,
  readable: async store => (await store.galleryChanges(LIVE, 0, 9)).added.count,
  kids: async store => (await store.signingKeys(NOW)).map(({ kid }) => kid).join(),
  told: async (store, mode, limit) =>
    (await store.outboxEvents(mode === 'live' ? LIVE : OTHER, 0, Number(limit)))
      .map(({ seq, type, data }) => `${seq} ${type} of ${data.user_id}`)
      .join(),
  revocations: async store =>
    (await store.revocations(LIVE, null, NOW)).revocations
      .map(one => ('jti' in one ? one.jti : one.kind))
      .join(),
  revocable: (store, jti) => signOut(store, jti, NOW + 1_000),
  counted: async (store, key) => (await store.peekWindow(key, NOW))?.count,
  auths: async store => (await store.usageOf(LIVE, MONTH)).auths,
  webhook: async (store, id) => (await store.listWebhooks({ id }))[0]?.url,
  auditFault: async store => (await store.verifyAudit())?.seq,
};

function literal(value: Row[string]): string {
  if (value === null || typeof value === 'number') return String(value);
  return typeof value === 'string' ? `'${value}'` : `x'${Buffer.from(value).toString('hex')}'`;
}

/** What an attack does, in SQL. */
function sqlOf(attack: string, before: Readonly<Record<string, Row>>): string {
  return attack
    .replace(/^copy (\w+) (.*): (.*)$/, (_, table, where, change) =>
      [
        `CREATE TEMP TABLE copied AS SELECT * FROM ${table} WHERE ${where}`,
        `UPDATE copied SET ${change}`,
        `INSERT INTO ${table} SELECT * FROM copied`,
      ].join(';'),
    )
    .replace(/^put (\w+)/, (_, table) => {
      const row = before[table] ?? {};
      return `INSERT OR REPLACE INTO ${table} (${Object.keys(row)}) VALUES (${Object.values(row).map(literal)})`;
    });
}

export function sqlitePlanted(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('what a row gives that somebody without the master secret writes', async ({ db, store }) => {
    const before = await fill(store, db.rows);
    const [last] = await db.rows<{ seq: number }>('SELECT MAX(seq) + 1 AS seq FROM audit_log');
    const tables = await db.rows<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    const doc = readFileSync(join(import.meta.dirname, '../../.github/SECURITY.md'), 'utf8');
    assert.equal(
      tables.map(row => row.name).filter(name => !doc.includes(`\`${name}\``)),
      [],
      'SECURITY.md says of each table what a planted row gives',
    );
    const folder = tempFolder();
    await store.close();
    const source = new Database(databaseFile(db));
    source.pragma('wal_checkpoint(TRUNCATE)');
    source.close();
    for (const [at, line] of ATTACKS.trim().split('\n').entries()) {
      const [table, kind, attack = '', asked = '', wanted, doctor] = line.split(' | ');
      const what = `${table} ${kind} (${at}): ${attack}`;
      const copy = join(folder, String(at));
      mkdirSync(copy);
      const there = locationAt(copy);
      copyFileSync(databaseFile(db), there.path);
      copyFileSync(locationAt(db.address).masterSecretFile, there.masterSecretFile);
      const file = new Database(there.path);
      file.pragma('foreign_keys = OFF');
      const triggers = Object.fromEntries(
        file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").raw().all() as string[][],
      ) as Record<string, string>;
      for (const trigger of Object.keys(triggers)) file.exec(`DROP TRIGGER ${trigger}`);
      file.exec(sqlOf(attack, before));
      for (const sql of Object.values(triggers)) file.exec(sql);
      file.close();
      const findings = await examineRows(there);
      const bad = (['operators', 'sealed', 'audit'] as const).filter(name => !findings[name].ok);
      assert.is(bad.join() || 'none', doctor, `doctor: ${what}`);
      const after = await openAt(copy);
      const [ask = '', of = '', more = ''] = asked.split(' ');
      const answer = await ASKS[ask]?.(after, of, more).finally(() => after.close());
      assert.is(String(answer ?? null), wanted?.replace('LAST', String(last?.seq)), what);
    }
  });
}
