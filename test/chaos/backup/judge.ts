/** What users were told, and whether a restored database is whole and holds whom it must, and nobody whom it must not. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Context } from '../crash/context.ts';
import { integrity, orphansInFile } from '../races/database.ts';
import { userOf } from '../sync/requests.ts';

/** Times of performance.now(). */
export interface Lived {
  readonly id: string;
  /** When the enrolment was sent, and when it was acknowledged. */
  readonly asked: number;
  readonly enrolled: number;
  /** When the deletion was sent, and when it was acknowledged. */
  leaving: number;
  left: number;
}

/** When the backup was begun and done, and when the journal of erasures was taken along. */
export type Moments = Readonly<Record<'begun' | 'done' | 'journal', number>>;

export function watchLives(context: Context): readonly Lived[] {
  const lives: Lived[] = [];
  context.around = async (method, path, sent, send) => {
    const asked = performance.now();
    const id = method === 'DELETE' ? userOf(path, sent) : null;
    const life = lives.find(one => one.id === id);
    if (life) life.leaving = asked;
    const answer = await send(sent);
    if (life) life.left = performance.now();
    const never = { leaving: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY };
    if (path === '/v1/enroll' && answer.status === 201)
      lives.push({ id: answer.json.user.id, asked, enrolled: performance.now(), ...never });
    return answer;
  };
  return lives;
}

/** One line for each thing that is wrong. */
export function wrongIn(file: string, lives: readonly Lived[], moments: Moments): string[] {
  const database = new Database(file, { readonly: true });
  const run = { rows: (sql: string) => database.prepare(sql).all() };
  try {
    const wrong = [...integrity(run), ...orphansInFile(run)];
    for (const table of ['challenges', 'email_codes', 'windows'])
      if (run.rows(`SELECT 1 FROM ${table}`).length > 0) wrong.push(`${table} are restored`);
    const bytes = readFileSync(file);
    for (const life of lives) {
      const there = database.prepare('SELECT 1 FROM users WHERE id = ?').get(life.id) !== undefined;
      const known = life.enrolled < moments.begun && life.leaving > moments.journal;
      const erased = life.left < moments.journal;
      if (known && !there) wrong.push(`${life.id} was acknowledged before the backup and is missing`);
      if (erased && (there || bytes.includes(life.id)))
        wrong.push(`${life.id} was erased and is there again`);
      if (life.asked > moments.done && there) wrong.push(`${life.id} is newer than the backup`);
    }
    return wrong;
  } finally {
    database.close();
  }
}
