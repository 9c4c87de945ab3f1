/** The database as it lies on the disk, read at one moment beside the running service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readErasures } from '../../../src/adapters/journal/erasure-journal.ts';
import type { OutboxType } from '../../../src/protocol/outbox.ts';
import { masterSecretOf, openedRows } from '../../support/data-keys.ts';
import { ORPHANS } from '../races/database.ts';
import type { EventType } from './person.ts';

/** What the rows say of one person. */
export interface Facts {
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  readonly signedInAt: number | null;
  enrolled: number;
  learned: number;
  consents: number;
  hasCode: boolean;
  readonly events: Partial<Record<EventType, number>>;
  /** What the app is told of the person, in order. */
  readonly told: TellingRow[];
}

/** What an app is told. The data is null where the row does not open. */
export interface TellingRow {
  readonly id: string;
  readonly seq: number;
  readonly user_id: string | null;
  readonly type: OutboxType;
  readonly data: { readonly user_id: string; readonly jti?: string } | null;
}

export type Rows = ReturnType<typeof rowsIn>;

export const databaseFile = (dataDir: string) => join(dataDir, 'face-sign-in.db');

/** Every byte of the database and its write-ahead log. */
export function databaseBytes(dataDir: string): Buffer {
  return Buffer.concat(['', '-wal'].map(end => readFileSync(databaseFile(dataDir) + end)));
}

export function readRows(dataDir: string): Rows {
  const db = new Database(databaseFile(dataDir), { readonly: true, fileMustExist: true });
  try {
    db.exec('BEGIN');
    const damage = [
      ...(db.pragma('integrity_check') as { integrity_check: string }[])
        .map(row => row.integrity_check)
        .filter(line => line !== 'ok'),
      ...(db.pragma('foreign_key_check') as unknown[]).map(row => JSON.stringify(row)),
    ];
    const all: All = <Row>(sql: string) => db.prepare(sql).all() as Row[];
    return { ...rowsIn(all, masterSecretOf(dataDir), journalIn(dataDir)), damage };
  } finally {
    db.close();
  }
}

/** Hashes of the journal of erasures in a data folder. */
export const journalIn = (dataDir: string) =>
  new Set(readErasures(join(dataDir, 'erasures.jsonl')).map(({ hash }) => hash));

export function rowsIn(all: All, secret: Buffer, journal: ReadonlySet<string>) {
  const list = (sql: string) => all<object>(sql).map(row => Object.values(row)[0] as string);
  const number = (sql: string) => Number(list(sql)[0] ?? 0);
  const told = (openedRows(all, secret, 'outbox') as TellingRow[]).sort((a, b) => a.seq - b.seq);
  const { people, idByEmail, mentions } = readPeople(all, secret, told);
  const halves = Object.entries(ORPHANS).flatMap(([what, sql]) => {
    const found = list(sql);
    return found.length > 0 ? [`${found.length} ${what}: ${found[0]}`] : [];
  });
  const { counts, sums, others } = readCounts(all, number);
  return {
    people,
    idByEmail,
    /** User ids in any table, with the tables. */
    mentions,
    told,
    /** The last number that was given. */
    toldUpTo: number('SELECT SUM(seq) FROM outbox_heads'),
    revoked: new Set(list('SELECT jti FROM revoked_tokens')),
    challenges: new Set(list('SELECT id FROM challenges')),
    counts,
    others,
    /** Each says that something is there in part, or counted differently from what is there. */
    halves: [...halves, ...sums],
    /** Erasures whose line in the journal is still to come. */
    unjournaled: list('SELECT hash FROM erasures').filter(hash => !journal.has(hash)).length,
    /** What the engine's own checks say. */
    damage: [] as string[],
  };
}

export type All = <Row>(sql: string) => Row[];

function readPeople(all: All, secret: Buffer, told: readonly TellingRow[]) {
  const people = new Map<string, Facts>();
  const idByEmail = new Map<string, string>();
  const mentions = new Map<string, string[]>();
  const mention = (id: string, table: string) => mentions.set(id, [...(mentions.get(id) ?? []), table]);
  for (const row of openedRows(all, secret, 'users')) {
    people.set(row.id, {
      email: row.email,
      name: row.name,
      verified: row.email_verified === 1,
      signedInAt: row.last_sign_in_at,
      ...{ enrolled: 0, learned: 0, consents: 0, hasCode: false, events: {}, told: [] },
    });
    idByEmail.set(row.email, row.id);
    mention(row.id, 'users');
  }
  /** Rows of another table, by person and a column of it. */
  const each = (table: string, column: string, note: (facts: Facts, value: string, n: number) => void) => {
    const grouped = `SELECT user_id AS id, ${column} AS value, COUNT(*) AS n FROM ${table}
      WHERE user_id IS NOT NULL GROUP BY user_id, ${column}`;
    for (const { id, value, n } of all<{ id: string; value: string; n: number }>(grouped)) {
      mention(id, table);
      const facts = people.get(id);
      if (facts) note(facts, value, n);
    }
  };
  each('templates', 'origin', (facts, origin, n) => Object.assign(facts, { [origin]: n }));
  each('consents', 'user_id', (facts, _, n) => Object.assign(facts, { consents: n }));
  each('email_codes', 'kind', (facts, kind) => {
    facts.hasCode ||= kind === 'sign-in';
  });
  each('auth_events', 'type', (facts, type, n) => Object.assign(facts.events, { [type]: n }));
  for (const row of told) {
    if (row.user_id) mention(row.user_id, 'outbox');
    people.get(row.user_id ?? '')?.told.push(row);
  }
  return { people, idByEmail, mentions };
}

/** What was counted, and where one count does not fit the others. */
function readCounts(all: All, number: (sql: string) => number) {
  const rows = all<{ type: string; n: number }>('SELECT type, COUNT(*) AS n FROM auth_events GROUP BY type');
  const events = (type: string) => rows.find(row => row.type === type)?.n ?? 0;
  const used = (column: string) => number(`SELECT SUM(${column}) FROM usage`);
  const counts = {
    enroll: events('enroll'),
    match: events('match'),
    no_match: events('match_failed'),
    code: events('email_code'),
    deletion: events('user_deleted'),
  };
  const auths = counts.enroll + counts.match + counts.no_match + counts.code + events('enroll_face_known');
  const templates = number('SELECT COUNT(*) FROM templates');
  const removed = number('SELECT COUNT(*) FROM removed_templates');
  const sums = [
    ['auths and their events', used('auths'), auths],
    ['enrolls and their events', used('enrolls'), counts.enroll],
    ['matches and their events', used('matches_ok'), counts.match],
    ['failed matches and their events', used('matches_failed'), counts.no_match],
    [
      'enrolls and users with those deleted',
      counts.enroll,
      number('SELECT COUNT(*) FROM users') + counts.deletion,
    ],
    ['tombstones and erasures', counts.deletion, number('SELECT COUNT(*) FROM erasures')],
    [
      'the sequence and the changes of templates',
      number('SELECT SUM(sequence) FROM galleries'),
      templates + 2 * removed,
    ],
  ] as const;
  return {
    counts,
    others: { email_changed: events('email_changed'), templates_added: events('templates_added') },
    sums: sums.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${what}: ${a} and ${b}`),
  };
}
