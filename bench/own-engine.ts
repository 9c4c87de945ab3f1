/**
 * Loads the engines of `--engine FILE` and runs them as engines of the search bench. What an engine throws or returns
 * wrongly is reported with its name and file. Held by test/bench/own-engine.test.ts.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { DIMENSIONS } from './data-sets.ts';
import { evictCaches, nearestOf, timed } from './engines/in-process.ts';
import type { Maker, Timed, Turn } from './engines.ts';
import type { OwnAnswer, OwnEngine, OwnIndex } from './own.ts';
import type { Asked } from './search/expected.ts';
import type { Gallery } from './search/gallery.ts';
import { EngineFault, named } from './search/named.ts';
import { WrongUsage } from './wrong-usage.ts';

/** Commas separate the names of --engines. */
const NAME = /^[^\s,\p{C}](?:[^,\p{C}]{0,38}[^\s,\p{C}])?$/u;

/** @param taken names of the other engines */
export async function ownMakers(files: readonly string[], taken: readonly string[]): Promise<Maker[]> {
  const makers: Maker[] = [];
  for (const file of files) {
    const engine = await loaded(file);
    const others = [...taken, ...makers.flatMap(({ names }) => names)];
    if (others.includes(engine.name))
      throw new WrongUsage(`--engine ${file}: another engine is called "${engine.name}": change its name`);
    makers.push({ names: [engine.name], make: async gallery => [await made(engine, file, gallery)] });
  }
  return makers;
}

async function loaded(file: string): Promise<OwnEngine> {
  const path = resolve(file);
  if (!existsSync(path)) throw new WrongUsage(`--engine: there is no file ${file}`);
  const module = await named(`--engine ${file}`, 'being loaded', () => import(pathToFileURL(path).href));
  const wrong = (fault: string) => new WrongUsage(`--engine ${file}: ${fault} (bench/own.ts has the type)`);
  const engine = module.default;
  if (typeof engine !== 'object' || engine === null) throw wrong('its default export must be an engine');
  const { name, exact, build } = engine as Partial<Record<keyof OwnEngine, unknown>>;
  if (typeof name !== 'string' || !NAME.test(name))
    throw wrong('name: must be a string of 1 to 40 characters, without commas');
  if (typeof exact !== 'boolean') throw wrong('exact: must be true or false');
  if (typeof build !== 'function') throw wrong('build: must be a function');
  return engine;
}

async function made(engine: OwnEngine, file: string, { vectors, n }: Gallery) {
  const { name, exact } = engine;
  const who = `${name} (${file})`;
  const { seconds, result: index } = await named(who, `building its index of ${n} templates`, () =>
    timed(async () => engine.build({ vectors: vectors.slice(), n, dimensions: DIMENSIONS })),
  );
  if (typeof index?.search !== 'function')
    throw new EngineFault(`${who}: build must return an object with search(probe)`);
  if (index.bytes !== undefined && !(Number.isFinite(index.bytes) && index.bytes >= 0))
    throw new EngineFault(`${who}: bytes must be a number of bytes, or left out`);
  return {
    name,
    settings: '',
    threads: 1,
    rule: exact ? ('exact' as const) : ('approximate' as const),
    about: file,
    bytes: index.bytes ?? null,
    load_s: seconds,
    turn: turnsOf(index, n, who),
    close: () => index.close?.(),
  };
}

function turnsOf(index: OwnIndex, n: number, who: string) {
  /** Copies, so that an engine that changes its probe does not change those of others. */
  const copies = new WeakMap<Asked, Float32Array[]>();
  const probesOf = (query: Asked) => {
    const probes = copies.get(query) ?? query.units.map(unit => unit.slice());
    copies.set(query, probes);
    return probes;
  };
  return async ({ queries, warmUp, order, cold }: Turn): Promise<Timed[]> => {
    const search = async (probes: readonly Float32Array[]) => {
      const start = performance.now();
      const answers: OwnAnswer[] = [];
      for (const probe of probes) {
        const answer = index.search(probe);
        answers.push(answer instanceof Promise ? await answer : answer);
      }
      const ms = performance.now() - start;
      for (const answer of answers) check(answer, n, who);
      return { ms, answer: nearestOf(answers) };
    };
    const all = order.map(i => probesOf(queries[i] as Asked));
    for (const i of warmUp) await search(probesOf(queries[i] as Asked));
    const done: Timed[] = [];
    for (const probes of all) {
      if (cold) evictCaches();
      done.push(await search(probes));
    }
    return done;
  };
}

function check(answer: unknown, n: number, who: string): void {
  const wrong = (what: string, found: unknown) =>
    new EngineFault(`${who}: search must return ${what}, not ${inspect(found)}`);
  if (typeof answer !== 'object' || answer === null) throw wrong('{ template, distance }', answer);
  const { template, distance } = answer as Partial<Record<keyof OwnAnswer, unknown>>;
  if (!(Number.isInteger(template) && Number(template) >= -1 && Number(template) < n))
    throw wrong(`a template from -1 to ${n - 1}`, template);
  if (typeof distance !== 'number' || Number.isNaN(distance))
    throw wrong('a distance that is a number', distance);
}
