/**
 * sqlite-vec: a vec0 table in memory, through the service's own better-sqlite3. It uses L2, its fastest metric; for
 * vectors of norm 1 the order is the same as by cosine. The chunk size is its default, 1,024 templates.
 */
import Database from 'better-sqlite3';
import type { Answer, Maker } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import type { Asked } from '../search/expected.ts';
import { asItIs, inProcess, nearestOf, neighboursIn, timed, upkeepOf } from './in-process.ts';
import { peer } from './missing.ts';

const BYTES = DIMENSIONS * 4;
const blob = (of: Float32Array, row: number) => Buffer.from(of.buffer, of.byteOffset + row * BYTES, BYTES);

export const sqliteVec: Maker = {
  names: ['sqlite-vec'],
  most: 100_000,
  async make(gallery) {
    const { module } = peer<{ getLoadablePath(): string }>('sqlite-vec');
    const db = new Database(':memory:');
    db.loadExtension(module.getLoadablePath());
    const value = (sql: string) => db.prepare(sql).pluck().get() as string | number;
    const flags =
      /Build flags: *(.*)/.exec(String(value('select vec_debug()')))?.[1]?.trim() || 'no SIMD flags';
    const versions = [value('select vec_version()'), value('select sqlite_version()')];
    const about = `sqlite-vec ${versions[0]} (prebuilt, ${flags}), SQLite ${versions[1]}`;
    db.exec(
      `create virtual table templates using vec0(id integer primary key, v float[${DIMENSIONS}] distance_metric=L2)`,
    );
    const insert = db.prepare('insert into templates (id, v) values (?, ?)');
    const remove = db.prepare('delete from templates where id = ?');
    const { seconds } = await timed(
      db.transaction(() => {
        for (let i = 0; i < gallery.n; i++) insert.run(BigInt(i), blob(gallery.vectors, i));
      }),
    );
    const nearest = db.prepare('select id, distance from templates where v match ? and k = ?').raw();
    const count = neighboursIn(gallery.users);
    const find = (probe: Buffer): Answer => {
      const [template, distance] = (nearest.all(probe, count) as [number, number][])[0] ?? [
        -1,
        Number.POSITIVE_INFINITY,
      ];
      return { template, distance: (distance * distance) / 2 };
    };
    return [
      {
        name: 'sqlite-vec',
        settings: '',
        threads: 1,
        rule: 'exact',
        about,
        bytes: Number(value('pragma page_count')) * Number(value('pragma page_size')),
        load_s: seconds,
        turn: inProcess(
          (query: Asked) => query.units.map(unit => blob(unit, 0)),
          probes => nearestOf(probes.map(find)),
          asItIs,
        ),
        upkeep: async extra =>
          upkeepOf(
            extra.length / DIMENSIONS,
            i => insert.run(BigInt(gallery.n + i), blob(extra, i)),
            i => remove.run(BigInt(gallery.n + i)),
          ),
        close: () => {
          db.close();
        },
      },
    ];
  },
};
