/** Sessions: what later clocks say of them, when they were seen, and what is stored. The rest: test/portal/internal. */
import * as assert from 'uvu/assert';
import { isSteppedUp, isSteppedUpForKeys } from '../../../src/domain/access/rights.ts';
import { begin, hasOpenSession, ownSessions, signedInBy } from '../../../src/domain/access/sessions.ts';
import { suite } from '../../support/suite.ts';
import { client, portalFor } from './operated.ts';

const test = suite('operators: sessions');
const portal = portalFor(test);
const FROM = client('192.0.2.7');

test('a session that begins later than now is none, but for the minute by which clocks may differ', async () => {
  const { deps, clock } = portal;
  const now = clock.time;
  const early = await portal.operator('Zoe');
  for (const [ahead, expected] of [
    [60_000, true],
    [60_001, false],
    [10 * 365 * 86_400_000, false],
  ] as const) {
    clock.time = now + ahead;
    const { id } = early.signedIn.operator;
    const { cookie, secret, session } = await begin(deps, id, 'passkey', FROM);
    clock.time = now;
    assert.is((await signedInBy(deps, cookie, secret)) !== null, expected, `${ahead} ms ahead`);
    assert.is(await hasOpenSession(deps, cookie), expected);
    const listed = await ownSessions(deps, early.signedIn);
    assert.is(
      listed.some(({ id }) => id === session.id),
      expected,
    );
  }
  assert.ok(await signedInBy(deps, early.cookie, early.secret));
});

test('a proof from later than now is none, but for the minute by which clocks may differ', async () => {
  const { clock } = portal;
  const { session } = await portal.operator('Yan');
  const YEARS = 10 * 365 * 86_400_000;
  for (const means of ['link', 'passkey', 'recovery'] as const)
    for (const [ahead, expected] of [
      [60_000, true],
      [60_001, false],
      [YEARS, false],
    ] as const) {
      const future = { ...session, means, steppedUpAt: clock.time + ahead };
      assert.equal(
        [isSteppedUp(future, clock.time), isSteppedUpForKeys(future, clock.time)],
        [expected, expected],
        `${means}, ${ahead} ms ahead`,
      );
    }
});

test('when a session was seen is written once a minute', async () => {
  const { deps, clock } = portal;
  const { cookie, secret, session } = await portal.operator('Eva');
  const seen = async () => (await signedInBy(deps, cookie, secret))?.session.seenAt;
  clock.time += 59_999;
  assert.is(await seen(), session.seenAt);
  clock.time += 1;
  assert.is(await seen(), session.seenAt + 60_000);
  clock.time += 59_999;
  assert.is(await seen(), session.seenAt + 60_000);
});

test('neither secret is stored', async () => {
  const { deps } = portal;
  const { cookie, secret, signedIn } = await portal.operator('Lea');
  const all = JSON.stringify([await ownSessions(deps, signedIn), signedIn, await portal.entries()]);
  for (const one of [cookie, secret]) assert.not.ok(all.includes(one));
});

test.run();
