/**
 * Sends the cases from 0 to `count` over several connections at once, each of them checked as every answer of every test
 * is, and takes the first failures apart to the smallest request that still fails.
 */
import type { Answer } from '../support/client.ts';
import { call } from '../support/client.ts';
import type { Service } from '../support/forked-service.ts';
import { type Builder, makeBuilder, type Used } from './builder.ts';
import { type Case, caseAt, controlOf, mutated, smallest } from './cases.ts';
import { faultOf } from './judge.ts';
import { OPERATIONS } from './operations.ts';
import { cut, shown, type Wire } from './request.ts';
import { newTally, type Tally } from './tally.ts';

const PATIENCE_MS = 10_000;
/** Requests about one app: its people, caps and gallery stay small. */
const PER_BUILDER = 2_000;
const MOST_FAULTS = 20;
const MOST_TAKEN_APART = 3;

export interface Options {
  readonly count: number;
  readonly seed: number;
  readonly start?: number;
  readonly atOnce?: number;
  /** How long an answer may take. */
  readonly patience?: number;
  readonly progress?: (done: number) => void;
}

export interface Outcome {
  readonly tally: Tally;
  /** One text for each violation. Empty: all is well. */
  readonly faults: readonly string[];
}

export async function fuzz(service: Service, options: Options): Promise<Outcome> {
  const { count, seed, start = 0, atOnce = 32, patience = PATIENCE_MS, progress } = options;
  const tally = newTally();
  const failed: { index: number; fault: string }[] = [];
  const builders = new Map<number, Promise<Builder>>();
  let next = start;

  function builderOf(index: number): Promise<Builder> {
    const number = Math.floor((index - start) / PER_BUILDER);
    const builder = builders.get(number) ?? makeBuilder(service);
    builders.set(number, builder);
    builders.delete(number - 2);
    return builder;
  }

  async function work(): Promise<void> {
    while (next < start + count && failed.length < MOST_FAULTS && service.ended() === null) {
      const index = next++;
      const one = caseAt(seed, index);
      const sent = await send(service, await builderOf(index), one, patience);
      tally.add(one, sent.answer, sent.ms);
      if (sent.fault !== null) failed.push({ index, fault: sent.fault });
      progress?.(index - start + 1);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));

  const faults = await explained(service, seed, failed, patience);
  faults.push(...(await afterwards(service)));
  return { tally, faults };
}

interface Sent {
  readonly answer: Answer | null;
  readonly ms: number;
  readonly fault: string | null;
}

async function send(service: Service, builder: Builder, one: Case, patience = PATIENCE_MS): Promise<Sent> {
  let used: Used | undefined;
  let wire: Wire | undefined;
  let answer: Answer | null = null;
  let fault: string | null = null;
  let began = performance.now();
  try {
    used = await builder.build(one);
    wire = mutated(used.draft, one.mutations);
    began = performance.now();
    answer = await inTime(exchange(service, wire), patience);
    fault = faultOf(one, answer);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  const ms = performance.now() - began;
  if (ms > patience) fault ??= `answered after ${Math.round(ms)} ms`;
  used?.release(answer);
  return {
    answer,
    ms,
    fault: fault === null ? null : `${cut(fault, 800)}\n${wire ? shown(wire) : one.operation.name}`,
  };
}

function exchange({ run }: Service, { method, path, headers, bytes, chunked }: Wire): Promise<Answer> {
  return call(run, method, path, { headers, type: null, chunked, ...(bytes && { raw: bytes }) });
}

async function inTime<T>(promise: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Each failure with its place and the smallest request that shows it. */
async function explained(
  service: Service,
  seed: number,
  failed: { index: number; fault: string }[],
  patience: number,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [n, { index, fault }] of failed.entries()) {
    const taken = n < MOST_TAKEN_APART && service.ended() === null;
    const least = taken
      ? await smallest(
          seed,
          index,
          async one => (await send(service, await makeBuilder(service), one, patience)).fault,
        )
      : null;
    const note =
      least ??
      (taken
        ? `${fault}\n  (not when it is sent alone: one before it on its connection may be to blame)`
        : fault);
    faults.push(`--seed ${seed} --start ${index} --count 1\n${note}`);
  }
  return faults;
}

/** The service is well, and everything that a valid caller wants from it still works. */
export async function afterwards(service: Service): Promise<string[]> {
  const dead = service.ended();
  if (dead !== null) return [dead];
  const faults: string[] = [];
  const builder = await makeBuilder(service);
  for (const operation of OPERATIONS) {
    const { fault } = await send(service, builder, controlOf(operation));
    if (fault !== null) faults.push(`afterwards: ${fault}`);
  }
  const bad = await service.faults();
  return [...faults, ...bad.map(line => `in the log: ${cut(line, 500)}`)];
}
