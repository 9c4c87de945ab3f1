/** The database as it lies on the disk, read at one moment beside the running service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readErasures } from '../../../src/adapters/journal/erasure-journal.ts';
import { masterSecretOf, openedRows } from '../../support/data-keys.ts';
import type { Counted } from './context.ts';
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
}

export interface Rows {
  readonly people: ReadonlyMap<string, Facts>;
  readonly idByEmail: ReadonlyMap<string, string>;
  /** User ids in any table, with the tables. */
  readonly mentions: ReadonlyMap<string, readonly string[]>;
  readonly revoked: ReadonlySet<string>;
  readonly challenges: ReadonlySet<string>;
  readonly counts: Record<Counted, number>;
  /** Each says that something is there in part, or counted differently from what is there. */
  readonly halves: readonly string[];
  /** Erasures whose line in the journal is still to come. */
  readonly unjournaled: number;
  /** What the engine's own checks say. */
  readonly damage: readonly string[];
}

const FILE = 'face-sign-in.db';

export const databaseFile = (dataDir: string) => join(dataDir, FILE);

/** Every byte of the database and its write-ahead log. */
export function databaseBytes(dataDir: string): Buffer {
  return Buffer.concat(['', '-wal'].map(end => readFileSync(databaseFile(dataDir) + end)));
}

/** Each finds rows that must not be, whatever has happened. */
const NEVER: Record<string, string> = {
  'users without an enrolled template':
    "SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM templates t WHERE t.user_id = u.id AND t.origin = 'enrolled')",
  'users without consent':
    'SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM consents c WHERE c.user_id = u.id)',
  'templates without user': 'SELECT id FROM templates WHERE user_id NOT IN (SELECT id FROM users)',
  'consents without user': 'SELECT user_id FROM consents WHERE user_id NOT IN (SELECT id FROM users)',
  'codes without user': 'SELECT id FROM email_codes WHERE user_id NOT IN (SELECT id FROM users)',
  'users with more than ten templates': 'SELECT user_id FROM templates GROUP BY user_id HAVING COUNT(*) > 10',
  'templates behind the end of their gallery': `SELECT t.id FROM templates t LEFT JOIN galleries g
    ON g.app_id = t.app_id AND g.mode = t.mode WHERE g.sequence IS NULL OR t.sequence > g.sequence`,
};

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

export function rowsIn(all: All, secret: Buffer, journal: ReadonlySet<string>): Rows {
  const list = (sql: string) => all<object>(sql).map(row => Object.values(row)[0] as string);
  const number = (sql: string) => Number(list(sql)[0] ?? 0);
  const { people, idByEmail, mentions } = readPeople(all, secret);
  const halves = Object.entries(NEVER).flatMap(([what, sql]) => {
    const found = list(sql);
    return found.length > 0 ? [`${found.length} ${what}: ${found[0]}`] : [];
  });
  const { counts, sums } = readCounts(all, number);
  return {
    people,
    idByEmail,
    mentions,
    revoked: new Set(list('SELECT jti FROM revoked_tokens')),
    challenges: new Set(list('SELECT id FROM challenges')),
    counts,
    halves: [...halves, ...sums],
    unjournaled: list('SELECT hash FROM erasures').filter(hash => !journal.has(hash)).length,
    damage: [],
  };
}

export type All = <Row>(sql: string) => Row[];

function readPeople(all: All, secret: Buffer) {
  const people = new Map<string, Facts>();
  const idByEmail = new Map<string, string>();
  const mentions = new Map<string, string[]>();
  const mention = (id: string, table: string) => mentions.set(id, [...(mentions.get(id) ?? []), table]);
  for (const row of openedRows(all, secret, 'users') as UserRow[]) {
    people.set(row.id, {
      email: row.email,
      name: row.name,
      verified: row.email_verified === 1,
      signedInAt: row.last_sign_in_at,
      enrolled: 0,
      learned: 0,
      consents: 0,
      hasCode: false,
      events: {},
    });
    idByEmail.set(row.email, row.id);
    mention(row.id, 'users');
  }
  for (const { id, origin, n } of all<{ id: string; origin: 'enrolled' | 'learned'; n: number }>(
    'SELECT user_id AS id, origin, COUNT(*) AS n FROM templates GROUP BY user_id, origin',
  )) {
    mention(id, 'templates');
    const facts = people.get(id);
    if (facts) facts[origin] = n;
  }
  for (const { id } of all<{ id: string }>('SELECT user_id AS id FROM consents')) {
    mention(id, 'consents');
    const facts = people.get(id);
    if (facts) facts.consents += 1;
  }
  for (const { id, kind } of all<{ id: string; kind: string }>(
    'SELECT user_id AS id, kind FROM email_codes',
  )) {
    mention(id, 'email_codes');
    const facts = people.get(id);
    if (facts && kind === 'sign-in') facts.hasCode = true;
  }
  for (const { id, type, n } of all<{ id: string; type: EventType; n: number }>(
    'SELECT user_id AS id, type, COUNT(*) AS n FROM auth_events WHERE user_id IS NOT NULL GROUP BY user_id, type',
  )) {
    mention(id, 'auth_events');
    const facts = people.get(id);
    if (facts) facts.events[type] = n;
  }
  return { people, idByEmail, mentions };
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  email_verified: number;
  last_sign_in_at: number | null;
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
    sums: sums.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${what}: ${a} and ${b}`),
  };
}
