/** What a running service does again and again, besides its jobs. Failures are logged, and the next run tries again. */
import type { Logger } from 'pino';
import type { AuditCounts } from '../domain/access/audit-counts.ts';
import type { Deps } from '../domain/deps.ts';
import type { KeyUses } from '../domain/key-uses.ts';
import type { ScoreWatch } from '../domain/scores/watch.ts';
import { StoreUnavailable } from '../ports/store.ts';
import type { Operations } from './operations.ts';
import type { Presence } from './presence.ts';
import type { Delivering } from './webhooks.ts';

/**
 * How often erasures and other changes by commands and other nodes are looked for, for galleries that are not being
 * searched. They have to be forgotten within a second, and looking for them takes time too.
 */
const FORGET_MS = 500;
const SETTLE_MS = 1_000;
/** How often erasures of apps that another process left unfinished are looked for. */
const FINISH_MS = 60_000;
/** How often the last uses of keys, and what was counted for the audit log, are written. */
const KEPT_MS = 60_000;
/** The longest pause while the database is away. Requests do not wait for it: they ask the database themselves. */
const MOST_PAUSE_MS = 4_000;
/** How often the key set is read into memory, to serve it while the database is away. */
const KEY_SET_MS = 10_000;
/** How often other nodes are told that this one is there, and the known time is looked at. */
const PRESENCE_MS = 10_000;

/** How often webhooks are looked for while this node delivers to none. */
const WEBHOOKS_MS = 1_000;

const KEY_USES = 'last uses of keys';
const AUDIT_COUNTS = 'counted entries of the audit log';

interface Repeated {
  tellNodes(): Promise<void>;
  /** Writes everything that was only kept in memory so far. */
  writeKept(): Promise<void>;
  /** @returns functions that stop the work, and wait for what is running */
  start(): (() => Promise<void>)[];
}

interface Parts {
  /** domain/known-time.ts */
  readonly keepTime: () => Promise<void>;
  readonly deps: Pick<Deps, 'store' | 'galleries' | 'signingKeys'>;
  readonly keyUses: Pick<KeyUses, 'flush'>;
  readonly auditCounts: Pick<AuditCounts, 'flush'>;
  readonly scores: Pick<ScoreWatch, 'look'>;
  readonly presence: Presence;
  readonly webhooks: Delivering;
  readonly operations: Pick<Operations, 'erasures'>;
  readonly log: Logger;
}

export function repeatedWork(parts: Parts): Repeated {
  const { keepTime, deps, keyUses, auditCounts, scores, presence, webhooks, operations, log } = parts;
  const logged = (what: string) => (error: unknown) => log.error({ cause: String(error) }, what);
  const reconcile = async () => {
    await deps.galleries.reconcile();
    presence.tookOver('galleries');
  };
  const settle = async () => {
    try {
      await deps.store.settleErasures();
    } catch (error) {
      operations.erasures.ended(false);
      throw error;
    }
    presence.tookOver('erasures');
    operations.erasures.ended(true);
  };
  // The clock of a node is measured first: all nodes go by the known time.
  const lookAtTime = async () => {
    await presence.report();
    await keepTime();
  };
  return {
    tellNodes: () => presence.report().catch(logged('nodes')),
    async writeKept() {
      await keyUses.flush().catch(logged(KEY_USES));
      await auditCounts.flush(true).catch(logged(AUDIT_COUNTS));
    },
    start: () => [
      every(FORGET_MS, reconcile, logged('galleries')),
      every(SETTLE_MS, settle, logged('erasures')),
      every(FINISH_MS, () => deps.store.finishErasures(), logged('unfinished erasures')),
      every(SETTLE_MS, () => scores.look(), logged('scores of galleries')),
      every(KEPT_MS, () => keyUses.flush(), logged(KEY_USES)),
      every(KEPT_MS, () => auditCounts.flush(false), logged(AUDIT_COUNTS)),
      every(PRESENCE_MS, lookAtTime, logged('nodes, or the known time')),
      every(WEBHOOKS_MS, webhooks.look, logged('webhooks')),
      webhooks.stop,
      every(KEY_SET_MS, () => deps.signingKeys.published(), logged('signing keys')),
    ],
  };
}

/**
 * Runs a task repeatedly, never twice at once; less and less often while the database is away.
 * @returns a function that stops it and waits for a running task
 */
function every(
  ms: number,
  task: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  /** Turns that are left out after a failure, and how many of them are still to come. */
  let pause = 0;
  let left = 0;
  async function run(): Promise<void> {
    try {
      await task();
      pause = 0;
    } catch (error) {
      onFailure(error);
      pause = error instanceof StoreUnavailable ? Math.min(MOST_PAUSE_MS / ms, 2 * pause + 1) : 0;
    }
    left = pause;
    running = null;
  }
  const timer = setInterval(() => {
    if (running) return;
    if (left >= 1) left -= 1;
    else running = run();
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
