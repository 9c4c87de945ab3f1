/** Who may do what: every action and role of the table, with and without a recent proof, in both modes. */
import * as assert from 'uvu/assert';
import { PortalRefusal } from '../../../src/domain/access/refusal.ts';
import {
  isSteppedUp,
  isSteppedUpForKeys,
  requireRight,
  requireStepUp,
  STEP_UP_LIFETIME,
} from '../../../src/domain/access/rights.ts';
import type { SessionRecord, SignedInOperator } from '../../../src/ports/store/operators.ts';
import { MODES } from '../../../src/protocol/mode.ts';
import { type Action, type Rank, RIGHTS, ROLES } from '../../../src/protocol/portal/roles.ts';
import { suite } from '../../support/suite.ts';

const test = suite('operators: rights');
const BEGAN = 1_000_000;
const FRESH = BEGAN + STEP_UP_LIFETIME - 1;
const LATER = BEGAN + STEP_UP_LIFETIME;
const TEAM = 'team_a';

const session: SessionRecord = {
  id: 'ses_1',
  operatorId: 'opr_1',
  means: 'passkey',
  beganAt: BEGAN,
  steppedUpAt: BEGAN,
  seenAt: BEGAN,
  endsAt: BEGAN * 100,
  ip: '192.0.2.1',
  userAgent: 'test',
};

function signedIn(rank: Rank, change: Partial<SessionRecord> = {}): SignedInOperator {
  return {
    operator: {
      id: 'opr_1',
      email: 'ada@example.com',
      name: 'Ada',
      isAdmin: rank === 'admin',
      language: null,
      theme: null,
      createdAt: 0,
      disabledAt: null,
      invitedBy: null,
      emailChangedAt: null,
    },
    session: { ...session, ...change },
    teams: rank === 'admin' ? [] : [{ id: TEAM, name: 'A', createdAt: 0, role: rank }],
  };
}

function outcome(task: () => void): string {
  try {
    task();
    return 'ok';
  } catch (error) {
    if (error instanceof PortalRefusal) return error.code;
    throw error;
  }
}

const RANKS: readonly Rank[] = ['admin', ...ROLES];
const ACTIONS = Object.keys(RIGHTS) as Action[];

for (const rank of RANKS)
  test(`${rank}: every action as in the table, forbidden before step_up_required`, () => {
    for (const action of ACTIONS)
      for (const mode of [...MODES, undefined])
        for (const now of [FRESH, LATER]) {
          const right = RIGHTS[action][rank];
          const isTest = mode === 'test';
          const needsProof = right === 'step-up' || (right === 'step-up-live' && !isTest);
          const isForbidden = right === 'no' || (right === 'test' && !isTest);
          const late = needsProof && now === LATER ? 'step_up_required' : 'ok';
          const scope = { teamId: TEAM, ...(mode && { mode }) };
          const got = outcome(() => requireRight(signedIn(rank), action, scope, now));
          assert.is(got, isForbidden ? 'forbidden' : late, `${action} in ${mode} at ${now}`);
        }
  });

test('what belongs to another team is not found, except by admins', () => {
  for (const action of ACTIONS) {
    for (const role of ROLES)
      assert.is(
        outcome(() => requireRight(signedIn(role), action, { teamId: 'team_b', mode: 'test' }, FRESH)),
        'not_found',
        `${role}: ${action}`,
      );
    assert.is(
      outcome(() => requireRight(signedIn('admin'), action, { teamId: 'team_b', mode: 'test' }, FRESH)),
      'ok',
      action,
    );
  }
});

test('without a team only admins may do anything', () => {
  for (const action of ACTIONS)
    for (const rank of RANKS)
      assert.is(
        outcome(() => requireRight(signedIn(rank), action, {}, FRESH)),
        rank === 'admin' ? 'ok' : 'forbidden',
        `${rank}: ${action}`,
      );
});

test('a session is stepped up for five minutes from its beginning, or from the last passkey', () => {
  for (const means of ['link', 'passkey'] as const) {
    const begun = { ...session, means };
    assert.equal([isSteppedUp(begun, FRESH), isSteppedUp(begun, LATER)], [true, false], means);
    const again = { ...begun, steppedUpAt: LATER };
    assert.ok(isSteppedUp(again, LATER + STEP_UP_LIFETIME - 1));
    assert.not(isSteppedUp(again, LATER + STEP_UP_LIFETIME));
  }
});

test('a proof from later than now is none, but for the minute by which clocks may differ', () => {
  const YEARS = 10 * 365 * 86_400_000;
  for (const means of ['link', 'passkey', 'recovery'] as const)
    for (const [ahead, expected] of [
      [60_000, true],
      [60_001, false],
      [YEARS, false],
    ] as const) {
      const future = { ...session, means, steppedUpAt: BEGAN + ahead };
      assert.equal(
        [isSteppedUp(future, BEGAN), isSteppedUpForKeys(future, BEGAN)],
        [expected, expected],
        `${means}, ${ahead} ms ahead`,
      );
    }
});

test('a session by recovery code is stepped up only for own passkeys and codes, until a passkey proves more', () => {
  const byCode = { means: 'recovery' } as const;
  const owner = signedIn('owner', byCode);
  assert.not(isSteppedUp(owner.session, BEGAN));
  assert.equal(
    [isSteppedUpForKeys(owner.session, FRESH), isSteppedUpForKeys(owner.session, LATER)],
    [true, false],
  );
  assert.is(
    outcome(() => requireRight(owner, 'members', { teamId: TEAM }, BEGAN)),
    'step_up_required',
  );
  assert.is(
    outcome(() => requireStepUp(owner, 'passkeys and codes', FRESH)),
    'ok',
  );
  assert.is(
    outcome(() => requireStepUp(owner, 'account', FRESH)),
    'step_up_required',
  );
  const proven = signedIn('owner', { ...byCode, steppedUpAt: LATER });
  assert.is(
    outcome(() => requireRight(proven, 'members', { teamId: TEAM }, LATER)),
    'ok',
  );
  assert.is(
    outcome(() => requireStepUp(proven, 'account', LATER)),
    'ok',
  );
});

test('a refusal says who may', () => {
  try {
    requireRight(signedIn('viewer'), 'app.delete', { teamId: TEAM }, FRESH);
  } catch (error) {
    assert.is((error as Error).message, 'Your role does not allow this. Needed: admin, owner.');
    return;
  }
  assert.unreachable();
});

test.run();
