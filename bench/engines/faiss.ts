/** FAISS from Debian's python3-faiss, in a separate process (faiss-peer.py): the flat index and HNSW, one thread. */
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Maker, Upkeep } from '../engines.ts';
import { withSeconds } from '../progress.ts';
import { DIMENSIONS } from '../search/data.ts';
import { save } from '../search/gallery.ts';
import { BUILD_THREADS, each, graphFile, settingsOf } from '../search/graphs.ts';
import { Child } from './child.ts';
import { Missing } from './missing.ts';

/** Templates that are added and removed one by one. */
const UPKEEP_COUNT = 32;

/** Debian's own interpreter, which finds Debian's packages. */
const PYTHON = '/usr/bin/python3';

export const faiss: Maker = {
  names: ['faiss-flat', 'faiss-hnsw'],
  async make(gallery, { names, graphs }) {
    const probe = spawnSync(PYTHON, ['-c', 'import faiss']);
    if (probe.status !== 0) throw new Missing('FAISS', 'install it with "apt-get install python3-faiss"');
    const child = new Child(PYTHON, [join(import.meta.dirname, 'faiss-peer.py')]);
    const about = (await child.ask('about')).join(' ');
    const seconds = await child.gallery(gallery);
    const extras = async (engine: string, extra: Float32Array): Promise<Upkeep> => {
      const file = join(gallery.folder, `extra-${process.pid}.f32`);
      const count = Math.min(UPKEEP_COUNT, extra.length / DIMENSIONS);
      save(file, extra.subarray(0, count * DIMENSIONS));
      const [add, remove] = (await child.ask('upkeep', engine, file, count)).map(Number);
      rmSync(file);
      return Number.isNaN(remove)
        ? { add_us: add as number }
        : { add_us: add as number, remove_us: remove as number };
    };
    const made: Engine[] = [];
    if (names.has('faiss-flat'))
      made.push({
        name: 'faiss-flat',
        settings: '',
        threads: 1,
        rule: 'exact',
        about,
        bytes: gallery.vectors.byteLength,
        load_s: seconds,
        turn: turn => child.turn('flat', turn),
        upkeep: extra => extras('flat', extra),
        close: () => child.close(),
      });
    if (names.has('faiss-hnsw'))
      made.push(
        ...(await each(graphs['faiss-hnsw'], async shape => {
          const name = `hnsw-${shape.m}-${shape.build}`;
          const built = await graphFile(gallery, 'faiss', shape, graphs.build, async file => {
            const built = child.ask('build', shape.m, shape.build, BUILD_THREADS, file);
            await withSeconds(`building ${name}`, () => built);
          });
          await child.ask('load', name, built.file);
          return shape.search.map((ef, i): Engine => {
            const engine: Engine = {
              name: 'faiss-hnsw',
              settings: settingsOf(shape, ef),
              threads: 1,
              rule: 'approximate',
              about,
              bytes: statSync(built.file).size,
              load_s: built.seconds,
              turn: turn => child.turn(`${name}:${ef}`, turn),
              close: () => child.close(),
            };
            return i > 0 ? engine : { ...engine, upkeep: extra => extras(`${name}:${ef}`, extra) };
          });
        })),
      );
    if (made.length === 0) await child.close();
    return made;
  },
};
