/**
 * Where sealed values are, for whoever goes through all of an owner: new keys and `doctor`. Each table is read along an
 * index, a part at a time, so that nobody waits for long.
 */
import { type KeyOwner, SIGNING_KEYS } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Sql, Value } from '../driver.ts';
import { countOf } from '../many-rows.ts';
import { type PersonalRow, personalContext, type ToldColumns, toldRow } from './personal.ts';
import { sealContext } from './sealed-templates.ts';
import { signingKeyContext } from './signing-keys.ts';

/** A position between rows: values of the columns that order them. */
export type Position = readonly (string | number)[];

interface SealedRow {
  /** Of the row in its table. */
  readonly id: string;
  readonly user_id: string;
  readonly mode: Mode;
  readonly sealed: Uint8Array;
}

export interface SealedTable {
  readonly name:
    | 'templates'
    | 'users'
    | 'consents'
    | 'auth_events'
    | 'email_codes'
    | 'outbox'
    | 'webhooks'
    | 'signing_keys';
  /** What identifies a row, for changing it. */
  readonly id: string;
  /** Columns of `rows` that order them, from an index. */
  readonly order: readonly string[];
  /** Before all rows. */
  readonly start: Position;
  /** SELECT … FROM … WHERE …, with the owner as $1. */
  readonly rows: string;
  context(owner: KeyOwner, row: SealedRow): string[];
}

const personal =
  (of: PersonalRow['of']) =>
  (appId: KeyOwner, { id, mode }: SealedRow) =>
    personalContext({ of, gallery: { appId, mode }, id });

/** The users of an app, in the order of their index, beside a table of what they have. */
const WITH_USER = (table: string) => `FROM users JOIN ${table} ON user_id = users.id WHERE users.app_id = $1`;
const USERS = ['mode', 'created_at', 'id'];
const NO_USER = ['', Number.MIN_SAFE_INTEGER, ''];

const OF_APPS: readonly SealedTable[] = [
  {
    name: 'templates',
    id: 'id',
    order: ['mode', 'sequence'],
    start: ['', 0],
    rows: 'SELECT id, user_id, mode, sequence, sealed FROM templates WHERE app_id = $1',
    context: (appId, { id, user_id: userId, mode }) => sealContext({ appId, mode }, { id, userId }),
  },
  {
    name: 'users',
    id: 'id',
    order: USERS,
    start: NO_USER,
    rows: 'SELECT id, mode, created_at, sealed FROM users WHERE app_id = $1',
    context: personal('user'),
  },
  {
    name: 'consents',
    id: 'user_id',
    order: USERS,
    start: NO_USER,
    rows: `SELECT users.id, users.mode, users.created_at, consents.sealed ${WITH_USER('consents')}`,
    context: personal('consent'),
  },
  {
    name: 'email_codes',
    id: 'id',
    order: ['id'],
    start: [''],
    rows: `SELECT email_codes.id, users.mode, email_codes.sealed ${WITH_USER('email_codes')} AND email_codes.sealed IS NOT NULL`,
    context: personal('email-code'),
  },
  {
    name: 'auth_events',
    id: 'id',
    order: ['mode', 'type', 'at', 'id'],
    start: ['', '', Number.MIN_SAFE_INTEGER, ''],
    rows: 'SELECT id, mode, type, at, sealed FROM auth_events WHERE app_id = $1 AND sealed IS NOT NULL',
    context: personal('event'),
  },
  {
    name: 'outbox',
    id: 'id',
    order: ['mode', 'seq'],
    start: ['', 0],
    rows: 'SELECT id, mode, seq, type, at, user_id, revokes_until, sealed FROM outbox WHERE app_id = $1',
    context: (appId, row) =>
      personalContext(toldRow({ appId, mode: row.mode }, row as SealedRow & ToldColumns)),
  },
  {
    name: 'webhooks',
    id: 'id',
    order: ['mode', 'id'],
    start: ['', ''],
    rows: 'SELECT id, mode, sealed FROM webhooks WHERE app_id = $1',
    context: personal('webhook'),
  },
];

const OF_THE_SERVICE: readonly SealedTable[] = [
  {
    name: 'signing_keys',
    id: 'kid',
    order: ['kid'],
    start: [''],
    rows: `SELECT kid, kid AS id, sealed FROM signing_keys WHERE $1 = '${SIGNING_KEYS}'`,
    context: (_, { id }) => signingKeyContext(id),
  },
];

export const sealedTablesOf = (owner: KeyOwner) => (owner === SIGNING_KEYS ? OF_THE_SERVICE : OF_APPS);

export async function countSealed(sql: Sql, owner: KeyOwner): Promise<number> {
  let count = 0;
  for (const { rows } of sealedTablesOf(owner)) count += await countOf(sql, `(${rows}) AS own`, owner);
  return count;
}

export interface SealedPage {
  readonly rows: readonly SealedRow[];
  /** Where the next page begins. Null: there are no more rows. */
  readonly next: Position | null;
}

export async function sealedPage(
  sql: Sql,
  table: SealedTable,
  owner: KeyOwner,
  after: Position,
  limit: number,
): Promise<SealedPage> {
  const rows = await sql.all<SealedRow>(`${rowsBeyond(table)} LIMIT ${limit}`, owner, ...after);
  const last = rows.at(-1);
  return { rows, next: last && rows.length === limit ? positionOf(table, last) : null };
}

/** The same, but only the rows whose value does not begin with `prefix`. */
export async function otherSealedPage(
  sql: Sql,
  table: SealedTable,
  owner: KeyOwner,
  after: Position,
  limit: number,
  prefix: Buffer,
): Promise<SealedPage> {
  const end = await sql.get<SealedRow>(`${rowsBeyond(table)} LIMIT 1 OFFSET ${limit - 1}`, owner, ...after);
  const next = end ? positionOf(table, end) : null;
  const values: Value[] = [prefix.length, prefix, ...(next ?? [])];
  const at = after.length + 2;
  const rows = await sql.all<SealedRow>(
    `SELECT * FROM (${table.rows}) AS own WHERE ${beyond(table, 2)}
     AND substr(sealed, 1, $${at}) <> $${at + 1} ${next ? `AND NOT ${beyond(table, at + 2)}` : ''}`,
    owner,
    ...after,
    ...values,
  );
  return { rows, next };
}

/** The rows beyond a position, whose values are $2 and following. */
const rowsBeyond = (table: SealedTable) =>
  `SELECT * FROM (${table.rows}) AS own WHERE ${beyond(table, 2)} ORDER BY ${table.order.join(', ')}`;

/** @param first number of the first value of the position */
const beyond = ({ order }: SealedTable, first: number) =>
  `(${order.join(', ')}) > (${order.map((_, place) => `$${first + place}`).join(', ')})`;

const positionOf = ({ order }: SealedTable, row: SealedRow): Position =>
  order.map(column => (row as unknown as Record<string, string | number>)[column] ?? '');
