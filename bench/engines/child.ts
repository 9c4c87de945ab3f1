/**
 * Engines that run as processes. They read one command per line and answer with one line; galleries and probes are
 * passed as files. They time every search themselves, so no figure includes the cost of a pipe.
 *
 *     gallery VECTORS USERS N          →  ok SECONDS
 *     queries FILE COUNT Q             →  ok
 *     decide                           →  template distance other 0, for each query: the exact answers
 *     run ENGINE COLD UNTIMED i j k …  →  template distance other ms, for each search after the first UNTIMED
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, Timed, Turn } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import type { Asked } from '../search/expected.ts';
import { type Gallery, save } from '../search/gallery.ts';

let children = 0;

export class Child {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #probesFile = '';
  #sent: readonly Asked[] | undefined;

  constructor(command: string, args: readonly string[]) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#process.stdout === null) throw new Error(`${command} has no output`);
    this.#process.on('error', () => {});
    this.#process.stdin?.on('error', () => {});
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Sends a command. @returns the words of the answer */
  async ask(...words: readonly (string | number)[]): Promise<string[]> {
    this.#process.stdin?.write(`${words.join(' ')}\n`);
    const { value, done } = await this.#lines.next();
    if (done || String(value).startsWith('error'))
      throw new Error(`${this.#process.spawnfile}: ${words[0]}: ${value ?? 'ended'}`);
    return String(value).trim().split(' ');
  }

  /** Seconds that the engine took to load the gallery. */
  async gallery({ folder, vectorsFile, usersFile, n }: Gallery): Promise<number> {
    this.#probesFile = join(folder, `probes-${process.pid}-${++children}.f32`);
    const [, seconds] = await this.ask('gallery', vectorsFile, usersFile, n);
    return Number(seconds);
  }

  /** Exact answers of an engine that finds them in a batch. */
  async decide(queries: readonly Asked[]): Promise<Answer[]> {
    await this.#send(queries);
    return answersIn(await this.ask('decide')).map(({ answer }) => answer);
  }

  async turn(engine: string, { queries, warmUp, order, cold }: Turn): Promise<Timed[]> {
    await this.#send(queries);
    return answersIn(await this.ask('run', engine, Number(cold), warmUp.length, ...warmUp, ...order));
  }

  async #send(queries: readonly Asked[]): Promise<void> {
    if (this.#sent === queries) return;
    const q = queries[0]?.units.length ?? 0;
    const all = new Float32Array(queries.length * q * DIMENSIONS);
    for (const [i, unit] of queries.flatMap(query => query.units).entries()) all.set(unit, i * DIMENSIONS);
    save(this.#probesFile, all);
    await this.ask('queries', this.#probesFile, queries.length, q);
    this.#sent = queries;
  }

  async close(): Promise<void> {
    this.#process.stdin?.end();
    if (this.#probesFile !== '') rmSync(this.#probesFile, { force: true });
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, 'exit');
  }
}
type Four = [number, number, number, number];

function answersIn(words: readonly string[]): Timed[] {
  return Array.from({ length: words.length / 4 }, (_, i) => {
    const [template, distance, otherDistance, ms] = words.slice(4 * i, 4 * i + 4).map(Number) as Four;
    return { ms, answer: { template, distance, otherDistance } };
  });
}
