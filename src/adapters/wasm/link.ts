/**
 * The pool's side of one worker. All calls of one turn of the event loop go in one message and get one answer. If the
 * worker ends, a new one starts, and pending calls reject: they are not sent again, because the new worker has no
 * galleries. After several deaths in a minute the link gives up. Held by test/matcher/pool.test.ts and death.test.ts.
 */
import { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import { DIMENSIONS, MatcherUnavailable, type SearchResult } from '../../ports/matcher.ts';
import { type CoreSettings, coreMemory, releaseHelpers, VERDICTS } from './core.ts';
import { type Call, Outbox } from './outbox.ts';
import { type Answer, type Change, type HelpRequest, NUMBERS, type Outcome } from './wire.ts';

/** After this many deaths within DEATH_WINDOW_MS no new worker is started. */
const MAX_DEATHS = 5;
const DEATH_WINDOW_MS = 60_000;

export interface LinkOptions {
  readonly module: WebAssembly.Module;
  readonly settings: CoreSettings;
  /** Replaces the worker's entry file. */
  readonly workerPath?: string | URL | undefined;
  /** Asks other workers for help before a batch that searches these galleries. @returns whether any was asked */
  readonly requestHelp: (link: Link, galleries: readonly number[]) => boolean;
  /** Called when the worker's galleries are lost, before pending calls reject. */
  readonly onDeath: () => void;
  /** Called for each message with searches, with their number. */
  readonly onPass?: ((searches: number) => void) | undefined;
  /** Called with each new worker. */
  readonly onWorker?: ((worker: Worker) => void) | undefined;
}

export class Link {
  readonly #options: LinkOptions;
  readonly #outbox = new Outbox();
  #worker: Worker;
  /** Calls of the unanswered messages, oldest first. */
  #sent: Call[][] = [];
  #deaths: number[] = [];
  #deathCount = 0;
  /** Memory of the current worker. A new worker gets a new memory. */
  #memory = coreMemory();
  #batches = 0;
  /** Memories of other workers that the current worker already has. */
  #known = new Map<number, WebAssembly.Memory>();
  /** Why this link accepts no more calls. */
  #ended: Error | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Whether no batch is pending. */
  get isIdle(): boolean {
    return this.#ended === undefined && this.#sent.length === 0;
  }

  /** How many workers of this link have ended unexpectedly. */
  get deaths(): number {
    return this.#deathCount;
  }

  /** Number of unsent and unanswered calls. */
  get pending(): number {
    return this.#sent.reduce((sum, calls) => sum + calls.length, this.#outbox.size);
  }

  /** Lets this worker help another one with its next batch. */
  help(owner: number, other: Link): void {
    const memory = other.#memory;
    const request: HelpRequest = { owner, batches: other.#batches + 1 };
    this.#worker.postMessage(this.#known.get(owner) === memory ? request : { ...request, memory });
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

  /** setImmediate runs after the input of this turn was read, so one message carries the calls of many requests. */
  #schedule(): void {
    if (this.#outbox.isEmpty) setImmediate(() => this.#send());
  }

  #send(): void {
    if (this.#outbox.isEmpty) return;
    // Helpers help with the next answered batch. If another one is pending, that would be the wrong one.
    const helped = this.isIdle && this.#options.requestHelp(this, this.#outbox.searched());
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
      // Ignore late answers of a replaced worker: they would settle calls of its successor.
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
    worker.on('exit', code => this.#replace(cause ?? new Error(`exit code ${code}`)));
    onWorker?.(worker);
    return worker;
  }

  #replace(cause: unknown): void {
    if (this.#ended) return;
    const now = performance.now();
    this.#deathCount++;
    this.#deaths = [...this.#deaths.filter(then => now - then < DEATH_WINDOW_MS), now];
    const error = new MatcherUnavailable('a matcher worker ended; its galleries must be loaded again', cause);
    this.#options.onDeath();
    releaseHelpers(this.#memory);
    this.#memory = coreMemory();
    this.#batches = 0;
    this.#known.clear();
    if (this.#deaths.length < MAX_DEATHS) this.#worker = this.#start();
    else
      this.#ended = new MatcherUnavailable(
        `a matcher worker ended ${MAX_DEATHS} times within a minute`,
        cause,
      );
    this.#rejectAll(this.#ended ?? error);
  }

  #rejectAll(error: Error): void {
    const calls = [...this.#sent.flat(), ...this.#outbox.take(false).settles];
    this.#sent = [];
    for (const call of calls) call.fail(error);
  }
}

function settle(calls: readonly Call[], answer: Answer): void {
  let search = 0;
  let change = 0;
  let row = 0;
  for (const call of calls) {
    if (call.kind === 'change') {
      call.done(answer.outcomes[change++] as Outcome);
      continue;
    }
    const refused = answer.numbers[search * NUMBERS];
    if (refused) call.fail(new Error(`probe ${refused} needs finite numbers and a norm of at least 1e-6`));
    else call.done(result(answer, search, row, call.probes));
    row += call.probes;
    search++;
  }
  answer.units.fill(0);
}

function result({ numbers, units }: Answer, search: number, row: number, probes: number): SearchResult {
  const at = search * NUMBERS;
  const other = numbers[at + 4] as number;
  const user = numbers[at + 5] as number;
  const normalised: Float32Array[] = [];
  for (let i = row; i < row + probes; i++) normalised.push(units.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS));
  return {
    sequence: numbers[at + 1] as number,
    verdict: VERDICTS[numbers[at + 2] as number] ?? 'none',
    best: user === 0 ? null : { user, distance: numbers[at + 3] as number },
    otherDistance: other === Number.POSITIVE_INFINITY ? null : other,
    normalised,
  };
}
