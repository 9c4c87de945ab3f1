/** What is remembered of a database is believed only after the database was asked, however late its answers come. */
import * as assert from 'uvu/assert';
import { createMemory } from '../../src/adapters/sql/memory.ts';
import { suite } from '../support/suite.ts';

const test = suite('memory of a store');

/** A database elsewhere: it answers when it is told to. */
function elsewhere() {
  const asked: PromiseWithResolvers<number>[] = [];
  const mark = () => {
    const question = Promise.withResolvers<number>();
    asked.push(question);
    return question.promise;
  };
  const state = { value: 'first', loads: 0 };
  const memory = createMemory(mark, async () => ({ sequence: 0, encoder: null }));
  const recall = () =>
    memory.recall('key', async () => {
      state.loads += 1;
      return state.value;
    });
  return { asked, state, recall };
}

test('nothing is answered before the mark has come, and nothing is loaded again while it stays', async () => {
  const { asked, state, recall } = elsewhere();
  for (let i = 0; i < 3; i++) {
    let answer = '';
    const recalled = recall().then(value => {
      answer = value;
    });
    await new Promise(turn => setImmediate(turn));
    assert.is(answer, '');
    asked[i]?.resolve(7);
    await recalled;
    assert.is(answer, 'first');
  }
  assert.is(state.loads, 1);
});

test('marks that come in another order than they were asked for hide nothing', async () => {
  const { asked, state, recall } = elsewhere();
  const [early, late] = [recall(), recall()];
  state.value = 'second';
  asked[1]?.resolve(2);
  assert.is(await late, 'second');
  asked[0]?.resolve(1);
  assert.is(await early, 'second');
  state.value = 'third';
  const now = recall();
  asked[2]?.resolve(3);
  assert.is(await now, 'third');
});

test('a mark that cannot be had: nothing that is remembered is answered', async () => {
  const { asked, recall } = elsewhere();
  const first = recall();
  asked[0]?.resolve(1);
  await first;
  const second = recall().catch((error: Error) => error.message);
  asked[1]?.reject(new Error('gone'));
  assert.is(await second, 'gone');
});

test.run();
