/** Small rules of enrolment and sign-in that stand alone: the confidence told, what is consent, and what is not. */
import * as assert from 'uvu/assert';
import { requireConsent } from '../../src/domain/consent.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { confidence } from '../../src/domain/sign-in.ts';
import { suite } from '../support/suite.ts';

const test = suite('sign-in rules');

test('confidence: from 0.25 to 1, in quarters', () => {
  const rows: readonly (readonly [number, number, number])[] = [
    // distance, threshold, confidence
    [0, 0.35, 1],
    [0.0437, 0.35, 1],
    [0.0438, 0.35, 0.75],
    [0.1312, 0.35, 0.75],
    [0.1313, 0.35, 0.5],
    [0.2187, 0.35, 0.5],
    [0.2188, 0.35, 0.25],
    [0.3063, 0.35, 0.25],
    [0.3499, 0.35, 0.25],
    [0.35, 0.35, 0.25],
    [2, 0.35, 0.25],
    [-1e-7, 0.35, 1],
    [-0.5, 0.35, 1],
    [0.1, 0.5, 0.75],
    [1, 2, 0.5],
  ];
  for (const [distance, threshold, expected] of rows)
    assert.is(confidence(distance, threshold), expected, `${distance} of ${threshold}`);
});

test('confidence never has more than four values', () => {
  const seen = new Set<number>();
  for (let i = 0; i <= 10_000; i++) {
    const shown = confidence((i / 10_000) * 0.35, 0.35);
    assert.match(String(shown), /^(?:1|0\.25|0\.5|0\.75)$/);
    seen.add(shown);
  }
  assert.is(seen.size, 4);
});

const CODES: readonly (readonly [unknown, string])[] = [
  [undefined, 'consent_required'],
  [null, 'consent_required'],
  [true, 'consent_required'],
  ['yes', 'consent_required'],
  [[], 'consent_required'],
  [[true], 'consent_required'],
  [Object.assign([], { accepted: true, policy_version: '1' }), 'consent_required'],
  [{}, 'consent_required'],
  [{ policy_version: '1' }, 'consent_required'],
  [{ accepted: false, policy_version: '1' }, 'consent_required'],
  [{ accepted: 'true', policy_version: '1' }, 'consent_required'],
  [{ accepted: 1, policy_version: '1' }, 'consent_required'],
  [{ accepted: null, policy_version: '1' }, 'consent_required'],
  [{ accepted: {}, policy_version: '1' }, 'consent_required'],
  [{ accepted: false }, 'consent_required'],
  [{ accepted: true }, 'invalid_request'],
  [{ accepted: true, policy_version: '' }, 'invalid_request'],
  [{ accepted: true, policy_version: null }, 'invalid_request'],
  [{ accepted: true, policy_version: 1 }, 'invalid_request'],
  [{ accepted: true, policy_version: ['1'] }, 'invalid_request'],
  [{ accepted: true, policy_version: 'x'.repeat(101) }, 'invalid_request'],
  [{ accepted: true, policy_version: '👍'.repeat(101) }, 'invalid_request'],
];

test('without the word true there is no consent, and without a notice no usable one', () => {
  for (const [consent, code] of CODES) {
    try {
      requireConsent(consent);
    } catch (error) {
      assert.instance(error, Refusal);
      assert.is((error as Refusal).code, code, JSON.stringify(consent));
      assert.match(
        (error as Refusal).message,
        code === 'consent_required' ? 'consent.accepted' : 'consent.policy_version',
      );
      continue;
    }
    throw new Error(`accepted ${JSON.stringify(consent)}`);
  }
});

test('consent answers the version of the notice, as it was sent', () => {
  for (const version of ['1', '2026-03-01', ' v1 ', 'x'.repeat(100), '👍'.repeat(100)])
    assert.is(requireConsent({ accepted: true, policy_version: version, more: 1 }), version);
});

test.run();
