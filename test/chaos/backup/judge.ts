/** Is a restored database whole, and does it hold whom it must and nobody whom it must not? */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Lived } from './load.ts';

export interface Moments {
  /** When the backup was begun, and when it was done. */
  readonly begun: number;
  readonly done: number;
  /** When the journal of erasures was taken along. */
  readonly journal: number;
}

const HALVES: Readonly<Record<string, string>> = {
  'users without consent': 'SELECT COUNT(*) FROM users WHERE id NOT IN (SELECT user_id FROM consents)',
  'users without templates': 'SELECT COUNT(*) FROM users WHERE id NOT IN (SELECT user_id FROM templates)',
  'challenges, codes and windows':
    'SELECT (SELECT COUNT(*) FROM challenges) + (SELECT COUNT(*) FROM email_codes) + (SELECT COUNT(*) FROM windows)',
};

/** One line for each thing that is wrong. */
export function wrongIn(file: string, lives: readonly Lived[], moments: Moments): string[] {
  const wrong: string[] = [];
  const database = new Database(file, { readonly: true });
  const value = (text: string, ...given: unknown[]) =>
    database
      .prepare(text)
      .pluck()
      .get(...given);
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') wrong.push(`integrity_check: ${integrity}`);
    if ((database.pragma('foreign_key_check') as unknown[]).length > 0) wrong.push('foreign_key_check');
    for (const [what, text] of Object.entries(HALVES))
      if (value(text) !== 0) wrong.push(`${what}: ${value(text)}`);
    const bytes = readFileSync(file);
    for (const life of lives) {
      const there = value('SELECT email FROM users WHERE id = ?', life.id) === life.email;
      const known = life.enrolled < moments.begun && life.leaving > moments.journal;
      const erased = life.left < moments.journal;
      const later = life.asked > moments.done;
      if (known && !there) wrong.push(`${life.id} was acknowledged before the backup and is missing`);
      if (erased && (there || bytes.includes(life.id) || bytes.includes(life.email)))
        wrong.push(`${life.id} was erased and is there again`);
      if (later && there) wrong.push(`${life.id} is newer than the backup`);
    }
  } finally {
    database.close();
  }
  return wrong;
}
