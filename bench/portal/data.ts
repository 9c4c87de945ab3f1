/**
 * The database of the portal trial: 100,000 users whom the store has enrolled, and 1.2 million events of 399 days, most
 * of one app and a few of a small one. The events are inserted by SQL, because that many sign-ins take an hour, and the
 * days are counted from them as migrations count them.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Sealer } from '../../src/adapters/sql/keys/vault.ts';
import { ofApp } from '../../src/adapters/sql/scope.ts';
import { sealFields } from '../../src/adapters/sql/store/personal.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { DAY } from '../../src/protocol/limits.ts';
import { copyOf, galleryOf } from '../service/galleries.ts';

const USERS = 100_000;
const EVENTS = 1_200_000;
export const DAYS = 399;
/** One event of so many is of the small app. */
const SMALL_SHARE = 1_000;
export const TYPES = ['match', 'match', 'match', 'match', 'match_failed', 'enroll', 'email_code'] as const;

export type Data = Awaited<ReturnType<typeof makeData>>;

export async function makeData() {
  const gallery = await galleryOf(USERS);
  const folder = copyOf(gallery);
  const db = new Database(join(folder, 'face-sign-in.db'));
  const app = db.prepare('SELECT id FROM apps').pluck().get() as string;
  const small = `app_${'0'.repeat(24)}`;
  const ids = db.prepare('SELECT id FROM users ORDER BY created_at, id').pluck().all() as string[];
  const began = Date.now() - (DAYS - 1) * DAY;
  const sealers = await sealersOf(folder, [app, small]);
  const insert = db.prepare(
    `INSERT INTO auth_events (id, app_id, mode, user_id, type, at, sealed) VALUES (?, ?, 'live', ?, ?, ?, ?)`,
  );
  db.transaction(() => {
    db.exec('DELETE FROM auth_events');
    db.prepare(
      `INSERT INTO apps SELECT '${small}', 'Small', ${columnsAfterName(db)} FROM apps WHERE id = ?`,
    ).run(app);
    for (let i = 0; i < EVENTS; i++) {
      const of = i % SMALL_SHARE === 0 ? small : app;
      const at = began + Math.floor((i * (DAYS - 1) * DAY) / EVENTS);
      const id = `evt_${randomBytes(12).toString('hex')}`;
      const row = { of: 'event', gallery: { appId: of, mode: 'live' }, id } as const;
      const client = sealFields(sealers[of] as Sealer, row, ['192.0.2.1', 'Mozilla/5.0', null]);
      insert.run(id, of, ids[i % ids.length], TYPES[i % TYPES.length], at, client);
    }
    db.exec(`DELETE FROM event_days;
      INSERT INTO event_days (app_id, mode, day, type, count)
      SELECT app_id, mode, (at / ${DAY}) * ${DAY}, type, COUNT(*) FROM auth_events GROUP BY 1, 2, 3, 4`);
  })();
  db.close();
  /** Events of the large app, counted one by one. */
  const counted = () => {
    const reader = new Database(join(folder, 'face-sign-in.db'), { readonly: true });
    const count = reader.prepare('SELECT COUNT(*) FROM auth_events WHERE app_id = ?').pluck().get(app);
    reader.close();
    return count as number;
  };
  const users = Array.from({ length: 100 }, (_, i) => ids[(i * ids.length) / 100] as string);
  return { gallery, folder, app, small, users, counted };
}

/** What seals the fields of each app's events. */
async function sealersOf(folder: string, apps: readonly string[]): Promise<Record<string, Sealer>> {
  const location = {
    path: join(folder, 'face-sign-in.db'),
    masterSecret: null,
    masterSecretFile: join(folder, 'master.key'),
    erasuresFile: join(folder, 'erasures.jsonl'),
  };
  const { driver, vault } = await openContext(location, systemRandom());
  const sealers: Record<string, Sealer> = {};
  for (const id of apps) sealers[id] = await driver.write(ofApp(id), sql => vault.sealer(sql, id));
  await driver.close();
  return sealers;
}

/** The columns of an app from the third on. */
function columnsAfterName(db: Database.Database): string {
  const columns = db.pragma('table_info(apps)') as { name: string }[];
  return columns
    .slice(2)
    .map(({ name }) => name)
    .join(', ');
}
