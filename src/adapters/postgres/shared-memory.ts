/**
 * The memory of a node among several. What changes rarely is remembered under a version, which every change of it
 * raises in its own transaction; the state of a gallery is never remembered. One read answers version and galleries
 * for all that wait: a read that begins after a question is as fresh as one of its own. If it fails, nothing is
 * answered. Held by test/postgres/shared-memory.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import { type GalleryState, StoreUnavailable } from '../../ports/store.ts';
import { askedTogether } from '../sql/asked-together.ts';
import type { Sql } from '../sql/driver.ts';
import { answersUnder, type Memory } from '../sql/memory.ts';
import { textList } from './own-words.ts';

export interface Shared {
  readonly version: string;
  /** In the order of the galleries that were asked for. Null: there is no such gallery. */
  readonly states: readonly (GalleryState | null)[];
}

const RAISE_VERSION = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = 'version'`;

/** @param read reads all in one statement. @throws StoreUnavailable */
export function createSharedMemory(read: (galleries: readonly GalleryKey[]) => Promise<Shared>): Memory {
  const ask = askedTogether(async (questions: readonly (GalleryKey | null)[]) => {
    const asked = new Map(questions.flatMap(gallery => (gallery ? [[nameOf(gallery), gallery]] : [])));
    const { version, states } = await read([...asked.values()]);
    const byName = new Map([...asked.keys()].map((name, i) => [name, states[i] ?? null]));
    return questions.map(gallery => ({ version, state: gallery && (byName.get(nameOf(gallery)) ?? null) }));
  });
  const answers = answersUnder(async () => (await ask(null)).version);

  return {
    ...answers,
    galleryState: async gallery => (await ask(gallery)).state ?? { sequence: 0, encoder: null },
    async raiseVersion(sql: Sql) {
      await sql.run(RAISE_VERSION);
    },
    forgetGalleries: () => undefined,
  };
}

const nameOf = ({ appId, mode }: GalleryKey) => `${mode}:${appId}`;

interface Row {
  readonly version: string;
  readonly standby: boolean;
  readonly sequence: number | null;
  readonly encoder: string | null;
}

/** The version and the state of galleries. */
const READ = `SELECT m.value AS version, pg_is_in_recovery() AS standby, g.sequence, g.encoder
  FROM meta m
  LEFT JOIN unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) WITH ORDINALITY AS asked (app_id, mode, place) ON TRUE
  LEFT JOIN galleries g ON g.app_id = asked.app_id AND g.mode = asked.mode
  WHERE m.name = 'version' ORDER BY asked.place`;

/** @throws StoreUnavailable, also if the server has become a standby: others may have written since */
export async function readShared(sql: Sql, galleries: readonly GalleryKey[]): Promise<Shared> {
  const rows = await sql.all<Row>(
    READ,
    textList(galleries.map(({ appId }) => appId)),
    textList(galleries.map(({ mode }) => mode)),
  );
  const [first] = rows;
  if (!first || first.standby) throw new StoreUnavailable(new Error('the server accepts no writes'));
  return {
    version: first.version,
    states: galleries.map((_, i) => {
      const row = rows[i];
      return row && row.sequence !== null ? { sequence: row.sequence, encoder: row.encoder } : null;
    }),
  };
}
