/**
 * Plans decide what an app may use. An app whose plan has vanished must not be let through, and a plans file with a
 * slip in it must stop the start instead of meaning something else.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BUILT_IN_PLANS, DEFAULT_PLAN, type Plan, planOf, strayPlans } from '../../src/domain/plans.ts';
import { readPlans } from '../../src/settings/plans-file.ts';
import { SettingFault } from '../../src/settings/values.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('plans');
const folder = tempFolder();
const path = join(folder, 'plans.json');

function reading(text: string) {
  writeFileSync(path, text);
  return readPlans('PLANS_FILE', path);
}

test('the built-in plans have the numbers that were decided', () => {
  assert.equal(
    [...BUILT_IN_PLANS],
    [
      ['free', { monthlyAuths: 1_000, liveKeys: 3, testKeys: 3 }],
      ['standard', { monthlyAuths: 50_000, liveKeys: 10, testKeys: 10 }],
      ['unlimited', { monthlyAuths: null, liveKeys: 100, testKeys: 100 }],
    ],
  );
  assert.is(DEFAULT_PLAN, 'free');
});

test('an unknown plan is held to the smallest, in whatever order the plans come', () => {
  const sized = (monthlyAuths: number | null): Plan => ({ monthlyAuths, liveKeys: 1, testKeys: 1 });
  const plans: [string, Plan][] = [
    ['endless', sized(null)],
    ['small', sized(5)],
    ['large', sized(500)],
  ];
  for (const order of [plans, [...plans].reverse()]) {
    const map = new Map(order);
    assert.is(planOf(map, 'gone').monthlyAuths, 5);
    assert.is(planOf(map, 'toString').monthlyAuths, 5);
    assert.is(planOf(map, 'endless').monthlyAuths, null);
    assert.is(planOf(map, 'large').monthlyAuths, 500);
  }
  assert.is(planOf(new Map([['free', sized(null)]]), 'gone').monthlyAuths, null);
});

test('plans that apps have and the file lacks are found, with their apps and what they are held to', () => {
  const plan = (monthlyAuths: number): Plan => ({ monthlyAuths, liveKeys: 1, testKeys: 1 });
  const plans = new Map([
    ['free', plan(1_000)],
    ['small', plan(10)],
  ]);
  const app = (id: string, its: string) => ({ id, plan: its });
  const apps = [app('a', 'gold'), app('b', 'free'), app('c', 'gold'), app('d', 'toString')];
  assert.equal(strayPlans(plans, apps), [
    { plan: 'gold', apps: ['a', 'c'], heldTo: 'small' },
    { plan: 'toString', apps: ['d'], heldTo: 'small' },
  ]);
  assert.equal(strayPlans(plans, [app('b', 'free')]), []);
});

test('a file replaces the built-in plans as a whole', () => {
  const plans = reading(
    '{"free": {"monthly_auths": 0, "live_keys": 1, "test_keys": 2}, "big": {"monthly_auths": null, "live_keys": 0, "test_keys": 0}}',
  );
  assert.equal(
    [...plans],
    [
      ['free', { monthlyAuths: 0, liveKeys: 1, testKeys: 2 }],
      ['big', { monthlyAuths: null, liveKeys: 0, testKeys: 0 }],
    ],
  );
});

test('a faulty file is refused in one line that names setting, file and fault', () => {
  const plan = (numbers: string) => `{"free": ${numbers}}`;
  const faults: readonly (readonly [string, string])[] = [
    ['', 'is not JSON'],
    ['{"free": ', 'is not JSON'],
    ['null', 'the file'],
    ['[]', 'no plan "free"'],
    ['{}', 'no plan "free"'],
    ['{"Free": {"monthly_auths": 1, "live_keys": 1, "test_keys": 1}}', 'no plan "free"'],
    [plan('null'), 'free'],
    [plan('{}'), 'free.'],
    [plan('{"monthly_auths": 1, "live_keys": 1}'), 'free.test_keys'],
    [plan('{"monthly_auths": "1000", "live_keys": 1, "test_keys": 1}'), 'free.monthly_auths'],
    [plan('{"monthly_auths": -1, "live_keys": 1, "test_keys": 1}'), 'free.monthly_auths'],
    [plan('{"monthly_auths": 1.5, "live_keys": 1, "test_keys": 1}'), 'free.monthly_auths'],
    [plan('{"monthly_auths": 1e400, "live_keys": 1, "test_keys": 1}'), 'free.monthly_auths'],
    [plan('{"monthly_auths": 1, "live_keys": null, "test_keys": 1}'), 'free.live_keys'],
    [plan('{"monthly_auths": 1, "live_keys": 1, "test_keys": true}'), 'free.test_keys'],
    [plan('{"monthly_auths": 1, "live_keys": 1, "test_keys": 1, "month_auths": 5}'), 'free.month_auths'],
  ];
  for (const [text, named] of faults) refusedNaming(() => reading(text), named, text);
  refusedNaming(() => readPlans('PLANS_FILE', join(folder, 'none.json')), 'ENOENT', 'missing file');
  refusedNaming(() => readPlans('PLANS_FILE', folder), 'EISDIR', 'folder');
});

function refusedNaming(attempt: () => unknown, named: string, what: string): void {
  try {
    attempt();
  } catch (error) {
    assert.instance(error, SettingFault, what);
    const { message } = error as Error;
    for (const part of ['PLANS_FILE', folder, named, 'for example PLANS_FILE='])
      assert.ok(message.includes(part), `${what}: no ${part} in: ${message}`);
    assert.not(message.includes('\n'), what);
    return;
  }
  throw new Error(`accepted: ${what}`);
}

test.run();
