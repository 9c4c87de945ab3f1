/**
 * Which HNSW graphs are measured, and where built ones are kept: building takes minutes at 100,000 templates and the
 * better part of an hour at a million, so a graph is built once and found again by gallery and parameters.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Missing } from '../engines/missing.ts';
import { CACHE, type Gallery } from './gallery.ts';

/** `m` neighbours a node, `build` candidates looked at while inserting, `search` while searching. */
export interface Graph {
  readonly m: number;
  readonly build: number;
  readonly search: readonly number[];
  /** Of the stored vectors, where an engine has a choice. */
  readonly scalars?: string;
}

export interface GraphSettings {
  readonly 'usearch-hnsw': readonly Graph[];
  readonly hnswlib: readonly Graph[];
  readonly 'faiss-hnsw': readonly Graph[];
  /** Whether a graph that is not in the cache is built; without it, it is left out with a line that says so. */
  readonly build: boolean;
}

export const BUILD_THREADS = 2;

export interface Kept {
  readonly file: string;
  readonly seconds: number;
}

/** The graph from the cache, or built now by `build`, which writes it to the file that it is given. */
export async function graphFile(
  of: Gallery,
  engine: string,
  graph: Graph,
  allowed: boolean,
  build: (file: string) => unknown,
): Promise<Kept> {
  const shape = `${engine}-m${graph.m}-b${graph.build}${graph.scalars ? `-${graph.scalars}` : ''}`;
  const file = join(CACHE, `${of.key}-${shape}.graph`);
  // Written last: a graph without it is half a graph.
  const done = `${file}.json`;
  if (existsSync(done)) return { file, seconds: JSON.parse(readFileSync(done, 'utf8')).seconds };
  if (!allowed)
    throw new Missing(`${shape} of ${of.data} ${of.n} is left out: build it once with --build-graphs`);
  console.error(`building ${shape} of ${of.n} templates (${of.data})`);
  const start = performance.now();
  await build(file);
  const seconds = (performance.now() - start) / 1000;
  writeFileSync(done, JSON.stringify({ seconds }));
  return { file, seconds };
}

/** What `make` gives for each graph; a graph that is missing costs its line on stderr and nothing else. */
export async function each<T>(graphs: readonly Graph[], make: (graph: Graph) => Promise<T[]>): Promise<T[]> {
  const made: T[] = [];
  for (const graph of graphs)
    try {
      made.push(...(await make(graph)));
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      console.error(error.message);
    }
  return made;
}

export const settingsOf = ({ m, scalars }: Graph, search: number) =>
  `${scalars ? `${scalars} ` : ''}M ${m} ef ${search}`;
