/** Webhooks in trouble: those that fail for a while, and those that the service has disabled. */
import * as assert from 'uvu/assert';
import { webhookProblems } from '../../src/health/webhooks.ts';
import { suite } from '../support/suite.ts';
import { webhookIn } from './findings.ts';

const test = suite('health: webhooks');
const NOW = Date.parse('2026-03-15T12:00:00.000Z');
const EARLIER = NOW - 7_200_000;

const problems = (...changes: object[]) => webhookProblems({ at: NOW, ...webhookIn(NOW, ...changes) });

test('one that has failed for ten minutes is named, and one that failed just now is not', () => {
  const [found, ...others] = problems({}, { failingSince: EARLIER }, { failingSince: NOW - 60_000 });
  assert.equal([found?.since, others], [EARLIER, []]);
  assert.is(found?.message, 'Webhooks fail, and events wait for them: wh_2 of app_1 (live).');
  assert.match(found?.fix ?? '', /webhook deliveries ID --failed/);
});

test('those that the service has disabled are named, and not those of an operator', () => {
  const [found, ...others] = problems(
    { disabledAt: EARLIER, disabledReason: 'gone', failingSince: EARLIER - 1 },
    { disabledAt: NOW, disabledReason: 'failing' },
    { disabledAt: EARLIER - 9, disabledReason: 'operator', failingSince: EARLIER - 10 },
  );
  assert.equal([found?.since, others], [EARLIER, []]);
  assert.match(found?.message ?? '', /^Webhooks were disabled, .*: wh_1 of app_1 \(live\), wh_2 of app_1/);
  assert.match(found?.fix ?? '', /webhook update ID --enable/);
});

test('where nothing can be read, nothing is said', () => {
  assert.equal(webhookProblems({ at: NOW, webhooks: null }), []);
});

test.run();
