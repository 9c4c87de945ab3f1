/**
 * The memory of a node among several. What changes rarely is remembered under a version, which every change of it
 * raises in its own transaction; the state of a gallery is never remembered. One read answers version and galleries
 * for all that wait: a read that begins after a question is as fresh as one of its own. If it fails, nothing is
 * answered. Held by test/postgres/shared-memory.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Sql } from '../sql/driver.ts';
import { answersUnder, type Memory } from '../sql/memory.ts';
import type { GalleryState } from '../sql/store/galleries.ts';

export interface Shared {
  readonly version: string;
  /** In the order of the galleries that were asked for. Null: there is no such gallery. */
  readonly states: readonly (GalleryState | null)[];
}

export const TELL = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = 'version'`;

interface Question {
  readonly gallery: GalleryKey | null;
  answer(version: string, state: GalleryState | null): void;
  fail(error: unknown): void;
}

/** @param read reads all in one statement. @throws StoreUnavailable */
export function createSharedMemory(read: (galleries: readonly GalleryKey[]) => Promise<Shared>): Memory {
  const answers = answersUnder<string>();
  let waiting: Question[] = [];
  let isReading = false;

  async function readAll(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      const questions = waiting;
      waiting = [];
      const asked = new Map<string, GalleryKey>();
      for (const { gallery } of questions) if (gallery) asked.set(nameOf(gallery), gallery);
      try {
        const { version, states } = await read([...asked.values()]);
        const byName = new Map([...asked.keys()].map((name, i) => [name, states[i] ?? null]));
        for (const { gallery, answer } of questions)
          answer(version, gallery && (byName.get(nameOf(gallery)) ?? null));
      } catch (error) {
        for (const { fail } of questions) fail(error);
      }
    }
    isReading = false;
  }

  const ask = (gallery: GalleryKey | null) =>
    new Promise<{ version: string; state: GalleryState | null }>((resolve, fail) => {
      waiting.push({ gallery, answer: (version, state) => resolve({ version, state }), fail });
      if (!isReading) void readAll();
    });

  return {
    recall: (key, load) => answers.recall(async () => (await ask(null)).version, key, load),
    galleryState: async gallery => (await ask(gallery)).state ?? { sequence: 0, encoder: null },
    async tell(sql: Sql) {
      await sql.run(TELL);
    },
    forget: answers.forget,
    forgetGalleries: () => undefined,
  };
}

const nameOf = ({ appId, mode }: GalleryKey) => `${mode}:${appId}`;
