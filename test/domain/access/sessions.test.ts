/** Sessions: two secrets, an idle end and a last end, ten a person, and what ends them at once. */
import * as assert from 'uvu/assert';
import { changeOperator } from '../../../src/domain/access/operators.ts';
import {
  begin,
  endOf,
  endOwnSession,
  endSessionsOf,
  hasOpenSession,
  ownSessions,
  SESSION_IDLE,
  SESSION_LIFETIME,
  SESSIONS_PER_OPERATOR,
  signedInBy,
  signOut,
} from '../../../src/domain/access/sessions.ts';
import { changeRole, createTeam, removeMember } from '../../../src/domain/access/teams.ts';
import { newToken } from '../../../src/domain/access/tokens.ts';
import { suite } from '../../support/suite.ts';
import { client, portalFor, refused } from './operated.ts';

const test = suite('operators: sessions');
const portal = portalFor(test);
const FROM = client('192.0.2.7');

test('cookie and header together are a session, and nothing else is', async () => {
  const { deps } = portal;
  const { cookie, secret, signedIn } = await portal.operator('Ada');
  const other = await portal.operator('Ben');
  for (const one of [cookie, secret]) assert.match(one, /^[\w-]{43}$/);
  assert.is((await signedInBy(deps, cookie, secret))?.operator.id, signedIn.operator.id);
  const wrong: [string, string | undefined, string | undefined][] = [
    ['nothing', undefined, undefined],
    ['the cookie alone', cookie, undefined],
    ['the header alone', undefined, secret],
    ['the header of another', cookie, other.secret],
    ['the cookie of another', other.cookie, secret],
    ['exchanged', secret, cookie],
    ['the cookie twice', cookie, cookie],
    ['a random header', cookie, newToken(deps.random)],
    ['empty', '', ''],
    ['another spelling', `${cookie}=`, secret],
  ];
  for (const [name, one, two] of wrong) assert.is(await signedInBy(deps, one, two), null, name);
});

test('a session ends after an hour without requests, and after twelve hours in any case', async () => {
  const { deps, clock } = portal;
  const idle = await portal.operator('Cleo');
  const busy = await portal.operator('Dan');
  clock.time += SESSION_IDLE - 1;
  assert.ok(await signedInBy(deps, busy.cookie, busy.secret));
  clock.time += 1;
  assert.is(await signedInBy(deps, idle.cookie, idle.secret), null);
  assert.ok(await signedInBy(deps, busy.cookie, busy.secret));
  const end = busy.session.beganAt + SESSION_LIFETIME;
  while (clock.time + SESSION_IDLE / 2 < end) {
    clock.time += SESSION_IDLE / 2;
    assert.ok(await signedInBy(deps, busy.cookie, busy.secret));
  }
  clock.time = end - 1;
  const last = await signedInBy(deps, busy.cookie, busy.secret);
  assert.is(last && endOf(last.session), end, 'never later than twelve hours');
  clock.time = end;
  assert.is(await signedInBy(deps, busy.cookie, busy.secret), null);
});

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

test('the eleventh session ends the oldest', async () => {
  const { deps, clock } = portal;
  const first = await portal.operator('Fay');
  const { id } = first.signedIn.operator;
  const others = [];
  for (let n = 1; n < SESSIONS_PER_OPERATOR; n += 1) {
    clock.time += 1;
    others.push(await begin(deps, id, 'passkey', FROM));
  }
  assert.ok(await signedInBy(deps, first.cookie, first.secret));
  clock.time += 1;
  const last = await begin(deps, id, 'passkey', FROM);
  assert.is(await signedInBy(deps, first.cookie, first.secret), null);
  for (const { cookie, secret } of [...others, last]) assert.ok(await signedInBy(deps, cookie, secret));
  const ids = (await ownSessions(deps, last.signedIn)).map(session => session.id);
  assert.equal(
    ids,
    [last, ...others.reverse()].map(({ session }) => session.id),
    'newest first',
  );
});

test('sign-out, ending by oneself and by an admin: with the next request', async () => {
  const { deps, clock } = portal;
  const one = await portal.operator('Gil');
  const other = await portal.operator('Hal');
  const { id } = one.signedIn.operator;
  const [two, three] = [await begin(deps, id, 'link', FROM), await begin(deps, id, 'link', FROM)];
  await refused('not_found', () => endOwnSession(deps, other.signedIn, two.session.id));
  await endOwnSession(deps, one.signedIn, two.session.id);
  assert.is(await signedInBy(deps, two.cookie, two.secret), null);
  clock.time += 5 * 60_000;
  await refused('step_up_required', () => endOwnSession(deps, one.signedIn, three.session.id));
  await endOwnSession(deps, three.signedIn, three.session.id);
  assert.is(await signedInBy(deps, three.cookie, three.secret), null, 'the own one, without proof');
  await signOut(deps, one.signedIn);
  assert.is(await signedInBy(deps, one.cookie, one.secret), null);
  assert.ok(await signedInBy(deps, other.cookie, other.secret));
  assert.is(await endSessionsOf(deps, other.signedIn.operator.id), 1);
  assert.is(await signedInBy(deps, other.cookie, other.secret), null);
  await refused('not_found', () => endSessionsOf(deps, 'opr_nobody'));
});

test('disabling, roles and removal count with the next request', async () => {
  const { deps, clock } = portal;
  const { cookie, secret, signedIn } = await portal.operator('Ida');
  const { id } = signedIn.operator;
  const team = await createTeam(deps, 'A');
  const roles = async () => (await signedInBy(deps, cookie, secret))?.teams.map(({ role }) => role);
  const owner = await portal.operator('Jan');
  await deps.store.setMember(team.id, owner.signedIn.operator.id, 'owner', clock.time);
  await deps.store.setMember(team.id, id, 'developer', clock.time);
  assert.equal(await roles(), ['developer']);
  await changeRole(deps, team.id, id, 'viewer');
  assert.equal(await roles(), ['viewer']);
  await removeMember(deps, team.id, id);
  assert.equal(await roles(), []);
  await changeOperator(deps, id, { isAdmin: true });
  assert.is((await signedInBy(deps, cookie, secret))?.operator.isAdmin, true);
  await portal.operator('Kim', { admin: true });
  await changeOperator(deps, id, { disabled: true });
  assert.is(await signedInBy(deps, cookie, secret), null);
  await refused('unauthorized', () => begin(deps, id, 'passkey', FROM));
  await changeOperator(deps, id, { disabled: false });
  assert.is(await signedInBy(deps, cookie, secret), null, 'enabling brings no session back');
});

test('neither secret is stored', async () => {
  const { deps } = portal;
  const { cookie, secret, signedIn } = await portal.operator('Lea');
  const all = JSON.stringify([await ownSessions(deps, signedIn), signedIn, await portal.entries()]);
  for (const one of [cookie, secret]) assert.not.ok(all.includes(one));
});

test.run();
