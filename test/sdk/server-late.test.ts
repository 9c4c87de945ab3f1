/**
 * What the middlewares do when the request was answered, or its client has gone, before the verifier came to an end, and
 * where errors go: of each framework in a process of its own, which an unhandled rejection would end.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import type { Outcome } from './server-late-app.ts';

const test = suite('server SDK: late answers and errors');
const APP = join(import.meta.dirname, 'server-late-app.ts');

/** Every case, of which each says what must come of it. */
async function outcomesOf(framework: string): Promise<Outcome[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [APP, framework]);
  const outcomes: Outcome[] = JSON.parse(stdout);
  assert.is(outcomes.length, 36);
  return outcomes;
}

/** What the application's own code throws, and what the verifier does, must be seen once where the framework sends errors. */
function errorsOf({ says, throws }: Outcome, handled: boolean): string[] {
  if (says === 'fault') return ['a fault of the verifier'];
  if (throws === 'nothing') return [];
  if (says === 'bad') return ['onRefused'];
  return handled ? ['handler'] : [];
}

function statusOf({ says, throws }: Outcome): number {
  if (says === 'fault' || throws !== 'nothing') return 500;
  return says === 'good' ? 200 : 401;
}

function assertOutcome(outcome: Outcome, framework: string): void {
  const { says, first, status, body } = outcome;
  const which = `${framework}: ${says}, ${first}, ${outcome.throws}: ${JSON.stringify(outcome)}`;
  // A web-standard handler gives its answer to whoever called it, who knows whether it is late.
  const handled = says === 'good' && (first === 'waits' || framework === 'web');
  assert.is(outcome.handled, handled ? 1 : 0, which);
  assert.equal(outcome.errors, errorsOf(outcome, handled), which);
  if (first === 'waits') assert.is(status, statusOf(outcome), which);
  if (first === 'answers') assert.equal([status, body], [504, 'late'], which);
  if (first === 'gone') assert.is(status, null, which);
  // Whoever handles the error may cut the connection, but nothing more may come.
  if (first === 'begins' && status !== null)
    assert.equal([status, body.replace(' (cut off)', '')], [200, 'begun'], which);
}

for (const framework of ['express', 'fastify', 'koa', 'web'])
  test(`${framework}: nothing is answered twice, no rejection is unhandled, every error is seen`, async () => {
    for (const outcome of await outcomesOf(framework)) assertOutcome(outcome, framework);
  });

test.run();
