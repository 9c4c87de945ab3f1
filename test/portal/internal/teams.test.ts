/** Teams, members, invitations and operators through the internal API. */
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../../src/ports/store.ts';
import { DAY } from '../../../src/protocol/limits.ts';
import { assertError, type Json } from '../../support/client.ts';
import { ask, begunBy, operatorsFor } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { placeIn, setupFor } from './setup.ts';

const test = suite('internal: teams');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const setup = setupFor(test, operators);

test('admins create, rename and delete teams; one with apps, and the first one, stay', async () => {
  const admin = await operators.create({ isAdmin: true });
  const made = await ask(run, 'POST', '/teams', { as: admin, json: { name: ' Shop ' } });
  assert.is(made.status, 201, made.text);
  const { team } = made.json;
  assert.is(team.name, 'Shop');
  const path = `/teams/${team.id}`;
  assert.is((await ask(run, 'PATCH', path, { as: admin, json: { name: 'Till' } })).json.team.name, 'Till');
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(101), 'Bo\u202ess', 'Boss\u200b', '\ufeffBo\ufeffss'])
    for (const [method, at] of [
      ['POST', '/teams'],
      ['PATCH', path],
    ] as const)
      assertError(await ask(run, method, at, { as: admin, json: { name } }), 'invalid_request', name);
  assert.is((await ask(run, 'DELETE', path, { as: admin })).status, 204);
  assertError(await ask(run, 'GET', path, { as: admin }), 'not_found');
  assertError(await ask(run, 'DELETE', `/teams/${FIRST_TEAM}`, { as: admin }), 'invalid_request');
  assertError(await ask(run, 'DELETE', `/teams/${setup.own.team}`, { as: admin }), 'invalid_request');
});

test('an invitation makes a member, whose open tab is refused once they are removed', async () => {
  const owner = await operators.create({ teams: { [setup.own.team]: 'owner' } });
  const path = `/teams/${setup.own.team}`;
  const json = { email: 'new@mail.example', role: 'developer' };
  const invited = await ask(run, 'POST', `${path}/invitations`, { as: owner, json });
  assert.is(invited.status, 201, invited.text);
  assert.is(invited.json.link.purpose, 'invitation');
  const open = await ask(run, 'GET', `${path}/invitations`, { as: owner });
  assert.equal(open.json.invitations, [invited.json.invitation]);
  const { token } = invited.json.link;
  const member = begunBy(await ask(run, 'POST', '/links/redeem', { json: { token, name: 'New' } }));
  assert.is((await ask(run, 'GET', `/apps/${setup.own.app}`, { as: member })).status, 200);
  const of = `${path}/members/${member.id}`;
  assert.is(
    (await ask(run, 'PATCH', of, { as: owner, json: { role: 'viewer' } })).json.member.role,
    'viewer',
  );
  assertError(
    await ask(run, 'PATCH', `/apps/${setup.own.app}`, { as: member, json: { name: 'x' } }),
    'forbidden',
    'with the next request',
  );
  assert.is((await ask(run, 'DELETE', of, { as: owner })).status, 204);
  assertError(await ask(run, 'GET', `/apps/${setup.own.app}`, { as: member }), 'not_found');
});

test('a withdrawn invitation does not work, and one of another team is not withdrawn', async () => {
  const owner = await operators.create({ teams: { [setup.own.team]: 'owner' } });
  const stranger = await operators.create({ teams: { [setup.other.team]: 'owner' } });
  const json = { email: 'withdrawn@mail.example', role: 'viewer' };
  const { invitation, link } = (
    await ask(run, 'POST', `/teams/${setup.own.team}/invitations`, { as: owner, json })
  ).json;
  const elsewhere = `/teams/${setup.other.team}/invitations/${invitation.id}`;
  assertError(await ask(run, 'DELETE', elsewhere, { as: stranger }), 'not_found');
  const own = `/teams/${setup.own.team}/invitations/${invitation.id}`;
  assert.is((await ask(run, 'DELETE', own, { as: owner })).status, 204);
  const redeem = { token: link.token, name: 'Late' };
  assertError(await ask(run, 'POST', '/links/redeem', { json: redeem }), 'link_used');
});

test('a team makes 20 invitations a day', async () => {
  const owner = await operators.create({ teams: { [setup.other.team]: 'owner' } });
  const invite = (i: number) =>
    ask(run, 'POST', `/teams/${setup.other.team}/invitations`, {
      as: owner,
      json: { email: `guest-${i}@mail.example`, role: 'viewer' },
    });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => invite(i)));
  assert.is(answers.filter(({ status }) => status === 201).length, 20);
  const refused = answers.find(({ status }) => status !== 201) as Json;
  assertError(refused, 'rate_limited');
  assert.is(Number(refused.headers['retry-after']), (DAY - (run.clock.now() % DAY)) / 1_000);
});

test('the last owner and the last admin stay', async () => {
  const { team } = await placeIn(operators, 'Last');
  const owner = await operators.create({ teams: { [team]: 'owner' } });
  const path = `/teams/${team}/members/${owner.id}`;
  assertError(await ask(run, 'PATCH', path, { as: owner, json: { role: 'viewer' } }), 'last_owner');
  assertError(await ask(run, 'DELETE', path, { as: owner }), 'last_owner');
  const admin = await operators.create({ isAdmin: true });
  for (const { id, is_admin } of (await ask(run, 'GET', '/operators', { as: admin })).json.operators)
    if (is_admin && id !== admin.id)
      await ask(run, 'PATCH', `/operators/${id}`, { as: admin, json: { is_admin: false } });
  for (const json of [{ is_admin: false }, { disabled: true }])
    assertError(await ask(run, 'PATCH', `/operators/${admin.id}`, { as: admin, json }), 'last_admin');
});

test('an admin disables an operator, makes a link for another, and ends their sessions', async () => {
  const admin = await operators.create({ isAdmin: true });
  const someone = await operators.create();
  const link = await ask(run, 'POST', `/operators/${someone.id}/link`, { as: admin });
  assert.is(link.status, 201, link.text);
  assert.match(link.json.link.url, new RegExp(`^${run.portal}/link#[\\w-]{43}$`));
  const { token } = link.json.link;
  const recovered = begunBy(await ask(run, 'POST', '/links/redeem', { json: { token } }));
  assert.is(recovered.id, someone.id);
  assert.is((await ask(run, 'DELETE', `/operators/${someone.id}/sessions`, { as: admin })).status, 204);
  assertError(await ask(run, 'GET', '/session', { as: recovered }), 'unauthorized');
  const again = await operators.signIn(someone.id);
  const path = `/operators/${someone.id}`;
  const email = 'changed@mail.example';
  const moved = await ask(run, 'PATCH', path, { as: admin, json: { email } });
  assert.equal([moved.json.operator.email, moved.json.operator.invited_by], [email, 'command line']);
  assert.is(Date.parse(moved.json.operator.email_changed_at), run.clock.now());
  const taken = { email: email.toUpperCase() };
  const other = await operators.create();
  assertError(await ask(run, 'PATCH', `/operators/${other.id}`, { as: admin, json: taken }), 'email_taken');
  const own = `/operators/${admin.id}`;
  assertError(await ask(run, 'PATCH', own, { as: admin, json: { email: 'x@mail.example' } }), 'forbidden');
  const disabled = await ask(run, 'PATCH', path, { as: admin, json: { disabled: true } });
  assert.ok(disabled.json.operator.disabled_at);
  assertError(await ask(run, 'GET', '/session', { as: again }), 'unauthorized');
  assertError(await ask(run, 'POST', `${path}/link`, { as: admin }), 'invalid_request');
});

test.run();
