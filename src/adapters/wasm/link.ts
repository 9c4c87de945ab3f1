/**
 * The pool's end of one worker: one message for the calls of one turn of the event loop, one answer back, and a new
 * worker when one ends. What was under way then rejects and is not sent again, because a new worker holds no
 * galleries. A worker that ends again and again is given up on. Held by test/matcher/pool.test.ts and death.test.ts.
 */
import { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import { MatcherUnavailable, type SearchResult } from '../../ports/matcher.ts';
import { type CoreSettings, coreMemory, releaseHelpers } from './core.ts';
import { type Call, Outbox } from './outbox.ts';
import { settle } from './settle.ts';
import type { Answer, Change, Outcome, Plea } from './wire.ts';

/** Deaths within LIVES_MS after which no new worker is started. */
const LIVES = 5;
const LIVES_MS = 60_000;

export interface LinkOptions {
  readonly module: WebAssembly.Module;
  readonly settings: CoreSettings;
  /** In place of the worker's own entry. */
  readonly workerPath?: string | URL | undefined;
  /** Asks others for help before a batch is sent that searches these galleries; whether anybody was asked. */
  readonly callHelp: (link: Link, galleries: readonly number[]) => boolean;
  /** Called when the galleries of the worker are gone, before the calls under way reject. */
  readonly onDeath: () => void;
  /** Called with every message that holds searches: with how many. */
  readonly onPass?: ((searches: number) => void) | undefined;
  /** Called with every worker that is started. */
  readonly onWorker?: ((worker: Worker) => void) | undefined;
}

export class Link {
  readonly #options: LinkOptions;
  readonly #outbox = new Outbox();
  #worker: Worker;
  /** Calls of the messages that were not answered yet, oldest first. */
  #sent: Call[][] = [];
  #deaths: number[] = [];
  #buriedSoFar = 0;
  /** Of the present worker; another one gets another. */
  #memory = coreMemory();
  #batches = 0;
  /** Memories of other workers that the present worker has been given. */
  #known = new Map<number, WebAssembly.Memory>();
  /** Why this link takes no more calls. */
  #ended: Error | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Whether no batch is under way. */
  get isIdle(): boolean {
    return this.#ended === undefined && this.#sent.length === 0;
  }

  /** Workers of this link that ended by themselves. */
  get deaths(): number {
    return this.#buriedSoFar;
  }

  /** Calls that wait or are under way. */
  get pending(): number {
    return this.#sent.reduce((sum, calls) => sum + calls.length, this.#outbox.size);
  }

  /** Has this worker help another one with its next batch. */
  help(owner: number, other: Link): void {
    const memory = other.#memory;
    const plea: Plea = { owner, batches: other.#batches + 1 };
    this.#worker.postMessage(this.#known.get(owner) === memory ? plea : { ...plea, memory });
    this.#known.set(owner, memory);
  }

  search(
    gallery: number,
    probes: readonly (readonly number[])[],
    margin: number | null = null,
  ): Promise<SearchResult> {
    return new Promise((done, fail) => {
      if (this.#ended) return fail(this.#ended);
      this.#schedule();
      this.#outbox.addSearch(gallery, probes, { kind: 'search', probes: probes.length, margin, done, fail });
    });
  }

  change(gallery: number, change: Change | 'drop'): Promise<Outcome> {
    return new Promise((done, fail) => {
      if (this.#ended) return fail(this.#ended);
      this.#schedule();
      this.#outbox.addChange(gallery, change, { kind: 'change', done, fail });
    });
  }

  async close(): Promise<void> {
    this.#ended ??= new MatcherUnavailable('the matcher is closed');
    this.#rejectAll(this.#ended);
    await this.#worker.terminate();
  }

  /** setImmediate runs after the input of this turn was read: the calls of many requests meet in one message. */
  #schedule(): void {
    if (this.#outbox.isEmpty) setImmediate(() => this.#send());
  }

  #send(): void {
    if (this.#outbox.isEmpty) return;
    // Help is for the next batch: with one under way, helpers would wait for the wrong one.
    const helped = this.isIdle && this.#options.callHelp(this, this.#outbox.searched());
    const { batch, buffers, settles, searches } = this.#outbox.take(helped);
    if (searches > 0) this.#options.onPass?.(searches);
    this.#sent.push(settles);
    this.#worker.postMessage(batch, buffers);
  }

  #start(): Worker {
    const { module, settings, workerPath, onWorker } = this.#options;
    const own = { workerData: { module, settings, memory: this.#memory }, name: 'matcher' };
    const worker = workerPath
      ? new Worker(workerPath, { ...own, execArgv: [] })
      : startThread('src/adapters/wasm/worker.ts', own);
    let cause: unknown;
    worker.on('message', (answer: Answer) => {
      // A late answer of a worker that was replaced must not settle the calls of its successor.
      if (worker !== this.#worker) return;
      this.#batches++;
      settle(this.#sent.shift() ?? [], answer);
    });
    worker.on('error', error => {
      cause = error;
    });
    worker.on('messageerror', error => {
      cause = error;
      void worker.terminate();
    });
    worker.on('exit', code => this.#buried(cause ?? new Error(`exit code ${code}`)));
    onWorker?.(worker);
    return worker;
  }

  #buried(cause: unknown): void {
    if (this.#ended) return;
    const now = performance.now();
    this.#buriedSoFar++;
    this.#deaths = [...this.#deaths.filter(then => now - then < LIVES_MS), now];
    const error = new MatcherUnavailable('a matcher worker ended; its galleries must be loaded again', cause);
    this.#options.onDeath();
    releaseHelpers(this.#memory);
    this.#memory = coreMemory();
    this.#batches = 0;
    this.#known.clear();
    if (this.#deaths.length < LIVES) this.#worker = this.#start();
    else this.#ended = new MatcherUnavailable(`a matcher worker ended ${LIVES} times within a minute`, cause);
    this.#rejectAll(this.#ended ?? error);
  }

  #rejectAll(error: Error): void {
    const calls = [...this.#sent.flat(), ...this.#outbox.take(false).settles];
    this.#sent = [];
    for (const call of calls) call.fail(error);
  }
}
