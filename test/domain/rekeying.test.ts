/** The job that ends changes of keys, on its way: it tells how far it is, and lets go when the service is told to stop. */
import * as assert from 'uvu/assert';
import { finishRekeys } from '../../src/domain/rekeying.ts';
import { JOBS } from '../../src/jobs/jobs.ts';
import type { DataKeyStore, Store } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';

const test = suite('rekeying');

/** Two owners with three batches each. */
function storeOf() {
  const asked: string[] = [];
  let batch = 0;
  const store: Omit<DataKeyStore, 'beginRekey'> = {
    unfinishedRekeys: async () => ['one', 'two'],
    sealedValues: async () => 30,
    reseal: async (owner, from) => {
      asked.push(owner);
      batch = (batch + 1) % 3;
      return { seen: 10, unreadable: 0, next: batch === 0 ? null : from };
    },
    destroyOldKeys: async owner => {
      asked.push(`${owner} destroyed`);
      return true;
    },
  };
  return { deps: { store: store as Store }, asked };
}

test('it tells how many values of all owners are done', async () => {
  const { deps } = storeOf();
  const progress: number[] = [];
  assert.is(await finishRekeys(deps, { onProgress: done => progress.push(done) }), 60);
  assert.equal(progress, [10, 20, 30, 40, 50, 60]);
});

test('told to stop, it ends after the batch under way, and destroys no key', async () => {
  const { deps, asked } = storeOf();
  const stop = new AbortController();
  const job = JOBS.find(({ name }) => name === 'data-keys');
  const onProgress = (done: number) => done === 20 && stop.abort();
  const end = await job?.act(deps as Parameters<typeof job.act>[0], { signal: stop.signal, onProgress }).then(
    () => 'went on',
    error => error,
  );
  assert.is(end, stop.signal.reason);
  assert.equal(asked, ['one', 'one']);
});

test.run();
