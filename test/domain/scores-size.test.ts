/** What the size of an app asks for: by the table, unless its own faces say it surely, or its encoder is another one. */
import * as assert from 'uvu/assert';
import { adviceOn } from '../../src/domain/scores/advice.ts';
import { outgrownWarning, SAFER, type SizeState, saferFix, sizeOfApp } from '../../src/domain/scores/size.ts';
import { CARRIED, CARRIED_ENCODER, thresholdWarning } from '../../src/domain/scores/threshold.ts';
import { ENCODER_ID } from '../../src/encoder/published.ts';
import { finding } from '../health/findings.ts';
import { suite } from '../support/suite.ts';

const test = suite('scores: size and threshold');
const OTHER = ENCODER_ID.replace('0.863', '0.9');
const unsure = { state: 'unclear', safeUsersLow: 20 } as const;
const sure = { state: 'safe', safeUsersLow: 5_000 } as const;
const unsafe = { state: 'unsafe', safeUsersLow: 5 } as const;

/** Users, threshold, what is judged; and the threshold asked for (null: a second factor). */
const CASES: [number, number, SizeState, number | null, encoder?: string | null, estimate?: typeof unsure][] =
  [
    [1, 0.35, 'fits', 0.35],
    [100, 0.35, 'fits', 0.35],
    [101, 0.35, 'outgrown', 0.32],
    [101, 0.33, 'outgrown', 0.32],
    [101, 0.32, 'fits', 0.32],
    [600, 0.32, 'fits', 0.32],
    [601, 0.32, 'outgrown', 0.3],
    [601, 0.31, 'outgrown', 0.3],
    [601, 0.35, 'outgrown', 0.3],
    [1_700, 0.3, 'fits', 0.3],
    [1_701, 0.3, 'outgrown', null],
    [1_701, 0.25, 'outgrown', null],
    [1_701, 0.35, 'outgrown', null],
    [100, 0.4, 'fits', 0.35],
    [101, 0.4, 'outgrown', 0.32],
    [101, 0.35, 'outgrown', 0.32, ENCODER_ID, unsure],
    [5_000, 0.35, 'other_encoder', null, OTHER],
    [50, 0.35, 'other_encoder', 0.35, 'network-1', unsure],
  ];
for (const [users, threshold, state, asks, encoder = null, estimate] of CASES)
  test(`${users} users at ${threshold}, ${encoder ?? 'encoder unknown'}: ${state}, ${asks ?? 'second factor'}`, () => {
    const size = sizeOfApp(users, encoder, threshold, estimate);
    assert.equal([size.state, size.asks?.threshold ?? null], [state, asks]);
  });

test('the estimate of its own faces comes before the table where it is sure, for any encoder', () => {
  for (const encoder of [null, ENCODER_ID, OTHER]) {
    assert.is(sizeOfApp(400, encoder, 0.35, sure).state, 'measured');
    assert.is(sizeOfApp(50, encoder, 0.35, unsafe).state, 'measured');
  }
  assert.is(sizeOfApp(5_001, null, 0.35, sure).state, 'outgrown');
});

test('the table is for the encoder of the SDK, and each row is for more users at a lower threshold', () => {
  assert.is(CARRIED_ENCODER, ENCODER_ID);
  const rows = CARRIED.map(({ threshold, users }) => [threshold, users]);
  assert.equal(rows, [
    [0.35, 100],
    [0.32, 600],
    [0.3, 1_700],
  ]);
});

const warned = (threshold: number, ...users: number[]) =>
  outgrownWarning(
    users.map((count, n) => ({ appId: `app_${n}`, size: sizeOfApp(count, null, threshold) })),
    threshold,
  );

test('one warning for all apps: the largest decides, three are named, and the fix says what it costs', () => {
  assert.is(warned(0.35, 100, 3), null);
  const warning = warned(0.35, 101, 90, 550, 400, 300);
  assert.is(
    warning?.message,
    "More users than MATCH_THRESHOLD is for: app_2 has 550, app_3 has 400, app_4 has 300, and 1 more; 0.35 carries 100. With the SDK's encoder, more than 0.3 % of strangers may be let in.",
  );
  assert.is(
    warning?.fix,
    'Set MATCH_THRESHOLD to 0.32, which carries 600 users, for all apps of this server. 0.5 to 1 more of 100 owners are then not recognised: whoever is refused often should add a picture.',
  );
  assert.match(warned(0.4, 101)?.message ?? '', /app_0 has 101; 0\.4 is above all that was measured/);
});

test('beyond the table: the lowest threshold and a second factor, or the second factor alone', () => {
  const fix = (threshold: number) => warned(threshold, 1_701)?.fix ?? '';
  assert.match(
    fix(0.35),
    /^Set MATCH_THRESHOLD to 0\.3, .*1 to 3 more of 100.* Also ask for a second factor:.*confirmBelow/,
  );
  for (const low of [0.3, 0.25])
    assert.match(
      fix(low),
      /^Ask for a second factor: .*confirmBelow.* What lower thresholds carry was not measured\.$/,
    );
});

test('surely unsafe by its own faces: the next lower row for the encoder of the table, and no number for others', () => {
  const fix = (users: number, threshold: number, encoder: string | null) =>
    saferFix(sizeOfApp(users, encoder, threshold, unsafe), threshold);
  for (const [users, threshold, says] of [
    [60, 0.35, /^Set MATCH_THRESHOLD to 0\.32,/],
    [700, 0.35, /^Set MATCH_THRESHOLD to 0\.3,/],
    [500, 0.32, /^Set MATCH_THRESHOLD to 0\.3,/],
    [1_800, 0.35, /^Set MATCH_THRESHOLD to 0\.3,.* Also ask for a second factor/],
    [500, 0.3, /^Ask for a second factor/],
  ] as const)
    assert.match(fix(users, threshold, ENCODER_ID), says);
  for (const encoder of [null, OTHER]) assert.is(fix(700, 0.35, encoder), SAFER);
  assert.is(saferFix(null, 0.35), SAFER);
});

test('the log names the app, both numbers and the fix', () => {
  const { fields } = adviceOn(finding('app_a', 'unclear', 240), 'size', 0.35);
  const { todo, ...rest } = fields;
  assert.equal(rest, {
    app: 'app_a',
    mode: 'live',
    reason: 'size',
    users: 240,
    carries: 100,
    threshold: 0.35,
  });
  assert.match(String(todo), /^Set MATCH_THRESHOLD to 0\.32, which carries 600 users/);
});

test('above 0.35, and only there', () => {
  for (const fine of [0.01, 0.2, 0.35]) assert.is(thresholdWarning(fine), null);
  for (const high of [0.3501, 0.4, 2]) {
    const warning = thresholdWarning(high);
    assert.ok(warning?.message.includes(`MATCH_THRESHOLD is ${high}, above the default 0.35`));
    assert.match(warning?.fix ?? '', /^Set MATCH_THRESHOLD to 0\.35 or lower.*calibrate/);
  }
});

test.run();
