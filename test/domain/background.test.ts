/** Work behind an answer: it ends in time, its faults are told, and an end of the service leaves nothing half-done. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { createBackground } from '../../src/domain/background.ts';
import { suite } from '../support/suite.ts';

const test = suite('background');
/** Far beyond what a test may take. */
const EVER = 600_000;

function made() {
  const faults: unknown[] = [];
  return { faults, background: createBackground(fault => void faults.push(fault)) };
}

/** A task that runs until it is told to end, or its signal ends it. */
function openEnded() {
  const ended = Promise.withResolvers<string>();
  const task = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => ended.resolve('ended by its signal'), { once: true });
    if (signal.aborted) ended.resolve('ended before it began');
    return ended.promise;
  };
  return { task, end: (how: string) => ended.resolve(how) };
}

test('a task is ended when its time is over', async () => {
  const { background } = made();
  assert.is(await background.run(10, openEnded().task), 'ended by its signal');
});

test('the signal of a task that has ended stays silent', async () => {
  const { background } = made();
  const signals: AbortSignal[] = [];
  await background.run(10, async signal => void signals.push(signal));
  await delay(30);
  assert.is(signals[0]?.aborted, false);
});

test('a fault goes to the caller and is reported, once', async () => {
  const { background, faults } = made();
  const fault = new Error('no such address');
  const failing = background.run(EVER, () => Promise.reject(fault));
  assert.is(await failing.catch(error => error), fault);
  assert.equal(faults, [fault]);
  await background.close(EVER);
  assert.equal(faults, [fault]);
});

test('a task that throws when it is ended is reported as well', async () => {
  const { background, faults } = made();
  const ended = background.run(10, async signal => {
    await delay(EVER, undefined, { signal });
  });
  assert.is((await ended.catch(error => error)).name, 'AbortError');
  assert.is(faults.length, 1);
});

test('an end waits for what is under way', async () => {
  const { background } = made();
  const sending = openEnded();
  const answer = background.run(EVER, sending.task);
  let closed = false;
  const closing = background.close(EVER).then(() => {
    closed = true;
  });
  await delay(20);
  assert.is(closed, false);
  sending.end('sent');
  await closing;
  assert.is(await answer, 'sent');
});

test('an end that has waited long enough ends the tasks, then waits for their ends', async () => {
  const { background } = made();
  const order: string[] = [];
  const cleaning = async (signal: AbortSignal) => {
    await new Promise<void>(done => signal.addEventListener('abort', () => done()));
    order.push('told to end');
    await delay(20);
    order.push('cleaned up');
  };
  const both = [background.run(EVER, cleaning), background.run(EVER, cleaning)];
  await background.close(10);
  order.push('closed');
  await Promise.all(both);
  assert.equal(order, ['told to end', 'told to end', 'cleaned up', 'cleaned up', 'closed']);
});

test('an end does not fail with its tasks', async () => {
  const { background, faults } = made();
  const failing = background.run(EVER, async signal => {
    await delay(EVER, undefined, { signal });
  });
  failing.catch(() => undefined);
  await background.close(10);
  assert.is(faults.length, 1);
});

test('what begins while the service ends is ended with it', async () => {
  const { background } = made();
  const early = background.run(EVER, openEnded().task);
  const closing = background.close(20);
  const late = background.run(EVER, openEnded().task);
  await closing;
  assert.equal(await Promise.all([early, late]), ['ended by its signal', 'ended by its signal']);
});

test('what begins after the end is told so at once', async () => {
  const { background } = made();
  await background.close(EVER);
  assert.is(await background.run(EVER, openEnded().task), 'ended before it began');
  await background.close(EVER);
});

test.run();
