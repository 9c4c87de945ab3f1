/** The 6 digits: every code equally likely, one for all in test mode, and bound to what it is for. */
import * as assert from 'uvu/assert';
import { codeHash, newCode } from '../../src/domain/codes/code.ts';
import type { Deps } from '../../src/domain/deps.ts';
import type { Random } from '../../src/ports/system.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';

const test = suite('codes');
/** 4,294 times a million: the last numbers of 32 bits would favour the first codes. */
const FAIR = 4_294_000_000;

/** Gives these numbers of 32 bits in turn, and no more. */
function giving(...numbers: number[]): Random & { left: () => number } {
  return {
    left: () => numbers.length,
    bytes(length) {
      assert.is(length, 4);
      const number = numbers.shift();
      if (number === undefined) throw new Error('no number was left');
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      return bytes;
    },
  };
}

const cases: [number: number, code: string][] = [
  [0, '000000'],
  [7, '000007'],
  [42_042, '042042'],
  [999_999, '999999'],
  [1_000_000, '000000'],
  [1_000_001, '000001'],
  [123_456_789, '456789'],
  [2_147_483_648, '483648'],
  [FAIR - 1, '999999'],
];
for (const [number, code] of cases)
  test(`the number ${number} makes the code ${code}`, () => {
    assert.is(newCode(giving(number), 'live'), code);
  });

for (const number of [FAIR, FAIR + 1, FAIR + 967_295])
  test(`the number ${number} is thrown away for the next`, () => {
    const random = giving(number, number, 31_337);
    assert.is(newCode(random, 'live'), '031337');
    assert.is(random.left(), 0);
  });

test('every code comes of the same number of numbers', () => {
  // Whole rounds of a million: the first numbers of the first and of the last round make the same codes.
  for (const offset of [0, 1, 499_999, 999_999])
    for (const round of [0, 1, 4_293])
      assert.is(Number(newCode(giving(round * 1_000_000 + offset), 'live')), offset);
  assert.is(FAIR % 1_000_000, 0);
  assert.ok(2 ** 32 - FAIR < 1_000_000, 'as few as can be are thrown away');
});

test('codes are spread evenly, those with leading zeros too', () => {
  const random = seeded(424_242);
  const draws = 200_000;
  const places = Array.from({ length: 6 }, () => Array<number>(10).fill(0));
  const thousands = Array<number>(1_000).fill(0);
  for (let i = 0; i < draws; i++) {
    const code = newCode(random, 'live');
    assert.match(code, /^[0-9]{6}$/);
    for (const [place, counts] of places.entries())
      counts[Number(code[place])] = (counts[Number(code[place])] ?? 0) + 1;
    const thousand = Number(code.slice(0, 3));
    thousands[thousand] = (thousands[thousand] ?? 0) + 1;
  }
  const chi = (counts: number[]) => {
    const wanted = draws / counts.length;
    return counts.reduce((sum, n) => sum + (n - wanted) ** 2 / wanted, 0);
  };
  // Beyond these lies less than one in a million of even spreads, and the seed is fixed.
  for (const counts of places) assert.ok(chi(counts) < 45, `a place: ${chi(counts)}`);
  assert.ok(chi(thousands) < 1_230, `the first three: ${chi(thousands)}`);
});

const secrets = { hash: (purpose: string, value: string) => JSON.stringify([purpose, value]) };
const hashOf = (
  kind: 'sign-in' | 'email-change',
  appId: string,
  mode: 'live' | 'test',
  user: string,
  code: string,
) => codeHash({ secrets } as unknown as Deps, kind, { appId, mode }, user, code);

test('what is stored of a code is bound to its use, app, mode, user and digits', () => {
  const hashes = [
    hashOf('sign-in', 'app_1', 'live', 'usr_1', '123456'),
    hashOf('email-change', 'app_1', 'live', 'usr_1', '123456'),
    hashOf('sign-in', 'app_2', 'live', 'usr_1', '123456'),
    hashOf('sign-in', 'app_1', 'test', 'usr_1', '123456'),
    hashOf('sign-in', 'app_1', 'live', 'usr_2', '123456'),
    hashOf('sign-in', 'app_1', 'live', 'usr_1', '123457'),
    hashOf('sign-in', 'app_1', 'live', 'usr_11', '23456'),
    hashOf('sign-in', 'app_1', 'live', '', '123456'),
  ];
  assert.is(new Set(hashes).size, hashes.length);
  assert.is(hashOf('sign-in', 'app_1', 'live', 'usr_1', '123456'), hashes[0]);
});

test.run();
