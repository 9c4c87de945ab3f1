/**
 * HNSW graphs and their cache. Building takes minutes at 100,000 templates and most of an hour at a million, so a graph
 * is built once and cached by gallery and parameters.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../../src/cli/progress.ts';
import { leaveOut, Missing } from '../engines/missing.ts';
import { progress } from '../progress.ts';
import type { Gallery } from './gallery.ts';

/** `m` neighbours per node, `build` candidates while inserting, `search` candidates while searching. */
export interface Graph {
  readonly m: number;
  readonly build: number;
  readonly search: readonly number[];
  /** Number format of the stored vectors, if the engine has a choice. */
  readonly scalars?: string;
}

export interface GraphSettings {
  readonly 'usearch-hnsw': readonly Graph[];
  readonly hnswlib: readonly Graph[];
  readonly 'faiss-hnsw': readonly Graph[];
  /** Whether graphs that are not cached are built. Otherwise they are left out, with a message. */
  readonly build: boolean;
}

export const BUILD_THREADS = 2;

export interface CachedGraph {
  readonly file: string;
  readonly seconds: number;
}

/** The cached graph, or one built now: `build` writes it to the given file and reports how many templates it has. */
export async function graphFile(
  of: Gallery,
  engine: string,
  graph: Graph,
  allowed: boolean,
  build: (file: string, shown: Progress) => unknown,
): Promise<CachedGraph> {
  const shape = `${engine}-m${graph.m}-b${graph.build}${graph.scalars ? `-${graph.scalars}` : ''}`;
  const file = join(of.folder, `${of.key}-${shape}.graph`);
  // Written last: without it, the graph is incomplete.
  const done = `${file}.json`;
  if (existsSync(done)) return { file, seconds: JSON.parse(readFileSync(done, 'utf8')).seconds };
  if (!allowed) throw new Missing(`${shape} of ${of.data} ${of.n}`, 'build it once with --build-graphs');
  console.error(`building ${shape} of ${of.n} templates (${of.data})`);
  const start = performance.now();
  const shown = progress(`building ${shape}`, of.n);
  await build(file, shown);
  shown.end();
  const seconds = (performance.now() - start) / 1000;
  console.error(`built ${shape} in ${seconds.toFixed(0)} s`);
  writeFileSync(done, JSON.stringify({ seconds }));
  return { file, seconds };
}

/** Calls `make` for each graph. A missing one is left out, with a line. */
export async function each<T>(graphs: readonly Graph[], make: (graph: Graph) => Promise<T[]>): Promise<T[]> {
  const made: T[] = [];
  for (const graph of graphs)
    try {
      made.push(...(await make(graph)));
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      leaveOut(error);
    }
  return made;
}

export const settingsOf = ({ m, scalars }: Graph, search: number) =>
  `${scalars ? `${scalars} ` : ''}M ${m} ef ${search}`;
