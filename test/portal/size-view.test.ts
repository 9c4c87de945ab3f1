/** What Faces is told of an app's size, beside what its own faces say. */
import * as assert from 'uvu/assert';
import { scoresOf } from '../../src/operations/scores.ts';
import type { OperationDeps } from '../../src/operations/table/deps.ts';
import { finding } from '../health/findings.ts';
import type { Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: size');

test('what the app’s own faces say surely comes before the table, and nothing is said twice', async () => {
  const view = async (state: 'unsafe' | 'unclear', mode: 'live' | 'test' = 'live') => {
    const deps = {
      settings: { matchThreshold: 0.35, matchMargin: 0.04 },
      findings: () => [finding('app_a', state, 300)],
      store: { countUsers: async () => 301, galleryState: async () => ({ sequence: 0, encoder: null }) },
    } as unknown as OperationDeps;
    const { size, advice } = (await scoresOf(deps, { appId: 'app_a', mode })) as Json;
    return [size?.state, size?.users, advice.length];
  };
  assert.equal(await view('unsafe'), ['measured', 301, 1]);
  assert.equal(await view('unclear'), ['outgrown', 301, 0]);
  assert.equal(await view('unclear', 'test'), [undefined, undefined, 0]);
});

test.run();
