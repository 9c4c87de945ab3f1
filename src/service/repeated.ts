/** What a running service does again and again, besides its jobs. Failures are logged, and the next run tries again. */
import type { Logger } from 'pino';
import type { Deps } from '../domain/deps.ts';
import type { KeyUses } from '../domain/key-uses.ts';
import type { ScoreWatch } from '../domain/scores/watch.ts';
import type { Operations } from './operations.ts';
import type { Presence } from './presence.ts';

/**
 * How often erasures and other changes by commands and other nodes are looked for, for galleries that are not being
 * searched. They have to be forgotten within a second, and looking for them takes time too.
 */
const FORGET_MS = 500;
const SETTLE_MS = 1_000;
/** How often the last uses of keys are written. */
const KEY_USES_MS = 60_000;
/** How often other nodes are told that this one is there. */
const PRESENCE_MS = 10_000;

export interface Repeated {
  tellNodes(): Promise<void>;
  writeKeyUses(): Promise<void>;
  /** @returns functions that stop the work, and wait for what is running */
  start(): (() => Promise<void>)[];
}

interface Parts {
  readonly deps: Pick<Deps, 'store' | 'galleries'>;
  readonly keyUses: Pick<KeyUses, 'flush'>;
  readonly scores: Pick<ScoreWatch, 'look'>;
  readonly presence: Presence;
  readonly operations: Pick<Operations, 'erasures'>;
  readonly log: Logger;
}

export function repeatedWork({ deps, keyUses, scores, presence, operations, log }: Parts): Repeated {
  const logged = (what: string) => (error: unknown) => log.error({ cause: String(error) }, what);
  const writeKeyUses = () => keyUses.flush().catch(logged('last uses of keys'));
  const tellNodes = () => presence.report().catch(logged('nodes'));
  const reconcile = () =>
    deps.galleries.reconcile().then(() => presence.tookOver('galleries'), logged('galleries'));
  const settle = () =>
    deps.store.settleErasures().then(
      () => {
        presence.tookOver('erasures');
        operations.erasures.ended(true);
      },
      error => {
        operations.erasures.ended(false);
        logged('erasures')(error);
      },
    );
  return {
    tellNodes,
    writeKeyUses,
    start: () => [
      every(FORGET_MS, reconcile),
      every(SETTLE_MS, settle),
      every(SETTLE_MS, () => scores.look().catch(logged('scores of galleries'))),
      every(KEY_USES_MS, writeKeyUses),
      every(PRESENCE_MS, tellNodes),
    ],
  };
}

/** Runs a task repeatedly, never twice at once. @returns a function that stops it and waits for a running task */
function every(ms: number, task: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= task().finally(() => {
      running = null;
    });
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
