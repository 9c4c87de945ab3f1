/** Loading that several callers ask for. */
import * as assert from 'uvu/assert';
import { loader } from '../../src/sdk/browser/encoders/loading.ts';
import { FaceSignInError } from '../../src/sdk/browser/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, loading');

function work() {
  let runs = 0;
  let tell: (progress: number) => void = () => undefined;
  let { promise, resolve, reject } = Promise.withResolvers<void>();
  const load = loader(async report => {
    runs++;
    tell = report;
    ({ promise, resolve, reject } = Promise.withResolvers<void>());
    await promise;
  });
  return {
    load,
    runs: () => runs,
    tell: (p: number) => tell(p),
    end: () => resolve(),
    fail: (e: unknown) => reject(e),
  };
}
const codeOf = (promise: Promise<void>) =>
  promise.then(
    () => 'loaded',
    error => (error instanceof FaceSignInError ? error.code : `not coded: ${error}`),
  );

test('callers at the same time share one work, and all hear its progress', async () => {
  const { load, runs, tell, end } = work();
  const heard: number[][] = [[], []];
  const both = heard.map(list => load({ onProgress: progress => list.push(progress) }));
  tell(0.5);
  end();
  await Promise.all(both);
  assert.is(runs(), 1);
  assert.equal(heard, [
    [0.5, 1],
    [0.5, 1],
  ]);
});

test('who comes later hears at once how far it is, and a new work begins at nothing', async () => {
  const { load, tell, end } = work();
  const one = load();
  tell(0.6);
  const heard: number[] = [];
  const other = load({ onProgress: progress => heard.push(progress) });
  end();
  await Promise.all([one, other]);
  const next = load({ onProgress: progress => heard.push(progress) });
  tell(0.1);
  end();
  await next;
  assert.equal(heard, [0.6, 1, 0.1, 1]);
});

test('who gives up stops waiting, and nobody else does', async () => {
  const { load, runs, end } = work();
  const giving = new AbortController();
  const [one, other] = [codeOf(load({ signal: giving.signal })), codeOf(load())];
  giving.abort(new Error('enough'));
  assert.is(await one, 'aborted');
  end();
  assert.is(await other, 'loaded');
  assert.is(runs(), 1);
  assert.is(
    await codeOf(load({ signal: giving.signal })),
    'aborted',
    'who has given up before does not begin',
  );
  assert.is(runs(), 1);
});

test('a failure is reported to all with its reason, and the next call tries again', async () => {
  const { load, runs, end, fail } = work();
  const reason = new TypeError('404');
  const both = [load(), load()].map(promise => promise.catch(error => error));
  fail(reason);
  for (const error of await Promise.all(both)) {
    assert.is(error.code, 'encoder_failed');
    assert.is(error.cause, reason);
    assert.is(error.detail, '404');
  }
  const again = codeOf(load());
  end();
  assert.is(await again, 'loaded');
  assert.is(runs(), 2);
});

test.run();
