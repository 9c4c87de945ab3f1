/** One-time links and invitations: whom they sign in, whom never, and how often. */
import * as assert from 'uvu/assert';
import { invite } from '../../../src/domain/access/invitations.ts';
import { COMMAND_LINE, LINK_LIFETIME, makeLink, redeemLink } from '../../../src/domain/access/links.ts';
import { changeOperator, linkByCommand, linkFor } from '../../../src/domain/access/operators.ts';
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
  assert.is((await deps.store.listOperators({ id }))[0]?.isAdmin, false);
  await changeOperator(deps, id, { email: 'ole@example.com' });
  const promoted = await linkByCommand(deps, 'root', 'ole@example.com', { ...admin, promotes: true });
  assert.is(promoted.operator?.isAdmin, true);
  assert.is((await deps.store.listOperators({ id }))[0]?.isAdmin, true);
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
