/** What a server does again and again: soon after each change, and less often while the database is away. */
import { mock } from 'node:test';
import pino from 'pino';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { repeatedWork } from '../../src/service/repeated.ts';
import { suite } from '../support/suite.ts';

const test = suite('repeated work');
const TURN_MS = 500;

/** @returns how often galleries were looked at in so many turns, and by whom it can be told how that ends */
function watched() {
  let looks = 0;
  let fault: Error | null = null;
  const parts = {
    deps: {
      galleries: {
        async reconcile() {
          looks += 1;
          if (fault) throw fault;
        },
      },
      store: { settleErasures: async () => undefined },
    },
    keyUses: { flush: async () => undefined },
    scores: { look: async () => undefined },
    presence: { tookOver: () => undefined, report: async () => undefined },
    webhooks: { look: async () => undefined, stop: async () => undefined },
    operations: { erasures: { ended: () => undefined } },
    log: pino({ level: 'silent' }),
  };
  const stops = repeatedWork(parts as never).start();
  return {
    async after(turns: number): Promise<number> {
      looks = 0;
      for (let turn = 0; turn < turns; turn++) {
        mock.timers.tick(TURN_MS);
        await new Promise(setImmediate);
      }
      return looks;
    },
    fail(by: Error | null) {
      fault = by;
    },
    stop: () => Promise.all(stops.map(stop => stop())),
  };
}

test.before(() => mock.timers.enable({ apis: ['setInterval'] }));
test.after(() => mock.timers.reset());

test('galleries are looked at every turn, also while one of them cannot be read', async () => {
  const { after, fail, stop } = watched();
  assert.is(await after(20), 20);
  fail(new Error('a template does not open'));
  assert.is(await after(20), 20);
  await stop();
  assert.is(await after(20), 0);
});

test('while the database is away they are looked at less often, and at most 4 s apart', async () => {
  const { after, fail, stop } = watched();
  fail(new StoreUnavailable(new Error('gone')));
  assert.is(await after(16), 4); // after 1, 3, 7 and 15 turns
  assert.is(await after(90), 10);
  fail(null);
  assert.ok((await after(9)) >= 1);
  assert.is(await after(20), 20);
  await stop();
});

test.run();
