/**
 * Remembers what a file has contained so far, to find duplicates. It uses a private temporary database, so memory does
 * not grow with the file. Held by test/transfer/damage.long.test.ts and limits.test.ts.
 */
import Database from 'better-sqlite3';
import { DESCRIPTORS_PER_ENROLMENT, TEMPLATES_PER_USER } from '../../protocol/limits.ts';
import type { TemplateLine, UserLine } from './records.ts';

interface Counts {
  enrolled: number;
  learned: number;
}

export class Seen {
  readonly #database = new Database('');
  readonly #addUser: Database.Statement;
  readonly #findUser: Database.Statement;
  readonly #addTemplate: Database.Statement;
  readonly #count: Record<TemplateLine['origin'], Database.Statement>;
  readonly #months = new Set<string>();
  /** User of the last template, if that was an enrolled one. */
  #enrolling = '';

  constructor() {
    this.#database.exec(
      `CREATE TABLE users (id TEXT PRIMARY KEY, mode TEXT NOT NULL, email TEXT NOT NULL, line INTEGER NOT NULL,
         enrolled INTEGER NOT NULL DEFAULT 0, learned INTEGER NOT NULL DEFAULT 0, UNIQUE (mode, email));
       CREATE TABLE templates (id TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN`,
    );
    const prepare = (text: string) => this.#database.prepare(text);
    this.#addUser = prepare('INSERT OR IGNORE INTO users (id, mode, email, line) VALUES (?, ?, ?, ?)');
    this.#findUser = prepare('SELECT 1 FROM users WHERE id = ? AND mode = ?');
    this.#addTemplate = prepare('INSERT OR IGNORE INTO templates VALUES (?)');
    const counting = (column: keyof Counts) =>
      prepare(
        `UPDATE users SET ${column} = ${column} + 1 WHERE id = ? AND mode = ? RETURNING enrolled, learned`,
      );
    this.#count = { enrolled: counting('enrolled'), learned: counting('learned') };
  }

  /** @returns false if the id, or the address in this mode, occurred before */
  user({ id, mode, email }: UserLine, line: number): boolean {
    return this.#addUser.run(id, mode, email.toLowerCase(), line).changes === 1;
  }

  hasUser(id: string, mode: string): boolean {
    return this.#findUser.get(id, mode) !== undefined;
  }

  /** Adds a template. @returns the fault with its field; null: no fault */
  templateFault({ id, user_id, mode, origin }: TemplateLine): string | null {
    const counts = this.#count[origin].get(user_id, mode) as Counts | undefined;
    if (!counts) return 'user_id: a user that is not in the file';
    if (this.#addTemplate.run(id).changes === 0) return 'id: a template that occurred before';
    const isApart = origin === 'enrolled' && counts.enrolled > 1 && this.#enrolling !== user_id;
    this.#enrolling = origin === 'enrolled' ? user_id : '';
    if (isApart) return 'user_id: enrolled templates of a user must follow each other';
    if (counts.enrolled > DESCRIPTORS_PER_ENROLMENT)
      return `origin: a user has at most ${DESCRIPTORS_PER_ENROLMENT} enrolled templates`;
    return counts.enrolled + counts.learned > TEMPLATES_PER_USER
      ? `user_id: a user has at most ${TEMPLATES_PER_USER} templates`
      : null;
  }

  /** Line of a user with learned templates but no enrolled ones; null: there is none. */
  userWithoutEnrolment(): number | null {
    const line = this.#database
      .prepare('SELECT MIN(line) FROM users WHERE enrolled = 0 AND learned > 0')
      .pluck()
      .get();
    return line as number | null;
  }

  month(mode: string, month: string): boolean {
    const size = this.#months.size;
    return this.#months.add(`${mode} ${month}`).size > size;
  }

  close(): void {
    this.#database.close();
  }
}
