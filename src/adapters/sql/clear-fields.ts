/**
 * Seals the personal fields that versions before 005-sealed-fields.sql stored in clear. Runs inside the migration, and
 * empties the clear columns, so that a later version of a row has nothing to tell. Held by test/sqlite/clear-fields.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { Sql } from './driver.ts';
import { oweRebuild } from './keys/meta.ts';
import type { Sealer, Vault } from './keys/vault.ts';
import { type Client, type NewEmail, type Person, type PersonalRow, sealFields } from './store/personal.ts';

/** The migration after which this runs. */
export const SEALED_FIELDS = 5;

/** Rows read at once. */
const AT_ONCE = 1_000;

interface Row {
  readonly id: string;
  readonly app_id: string;
  readonly mode: Mode;
  readonly a: string | null;
  readonly b: string | null;
  readonly c: string | null;
}

interface ClearTable {
  readonly of: PersonalRow['of'];
  /** Rows after the id $1, by id. */
  readonly rows: string;
  readonly update: string;
  fields(row: Row): Person | Client | NewEmail;
}

const client = ({ a, b, c }: Row): Client => [a, b, c === null ? null : JSON.parse(c)];

const TABLES: readonly ClearTable[] = [
  {
    of: 'user',
    rows: 'SELECT id, app_id, mode, email AS a, name AS b FROM users WHERE id > $1',
    update: `UPDATE users SET sealed = $1, email = '', name = '' WHERE id = $2`,
    fields: ({ a, b }) => [a ?? '', b ?? ''],
  },
  {
    of: 'consent',
    rows: `SELECT user_id AS id, app_id, mode, ip AS a, user_agent AS b, NULL AS c
           FROM consents JOIN users ON users.id = user_id WHERE user_id > $1`,
    update: `UPDATE consents SET sealed = $1, ip = '', user_agent = '' WHERE user_id = $2`,
    fields: client,
  },
  {
    of: 'email-code',
    rows: `SELECT email_codes.id, users.app_id, mode, new_email AS a
           FROM email_codes JOIN users ON users.id = user_id WHERE email_codes.id > $1 AND new_email IS NOT NULL`,
    update: 'UPDATE email_codes SET sealed = $1, new_email = NULL WHERE id = $2',
    fields: ({ a }) => [a ?? ''],
  },
  {
    of: 'event',
    rows: `SELECT id, app_id, mode, ip AS a, user_agent AS b, liveness AS c
           FROM auth_events WHERE id > $1 AND COALESCE(ip, user_agent, liveness) IS NOT NULL`,
    update: 'UPDATE auth_events SET sealed = $1, ip = NULL, user_agent = NULL, liveness = NULL WHERE id = $2',
    fields: client,
  },
];

/** @param open is only asked if there is something to seal */
export async function sealClearFields(sql: Sql, open: () => Promise<Vault>): Promise<void> {
  // No key is replaced meanwhile, as for every write that seals.
  await sql.all('SELECT id FROM apps ORDER BY id FOR UPDATE');
  const sealers = new Map<string, Sealer>();
  let vault: Vault | undefined;
  let sealed = 0;
  async function sealerOf(appId: string): Promise<Sealer> {
    const known = sealers.get(appId);
    if (known) return known;
    vault ??= await open();
    const seal = await vault.sealer(sql, appId);
    sealers.set(appId, seal);
    return seal;
  }
  for (const { of, rows, update, fields } of TABLES)
    for (let after = ''; ; ) {
      const some = await sql.all<Row>(`${rows} ORDER BY 1 LIMIT ${AT_ONCE}`, after);
      for (const row of some) {
        const gallery: GalleryKey = { appId: row.app_id, mode: row.mode };
        const seal = await sealerOf(gallery.appId);
        await sql.run(update, sealFields(seal, { of, gallery, id: row.id }, fields(row)), row.id);
      }
      sealed += some.length;
      if (some.length < AT_ONCE) break;
      after = some.at(-1)?.id ?? '';
    }
  // The engine may have copies of what was in clear.
  if (sealed > 0) await oweRebuild(sql);
}
