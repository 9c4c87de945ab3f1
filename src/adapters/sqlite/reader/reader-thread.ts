/**
 * The store's side of one thread that reads galleries: sends jobs and settles answers. Answers that no caller waits for
 * are erased. Held by test/sqlite/gallery-reader.test.ts.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../assets.ts';
import type { GalleryChanges } from '../../../ports/matcher.ts';
import { type PlacedUser, StoreUnavailable } from '../../../ports/store.ts';
import { eraseRows } from '../../../ports/template-rows.ts';
import { type Opener, UnknownKey } from '../../secrets/sealing.ts';
import type { Range, UserSearch } from '../../sql/gallery-reader.ts';
import { type Answer, END, type Job, type ThreadSettings } from './messages.ts';

interface Waiting {
  readonly done: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
}

export class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exit: Promise<void>;
  #numbers = 0;
  /** Why it accepts no more jobs. */
  #ended: Error | undefined;

  static closed(): StoreUnavailable {
    return new StoreUnavailable(new Error('the store is closed'));
  }

  constructor(settings: ThreadSettings, onThread?: (thread: Worker) => void) {
    const { path, fileId, isGentle } = settings;
    this.#worker = startThread('src/adapters/sqlite/reader/thread.ts', {
      workerData: { path, fileId, isGentle } satisfies ThreadSettings,
      name: isGentle ? 'user-search' : 'gallery-reader',
    });
    let cause: unknown;
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.on('error', error => {
      cause = error;
    });
    this.#exit = new Promise(done => {
      this.#worker.on('exit', code => {
        this.#failAll(new StoreUnavailable(cause ?? new Error(`a reader of galleries ended with ${code}`)));
        done();
      });
    });
    onThread?.(this.#worker);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Number of unfinished jobs. */
  get jobs(): number {
    return this.#waiting.size;
  }

  async count(range: Range): Promise<number> {
    const answer = await this.#ask({ ...range, what: 'count', number: ++this.#numbers });
    return 'count' in answer ? answer.count : 0;
  }

  /** @throws UnknownKey unless `isLast`, StoreUnavailable */
  async searchUsers(search: UserSearch, opener: Opener): Promise<PlacedUser[]> {
    const answer = await this.#ask({ ...search, ...opener, what: 'search', number: ++this.#numbers });
    return 'users' in answer ? answer.users : [];
  }

  /** @throws UnknownKey unless `isLast`, StoreUnavailable */
  async page(range: Range, opener: Opener, withRemoved: boolean): Promise<GalleryChanges> {
    const job: Job = { ...range, ...opener, what: 'page', withRemoved, number: ++this.#numbers };
    const answer = await this.#ask(job);
    if (!('changes' in answer)) throw new Error('a reader of galleries gave an unexpected answer');
    return answer.changes;
  }

  /** Resolves when the thread has finished its jobs and ended. The answers are dropped. */
  async end(): Promise<void> {
    if (this.#ended === undefined) this.#worker.postMessage(END);
    this.#failAll(ReaderThread.closed());
    await this.#exit;
  }

  #ask(job: Job): Promise<Answer> {
    return new Promise((done, fail) => {
      if (this.#ended) return fail(this.#ended);
      this.#waiting.set(job.number, { done, fail });
      this.#worker.postMessage(job);
    });
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (!waiting) {
      if ('changes' in answer) eraseRows(answer.changes.added);
      return;
    }
    if ('isKeyUnknown' in answer) {
      waiting.fail(new UnknownKey());
    } else if ('error' in answer) {
      const error = new Error(answer.error);
      waiting.fail(answer.isEngineFault ? new StoreUnavailable(error) : error);
    } else {
      waiting.done(answer);
    }
  }

  #failAll(error: Error): void {
    this.#ended ??= error;
    for (const { fail } of this.#waiting.values()) fail(error);
    this.#waiting.clear();
  }
}
