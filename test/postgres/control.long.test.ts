/**
 * The control of the races: the same tests on an engine that locks nothing must fail, or they would prove nothing of the
 * locks. Clauses in the statements themselves stay.
 */
import * as assert from 'uvu/assert';
import '../support/without-locks.ts';
import { atomicity } from '../contract/atomicity.ts';
import { audit } from '../contract/audit.ts';
import { codeBursts } from '../contract/code-bursts.ts';
import { codes } from '../contract/codes.ts';
import { concurrency } from '../contract/concurrency.ts';
import { durability } from '../contract/durability.ts';
import { operatorKeys } from '../contract/operator-keys.ts';
import { operators } from '../contract/operators.ts';
import { profile } from '../contract/profile.ts';
import { hasPostgres } from '../support/postgres.ts';
import { type Suite, suite } from '../support/suite.ts';

const test = suite('postgres: control');
const WANTED = 10;

interface Race {
  readonly name: string;
  readonly body: () => unknown;
}

/** The tests, without running them. */
async function racesWithoutLocks(): Promise<Race[]> {
  const races: Race[] = [];
  const collecting = (name: string, body: () => unknown) => void races.push({ name, body });
  const nothing = () => undefined;
  const into: Suite = Object.assign(collecting, { before: nothing, after: nothing, run: nothing });
  // Loads the engine, so it comes after the hook that takes its locks away.
  const { postgresEngine } = await import('../contract/postgres-engine.ts');
  const engine = postgresEngine();
  for (const tier of [concurrency, codeBursts, atomicity, durability]) tier(into, engine);
  for (const tier of [codes, profile, operators, operatorKeys, audit]) tier(into, engine);
  return races.filter(({ name }) =>
    /once|burst|race|many|amid|together|time|first|exact|maximum|never/.test(name),
  );
}

if (!hasPostgres())
  test('PostgreSQL is not installed', () => console.log('left out: the control without locks'));
else
  test(`without locks at least ${WANTED} races are lost`, async () => {
    const races = await racesWithoutLocks();
    const lost: string[] = [];
    for (const { name, body } of races) {
      const isWon = await Promise.resolve(body()).then(
        () => true,
        () => false,
      );
      if (!isWon) lost.push(name);
    }
    console.log(`took: ${lost.length} of ${races.length} races were lost without locks`);
    for (const name of lost) console.log(`  ${name}`);
    assert.ok(lost.length >= WANTED, `${lost.length} of ${races.length}`);
  });
test.run();
