/** A gallery of many templates, put into the database of a running service as another process would. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sealFields } from '../../src/adapters/sql/store/personal.ts';
import { faces, type Mode } from './client.ts';
import { closing } from './closing.ts';
import { sealerIn } from './data-keys.ts';
import type { Running, TestApp } from './service.ts';

/** Of every so many templates one is of a person that tests can show a capture of. */
const KNOWN_EVERY = 1_000;

export interface Known {
  readonly userId: string;
  readonly templateId: string;
  /** Number of the person, for `faces.genuine`. */
  readonly person: number;
}

/** Adds users with one template each, to an app that has none; few faces, many times. Answers those that are known. */
export function addLargeGallery(run: Running, app: TestApp, count: number, mode: Mode = 'live'): Known[] {
  const seal = sealerIn(run.dataDir, app.id);
  const database = new Database(join(run.dataDir, 'face-sign-in.db'), { timeout: 10_000 });
  const addUser = database.prepare(
    `INSERT INTO users (id, app_id, mode, email_hash, sealed, email_verified, created_at)
     VALUES (?, ?, ?, ?, ?, 0, ?)`,
  );
  const addTemplate = database.prepare(
    `INSERT INTO templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)
     VALUES (?, ?, ?, ?, ?, 'enrolled', ?, ?)`,
  );
  const addGallery = database.prepare('UPDATE galleries SET sequence = ? WHERE app_id = ? AND mode = ?');
  const now = run.clock.now();
  const userRow = (id: string) => ({ of: 'user', gallery: { appId: app.id, mode }, id }) as const;
  const strangers = Array.from({ length: 50 }, (_, i) => unit(faces.stranger(10_000 + i)));
  const known: Known[] = [];
  try {
    database.transaction(() => {
      for (let i = 0; i < count; i++) {
        const number = app.id.slice(-14) + String(i).padStart(10, '0');
        const [userId, templateId] = [`usr_${number}`, `tpl_${number}`];
        const person = 10_000 + i;
        const isKnown = i % KNOWN_EVERY === KNOWN_EVERY - 1;
        const vector = isKnown
          ? unit(faces.genuine(person))
          : (strangers[i % strangers.length] as (typeof strangers)[number]);
        const context = ['template', app.id, mode, userId, templateId];
        const fields = sealFields(seal, userRow(userId), [`large${i}@example.com`, '']);
        addUser.run(userId, app.id, mode, `hash ${i}`, fields, now);
        const sealed = seal(context, new Uint8Array(vector.buffer));
        addTemplate.run(templateId, app.id, mode, userId, i + 1, sealed, now);
        if (isKnown) known.push({ userId, templateId, person });
      }
      addGallery.run(count, app.id, mode);
    })();
  } finally {
    database.close();
  }
  return known;
}

/** Changes the database beside the service. */
export function change(run: Running, sql: string, ...values: unknown[]): void {
  using database = closing(new Database(join(run.dataDir, 'face-sign-in.db'), { timeout: 10_000 }));
  database.prepare(sql).run(...values);
}

function unit(numbers: readonly number[]): Float32Array<ArrayBuffer> {
  const norm = Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(numbers, x => x / norm);
}
