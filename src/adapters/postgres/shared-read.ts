/** The read of a node's memory: the version and the state of galleries, in one statement. */

import type { GalleryKey } from '../../ports/matcher.ts';
import { StoreUnavailable } from '../../ports/store.ts';
import type { Sql } from '../sql/driver.ts';
import { textList } from './own-words.ts';
import type { Shared } from './shared-memory.ts';

interface Row {
  readonly version: string;
  readonly standby: boolean;
  readonly sequence: number | null;
  readonly encoder: string | null;
}

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
