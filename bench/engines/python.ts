/**
 * FAISS and ScaNN as users install them: from PyPI (requirements.txt), into a folder that only the bench uses. Both run
 * in one process (python-peer.py) with one thread. An index is searched with several efforts, each an engine.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Maker, Turn, Upkeep } from '../engines.ts';
import { withSeconds } from '../progress.ts';
import { DIMENSIONS } from '../search/data.ts';
import { type Gallery, save } from '../search/gallery.ts';
import { Child } from './child.ts';
import { Missing } from './missing.ts';

/** Templates that are added and removed one by one. */
const UPKEEP_COUNT = 32;
const VENV = join(import.meta.dirname, '../.venv');
const WANTED = join(import.meta.dirname, '../requirements.txt');

export const python: Maker = {
  names: ['faiss-flat', 'faiss-pqfs', 'faiss-hnsw', 'scann'],
  async make(gallery, { names, settings }) {
    const child = new Child(installed(), [join(import.meta.dirname, 'python-peer.py')]);
    const [faiss, scann] = (await child.ask('about')).join(' ').split('; ') as [string, string];
    const all = {
      name: 'faiss-flat',
      settings: '',
      threads: 1,
      rule: 'exact',
      about: faiss,
      bytes: gallery.vectors.byteLength,
      load_s: await child.gallery(gallery),
      turn: turn => child.turn('flat', turn),
      decide: queries => child.decide(queries),
      close: () => child.close(),
    } satisfies Engine;
    const kept = (engine: string) => (extra: Float32Array) => upkeepOf(child, gallery, engine, extra);
    const made: Engine[] = names.has('faiss-flat') ? [{ ...all, upkeep: kept('flat') }] : [];
    for (const { engine, shape, words, efforts } of settings) {
      if (!names.has(engine)) continue;
      const index = `${engine}:${shape}`;
      const file = join(gallery.folder, `${gallery.key}-${engine}-${shape}.index`);
      const [, load_s, bytes] = await withSeconds(`building ${index}`, () => child.ask('make', index, file));
      made.push(
        ...efforts.map((effort, i) => ({
          ...all,
          name: engine,
          settings: `${words}, ${EFFORTS[engine]} ${effort}`,
          rule: 'approximate' as const,
          about: engine === 'scann' ? scann : faiss,
          bytes: bytes === 'unknown' ? null : Number(bytes),
          load_s: Number(load_s),
          turn: (turn: Turn) => child.turn(`${index}:${effort}`, turn),
          ...(engine === 'faiss-hnsw' && i === 0 ? { upkeep: kept(index) } : {}),
        })),
      );
    }
    if (made.length === 0) await child.close();
    return made;
  },
};

const EFFORTS = { 'faiss-pqfs': 'refine', 'faiss-hnsw': 'ef', scann: 'reorder' };

async function upkeepOf(
  child: Child,
  { folder }: Gallery,
  engine: string,
  extra: Float32Array,
): Promise<Upkeep> {
  const file = join(folder, `extra-${process.pid}.f32`);
  const count = Math.min(UPKEEP_COUNT, extra.length / DIMENSIONS);
  save(file, extra.subarray(0, count * DIMENSIONS));
  const [add_us, remove_us] = (await child.ask('upkeep', engine, file, count)).map(Number) as [
    number,
    number,
  ];
  rmSync(file);
  return Number.isNaN(remove_us) ? { add_us } : { add_us, remove_us };
}

/** The interpreter that finds the packages, which are installed first if others are wanted. */
function installed(): string {
  const [python, done] = [join(VENV, 'bin/python'), join(VENV, 'requirements.txt')];
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(WANTED, 'utf8')) return python;
  console.error('installing bench/requirements.txt into bench/.venv');
  const commands = [
    ['python3', '-m', 'venv', '--clear', VENV],
    [python, '-m', 'pip', 'install', '--quiet', '--only-binary=:all:', '--requirement', WANTED],
  ] as const;
  for (const [command, ...args] of commands)
    if (spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status !== 0)
      throw new Missing('FAISS and ScaNN', 'they need Python 3.11 with venv and pip, on Linux, and PyPI');
  copyFileSync(WANTED, done);
  return python;
}
