/** Judges what arrives at an endpoint of a webhook. Held by test/bench/events.test.ts. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isSigned } from '../../test/webhooks/receivers.ts';
import { quantile } from '../measure.ts';

export interface Endpoint {
  readonly path: string;
  readonly secret: string;
  /** How long each answer takes. */
  readonly holdMs?: number;
  /** One first attempt of so many fails. */
  readonly failsOneOf?: number;
  readonly never?: true;
}

/** What an endpoint got. */
export interface Told {
  readonly requests: number;
  readonly unsigned: number;
  /** Events that it took, each once. */
  readonly events: number;
  /** Of what they are, in order of `seq`. */
  readonly digest: string;
  /** The most events with a greater `seq` that were there before one, at first attempts. */
  readonly overtaken: number;
  /** Milliseconds from the event to the attempt that was good: of the first third, the last third, and all. */
  readonly delays: Record<'first' | 'last' | 'all', readonly [p50: number, p99: number]>;
}

export interface Taken {
  readonly seq: number;
  readonly line: string;
  readonly delay: number;
}

/** Enough to see who was overtaken. */
const REMEMBERED = 100;

export class Judge {
  readonly #of: Endpoint;
  readonly #tried = new Set<string>();
  #requests = 0;
  #unsigned = 0;
  #overtaken = 0;
  #lately: number[] = [];
  readonly #taken = new Map<string, Taken>();

  constructor(of: Endpoint) {
    this.#of = of;
  }

  /** @returns the status of the answer; null: none */
  async judge(headers: NodeJS.Dict<string | string[]>, body: string): Promise<number | null> {
    const { secret, never, holdMs, failsOneOf } = this.#of;
    const now = Date.now();
    const { id, seq, type, timestamp, data } = JSON.parse(body);
    this.#requests += 1;
    if (!isSigned({ headers, body, event: null }, secret) || headers['webhook-id'] !== id)
      this.#unsigned += 1;
    const isFirst = !this.#tried.has(id);
    this.#tried.add(id);
    if (isFirst) {
      this.#overtaken = Math.max(this.#overtaken, this.#lately.filter(other => other > seq).length);
      this.#lately = [...this.#lately.slice(1 - REMEMBERED), seq];
    }
    if (never) return null;
    if (holdMs !== undefined) await delay(holdMs);
    if (isFirst && failsOneOf !== undefined && this.#tried.size % failsOneOf === 0) return 500;
    if (!this.#taken.has(id))
      this.#taken.set(id, {
        seq,
        line: lineOf(seq, id, type, data.user_id),
        delay: now - Date.parse(timestamp),
      });
    return 204;
  }

  takenAfter(after: number): Taken[] {
    return [...this.#taken.values()].filter(({ seq }) => seq > after);
  }

  told(after: number): Told {
    const taken = this.takenAfter(after).sort((a, b) => a.seq - b.seq);
    const third = Math.ceil(taken.length / 3);
    const percentiles = (of: readonly Taken[]) => {
      const delays = of.map(one => one.delay);
      return [quantile(delays, 0.5), quantile(delays, 0.99)] as const;
    };
    return {
      requests: this.#requests,
      unsigned: this.#unsigned,
      events: taken.length,
      digest: digestOf(taken.map(({ line }) => line)),
      overtaken: this.#overtaken,
      delays: {
        first: percentiles(taken.slice(0, third)),
        last: percentiles(taken.slice(-third)),
        all: percentiles(taken),
      },
    };
  }
}

export const lineOf = (...what: readonly [seq: number, id: string, type: string, userId: string]) =>
  what.join(' ');
export const digestOf = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex');
