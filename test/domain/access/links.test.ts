/** One-time links and invitations: whom they sign in, whom never, and how often. */
import * as assert from 'uvu/assert';
import { invitationsOf, invite, withdrawInvitation } from '../../../src/domain/access/invitations.ts';
import {
  COMMAND_LINE,
  INVITATION_LIFETIME,
  LINK_LIFETIME,
  makeLink,
  purposeOf,
  redeemLink,
} from '../../../src/domain/access/links.ts';
import { changeOperator, linkByCommand, linkFor } from '../../../src/domain/access/operators.ts';
import { signedInBy } from '../../../src/domain/access/sessions.ts';
import { createTeam } from '../../../src/domain/access/teams.ts';
import { newToken, tokenHash } from '../../../src/domain/access/tokens.ts';
import { inUtc } from '../../../src/protocol/time.ts';
import { suite } from '../../support/suite.ts';
import { client, portalFor, refused } from './operated.ts';

const test = suite('operators: links');
const portal = portalFor(test);
let addresses = 0;
/** An address of which nothing is counted yet. */
const anywhere = () => client(`203.0.113.${++addresses}`);
const open = { makesAdmin: false, madeBy: COMMAND_LINE, lifetime: LINK_LIFETIME };

test('an open link creates an operator, who says name and address, and signs them in', async () => {
  const { deps } = portal;
  const { token, url, record } = await makeLink(deps, { ...open, makesAdmin: true });
  assert.match(token, /^[\w-]{43}$/);
  assert.is(url, `http://localhost:8081/link#${token}`);
  assert.is(record.expiresAt - record.createdAt, 30 * 60_000);
  assert.is(purposeOf(record), 'new_operator');
  await refused('invalid_request', () => redeemLink(deps, anywhere(), { token }, null), 'no address');
  const noName = await refused('invalid_request', () =>
    redeemLink(deps, anywhere(), { token, email: 'ada@example.com' }, null),
  );
  assert.match(noName.message, /^name is required/);
  for (const [field, value] of [
    ['name', ' Ada'],
    ['name', ''],
    ['name', 'A\nB'],
    ['email', 'ada@example'],
  ]) {
    const sent = { token, name: 'Ada', email: 'ada@example.com', [field as string]: value };
    const { message } = await refused('invalid_request', () => redeemLink(deps, anywhere(), sent, null));
    assert.ok(message.startsWith(`${field} must be`), message);
  }
  const sent = { token, name: 'Ada', email: ' ada@example.com ' };
  const { begun, operator } = await redeemLink(deps, anywhere(), sent, null);
  assert.equal(
    [operator.operator.name, operator.operator.email, operator.operator.isAdmin],
    ['Ada', 'ada@example.com', true],
  );
  const found = await signedInBy(deps, begun?.cookie, begun?.secret);
  assert.is(found?.operator.id, operator.operator.id);
  await refused('link_used', () => redeemLink(deps, anywhere(), sent, null), 'a second time');
});

test('200 at once: one gets in', async () => {
  const { deps } = portal;
  const { token } = await makeLink(deps, open);
  const sent = { token, name: 'Once', email: 'once@example.com' };
  const all = await Promise.allSettled(
    Array.from({ length: 200 }, () => redeemLink(deps, anywhere(), sent, null)),
  );
  assert.is(all.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const one of all) if (one.status === 'rejected') assert.is(one.reason.code, 'link_used');
});

test('unknown, malformed, late and withdrawn links, and those of a disabled operator: one answer', async () => {
  const { deps, clock } = portal;
  const late = await makeLink(deps, open);
  const { signedIn } = await portal.operator('Dora');
  const ofDisabled = await linkFor(deps, signedIn.operator.id, COMMAND_LINE);
  await changeOperator(deps, signedIn.operator.id, { disabled: true });
  await refused('invalid_request', () => linkFor(deps, signedIn.operator.id, COMMAND_LINE));
  clock.time += LINK_LIFETIME;
  const messages = new Set<string>();
  for (const token of [newToken(deps.random), 'x', `${late.token}A`, '', late.token, ofDisabled.token]) {
    const sent = { token, name: 'Eve', email: 'eve@example.com' };
    messages.add((await refused('link_used', () => redeemLink(deps, anywhere(), sent, null), token)).message);
  }
  assert.is(messages.size, 1);
});

test('a token is accepted in its canonical encoding only, and only its hash is stored', async () => {
  const { deps } = portal;
  const token = 'A'.repeat(42);
  assert.ok(tokenHash(`${token}A`));
  assert.is(tokenHash(`${token}B`), null, 'bits beyond the last byte');
  const { record, token: kept } = await makeLink(deps, open);
  assert.not.ok(JSON.stringify(record).includes(kept));
});

test('a link of an operator signs in again, and is a step-up in their own session', async () => {
  const { deps } = portal;
  const first = await portal.operator('Finn');
  const { token, record } = await linkFor(deps, first.signedIn.operator.id, COMMAND_LINE);
  assert.is(purposeOf(record), 'sign_in');
  const { begun } = await redeemLink(deps, anywhere(), { token }, first.signedIn);
  assert.ok(begun);
  assert.is(begun.signedIn.operator.id, first.signedIn.operator.id);
  assert.is(await signedInBy(deps, first.cookie, first.secret), null, 'the session before has ended');
});

test('a new link of an operator replaces the one before', async () => {
  const { deps } = portal;
  const { signedIn } = await portal.operator('Gus');
  const before = await linkFor(deps, signedIn.operator.id, COMMAND_LINE);
  const after = await linkFor(deps, signedIn.operator.id, COMMAND_LINE);
  await refused('link_used', () => redeemLink(deps, anywhere(), { token: before.token }, null));
  assert.ok((await redeemLink(deps, anywhere(), { token: after.token }, null)).begun);
});

test('an open link with the address of an operator: email_taken, and the link still works', async () => {
  const { deps } = portal;
  await portal.operator('Hal', { admin: true });
  const { token } = await makeLink(deps, open);
  await refused('email_taken', () =>
    redeemLink(deps, anywhere(), { token, name: 'Eve', email: 'HAL@example.com' }, null),
  );
  const sent = { token, name: 'Eve', email: 'eve2@example.com' };
  assert.is((await redeemLink(deps, anywhere(), sent, null)).operator.operator.isAdmin, false);
});

test('an invitation never signs in an operator who exists', async () => {
  const { deps } = portal;
  const owner = await portal.operator('Ida', { admin: true });
  const victim = await portal.operator('Jan', { admin: true });
  const other = await portal.operator('Kim');
  const team = await createTeam(deps, 'Shop');
  const { token, record } = await invite(deps, owner.signedIn, team.id, {
    email: 'JAN@example.com',
    role: 'viewer',
  });
  assert.is(record.expiresAt - record.createdAt, INVITATION_LIFETIME);
  assert.is(purposeOf(record), 'invitation');
  await refused('sign_in_first', () => redeemLink(deps, anywhere(), { token, name: 'Eve' }, null));
  await refused('sign_in_first', () => redeemLink(deps, anywhere(), { token }, other.signedIn));
  const { begun, operator } = await redeemLink(deps, anywhere(), { token }, victim.signedIn);
  assert.is(begun, null, 'the session goes on');
  assert.equal(
    operator.teams.map(({ id, role }) => [id, role]),
    [[team.id, 'viewer']],
  );
  await refused('link_used', () => redeemLink(deps, anywhere(), { token }, victim.signedIn));
});

test('an invitation creates an operator with its own address, whatever they say, and no admin', async () => {
  const { deps } = portal;
  const owner = await portal.operator('Lea', { admin: true });
  const team = await createTeam(deps, 'Club');
  const { token } = await invite(deps, owner.signedIn, team.id, { email: 'mo@example.com', role: 'support' });
  const sent = { token, name: 'Mo', email: 'else@example.com' };
  const { operator } = await redeemLink(deps, anywhere(), sent, null);
  assert.equal([operator.operator.email, operator.operator.isAdmin], ['mo@example.com', false]);
  assert.equal(
    operator.teams.map(({ role }) => role),
    ['support'],
  );
});

test('invitations are listed without their link, replaced by a new one, and withdrawn', async () => {
  const { deps } = portal;
  const { signedIn } = await portal.operator('Nia', { admin: true });
  const team = await createTeam(deps, 'List');
  const send = (email: string) => invite(deps, signedIn, team.id, { email, role: 'viewer' });
  const [first, , third] = [
    await send('a@example.com'),
    await send('b@example.com'),
    await send('A@example.com'),
  ];
  const listed = await invitationsOf(deps, team.id);
  assert.equal(listed.map(({ email }) => email).sort(), ['A@example.com', 'b@example.com']);
  await refused('link_used', () => redeemLink(deps, anywhere(), { token: first.token, name: 'A' }, null));
  await refused('not_found', () => withdrawInvitation(deps, 'team_other', third.record.id));
  await withdrawInvitation(deps, team.id, third.record.id);
  await refused('link_used', () => redeemLink(deps, anywhere(), { token: third.token, name: 'A' }, null));
  await refused('not_found', () => withdrawInvitation(deps, team.id, third.record.id));
  await refused('invalid_request', () =>
    invite(deps, signedIn, team.id, { email: 'c@example.com', role: 'admin' }),
  );
});

test('the command line: for an operator, for a new one, for anybody; only --promote promotes', async () => {
  const { deps } = portal;
  const { signedIn } = await portal.operator('Ole');
  const { id } = signedIn.operator;
  const plain = await linkByCommand(deps, 'root', 'OLE@example.com', { makesAdmin: false });
  assert.equal([plain.operator?.id, plain.record.operatorId, plain.operator?.isAdmin], [id, id, false]);
  const admin = { makesAdmin: true };
  // Ole may have taken the address of the next admin; only what he did not write himself shows it.
  const { signedIn: boss } = await portal.operator('Boss', { admin: true });
  await changeOperator(deps, id, { email: 'next@example.com' }, boss.operator.id);
  const { message } = await refused('invalid_request', () =>
    linkByCommand(deps, 'root', 'next@example.com', admin),
  );
  const [, changed] = /address changed (.*)\. If this/.exec(message) ?? [];
  assert.is(changed, inUtc(portal.clock.time), message);
  assert.ok(
    message.includes(`${id}, Ole <next@example.com>, since `) && message.includes('invited by '),
    message,
  );
  assert.is((await deps.store.findOperator(id))?.isAdmin, false);
  await changeOperator(deps, id, { email: 'ole@example.com' });
  const promoted = await linkByCommand(deps, 'root', 'ole@example.com', { ...admin, promotes: true });
  assert.is(promoted.operator?.isAdmin, true);
  assert.is((await deps.store.findOperator(id))?.isAdmin, true);
  const fresh = await linkByCommand(deps, 'root', 'pia@example.com', admin);
  const { operator } = await redeemLink(deps, anywhere(), { token: fresh.token, name: 'Pia' }, null);
  assert.equal([operator.operator.email, operator.operator.isAdmin], ['pia@example.com', true]);
  await refused('invalid_request', () => linkByCommand(deps, 'root', 'no address', admin));
  const kept = (await portal.entries()).filter(({ actor }) => actor === 'command line (root)');
  assert.equal(
    kept.map(({ action, target, outcome }) => [action, target, outcome]),
    [
      ['operator.link', id, 'ok'],
      ['operator.promote', id, 'ok'],
      ['operator.link', id, 'ok'],
      ['operator.link', null, 'ok'],
    ],
  );
});

test('ten failed links an address in 15 minutes; links that work still do', async () => {
  const { deps, clock } = portal;
  const owner = await portal.operator('Quin', { admin: true });
  const from = anywhere();
  const guess = () => redeemLink(deps, from, { token: newToken(deps.random) }, null);
  const all = await Promise.allSettled(Array.from({ length: 100 }, guess));
  const codes = all.map(one => (one.status === 'rejected' ? one.reason.code : 'ok'));
  assert.is(codes.filter(code => code === 'link_used').length, 10);
  assert.is(codes.filter(code => code === 'rate_limited').length, 90);
  const { retryAfter } = await refused('rate_limited', guess);
  assert.is(retryAfter, 15 * 60_000);
  const team = await createTeam(deps, 'Limited');
  const invited = await invite(deps, owner.signedIn, team.id, { email: 'r@example.com', role: 'viewer' });
  const accept = () => redeemLink(deps, from, { token: invited.token, name: 'R' }, null);
  assert.ok((await accept()).begun, 'an invitation');
  const { token } = await linkFor(deps, owner.signedIn.operator.id, COMMAND_LINE);
  assert.ok((await redeemLink(deps, from, { token }, null)).begun, 'a link of the command line');
  await refused('rate_limited', accept, 'used');
  clock.time += 15 * 60_000;
  await refused('link_used', accept, 'later');
});

test.run();
