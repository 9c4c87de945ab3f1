/** The memory of a node: what is remembered under the version, what is always asked for, and who shares a read. */
import * as assert from 'uvu/assert';
import { createSharedMemory, type Shared } from '../../src/adapters/postgres/shared-memory.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { LIVE, OTHER } from '../contract/fixtures.ts';
import { suite } from '../support/suite.ts';

const test = suite('postgres: shared memory');

/** A database that answers when it is told to. */
function elsewhere() {
  const reads: { galleries: readonly unknown[]; answer(shared: Partial<Shared>): void; fail(): void }[] = [];
  const memory = createSharedMemory(
    galleries =>
      new Promise((resolve, reject) =>
        reads.push({
          galleries,
          answer: shared => resolve({ version: '1', states: galleries.map(() => null), ...shared }),
          fail: () => reject(new StoreUnavailable('gone')),
        }),
      ),
  );
  return { reads, memory };
}

const turn = () => new Promise(done => setImmediate(done));

test('who asks while a read is under way shares the next one, never that one', async () => {
  const { reads, memory } = elsewhere();
  const first = memory.galleryState(LIVE);
  const later = [memory.galleryState(LIVE), memory.galleryState(OTHER), memory.galleryState(LIVE)];
  assert.is(reads.length, 1);
  reads[0]?.answer({ states: [{ sequence: 1, encoder: null }] });
  assert.is((await first).sequence, 1);
  await turn();
  assert.equal(reads[1]?.galleries, [LIVE, OTHER]);
  reads[1]?.answer({ states: [{ sequence: 2, encoder: 'e' }, null] });
  assert.equal(
    (await Promise.all(later)).map(({ sequence }) => sequence),
    [2, 0, 2],
  );
});

test('what is remembered holds under its version, and no read: no answer', async () => {
  const { reads, memory } = elsewhere();
  let loads = 0;
  const recall = () => memory.recall('key', async () => ++loads);
  const ask = async (answer: (read: (typeof reads)[number]) => void) => {
    const asked = recall();
    await turn();
    answer(reads.at(-1) as (typeof reads)[number]);
    return asked;
  };
  assert.is(await ask(read => read.answer({})), 1);
  assert.is(await ask(read => read.answer({})), 1);
  assert.is(await ask(read => read.answer({ version: '2' })), 2);
  const fault = await ask(read => read.fail()).catch(error => error);
  assert.instance(fault, StoreUnavailable);
  assert.is(await ask(read => read.answer({ version: '2' })), 2, 'and goes on by itself');
  memory.forget();
  assert.is(await ask(read => read.answer({ version: '2' })), 3);
});

test.run();
