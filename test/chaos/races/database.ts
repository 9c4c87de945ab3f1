/** What no race, and nothing else, may leave in the database: orphan rows, halves of users, broken references. */
import type { Running } from '../../support/service.ts';

/** Rows that belong to nobody or lack their other half; zero of each. */
export const ORPHANS: Readonly<Record<string, string>> = {
  'templates of no user': 'SELECT id FROM templates WHERE user_id NOT IN (SELECT id FROM users)',
  'consents of no user': 'SELECT user_id FROM consents WHERE user_id NOT IN (SELECT id FROM users)',
  'codes of no user': 'SELECT id FROM email_codes WHERE user_id NOT IN (SELECT id FROM users)',
  'users without a consent': 'SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM consents)',
  'users without an enrolled template': `SELECT id FROM users WHERE id NOT IN
    (SELECT user_id FROM templates WHERE origin = 'enrolled')`,
  'templates in the gallery of others': `SELECT t.id FROM templates t JOIN users u ON u.id = t.user_id
    WHERE t.app_id <> u.app_id OR t.mode <> u.mode`,
  'templates newer than their gallery': `SELECT t.id FROM templates t LEFT JOIN galleries g
    ON g.app_id = t.app_id AND g.mode = t.mode WHERE g.sequence IS NULL OR t.sequence > g.sequence`,
  'users with too many templates': 'SELECT user_id FROM templates GROUP BY user_id HAVING count(*) > 10',
  'what apps are told of users who are gone': `SELECT id FROM outbox
    WHERE user_id IS NOT NULL AND user_id NOT IN (SELECT id FROM users)`,
  'what apps are told beyond its counter': `SELECT o.id FROM outbox o LEFT JOIN outbox_heads h
    ON h.app_id = o.app_id AND h.mode = o.mode WHERE h.seq IS NULL OR o.seq > h.seq`,
  'events of users who are gone': `SELECT id FROM auth_events
    WHERE user_id IS NOT NULL AND user_id NOT IN (SELECT id FROM users)`,
};

type Rows = Pick<Running, 'rows'>;

export function orphanRows(run: Rows): string[] {
  const faults: string[] = [];
  for (const [what, sql] of Object.entries(ORPHANS)) {
    const rows = run.rows(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}`);
  }
  return faults;
}

/** Of a database in a file, which also says whether its references hold. */
export function orphansInFile(run: Rows): string[] {
  const faults = orphanRows(run);
  const broken = run.rows('PRAGMA foreign_key_check');
  if (broken.length > 0) faults.push(`foreign_key_check: ${JSON.stringify(broken[0])}`);
  return faults;
}

export function integrity(run: Rows): string[] {
  const rows: { integrity_check: string }[] = run.rows('PRAGMA integrity_check');
  return rows.map(row => row.integrity_check).filter(text => text !== 'ok');
}
