/** When keys were last used: noted by every request, written seldom. */
import * as assert from 'uvu/assert';
import { createKeyUses } from '../../src/domain/key-uses.ts';
import { suite } from '../support/suite.ts';

const test = suite('key uses');
const HOUR = 3_600_000;

function given() {
  const writes: Record<string, number>[] = [];
  let now = 5 * HOUR + 7;
  let fails = false;
  const store = {
    async noteKeyUses(uses: ReadonlyMap<string, number>) {
      if (fails) throw new Error('full');
      writes.push(Object.fromEntries([...uses].map(([id, at]) => [id, at / HOUR])));
    },
  };
  return {
    writes,
    uses: createKeyUses(store, { now: () => now }),
    pass: (ms: number) => {
      now += ms;
    },
    fail: (value: boolean) => {
      fails = value;
    },
  };
}

test('many requests of an hour are one write, and none without requests', async () => {
  const { writes, uses, pass } = given();
  for (let i = 0; i < 100; i++) uses.note(i % 2 ? 'key_1' : 'key_2');
  assert.equal(writes, [], 'a request writes nothing');
  await uses.flush();
  await uses.flush();
  uses.note('key_1');
  await uses.flush();
  assert.equal(writes, [{ key_1: 5, key_2: 5 }]);
  pass(HOUR);
  uses.note('key_1');
  await uses.flush();
  assert.equal(writes[1], { key_1: 6 });
});

test('what could not be written is written with the next', async () => {
  const { writes, uses, fail } = given();
  uses.note('key_1');
  fail(true);
  await uses.flush().then(
    () => assert.unreachable(),
    () => undefined,
  );
  fail(false);
  uses.note('key_2');
  await uses.flush();
  assert.equal(writes, [{ key_1: 5, key_2: 5 }]);
});

test.run();
