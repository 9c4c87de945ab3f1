/** The queue of writes when somebody else holds a lock: nobody waits for the patience of several commits in turn. */
import * as assert from 'uvu/assert';
import { createWriteQueue, type Job } from '../../src/adapters/sql/write-queue.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';

const test = suite('write queue');
const PATIENCE_MS = 10_000;

/** Each commit takes this long, and fails with the fault, if there is one. */
function queueOf(takes: number, fault: Error | null, most?: number) {
  let now = 0;
  let commits = 0;
  const commit = async (jobs: readonly Job[]) => {
    commits += 1;
    now += takes;
    await new Promise(turn => setImmediate(turn));
    for (const job of jobs) if (fault) job.reject(fault);
    if (!fault) for (const job of jobs) job.resolve();
    return true;
  };
  const queue = createWriteQueue(commit, most, () => now);
  return { queue, at: () => now, commits: () => commits };
}

const locked = new StoreUnavailable(new Error('locked from outside'));

for (const [what, takes, fault, commits] of [
  ['a commit that waited for a lock in vain: what came meanwhile is refused with it', PATIENCE_MS, locked, 1],
  ['a commit that the store refused at once: each is tried', 5, locked, 12],
  ['a commit whose own work failed, however late: each is tried', PATIENCE_MS, new Error('own'), 12],
  ['a slow commit that succeeds: each is tried', PATIENCE_MS, null, 12],
] as const)
  test(what, async () => {
    const given = queueOf(takes, fault, 1);
    const all = Array.from({ length: 12 }, () =>
      given.queue.add(async () => undefined).catch(error => error),
    );
    for (const answer of await Promise.all(all)) assert.is(answer, fault ?? undefined);
    assert.equal([given.commits(), given.at()], [commits, commits * takes]);
    await given.queue.idle();
    void given.queue.add(async () => undefined).catch(() => undefined);
    await given.queue.idle();
    assert.is(given.commits(), commits + 1, 'a later one is tried');
  });

test.run();
