/** The order of the checks of a request: whatever is wrong with it later, the earlier refusal is answered. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { HOUR, MINUTE } from '../../../src/protocol/limits.ts';
import { assertError } from '../../support/client.ts';
import { ask, credentials, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { setupFor } from './setup.ts';

const test = suite('internal: order of checks');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const setup = setupFor(test, operators);
const malformed = { raw: '{', type: 'application/json' };

test('Host, media type, session, object, right, step-up, body, and the right that the body asks for', async () => {
  const { team, app } = setup.own;
  const support = await operators.create({ teams: { [team]: 'support' } });
  const developer = await operators.create({ teams: { [team]: 'developer' } });
  const owner = await operators.create({ teams: { [team]: 'owner' } });
  run.clock.advance(5 * MINUTE);
  const keys = `/apps/${app}/keys`;
  const foreign = await ask(run, 'POST', keys, {
    raw: '{',
    type: 'text/plain',
    headers: { host: 'evil.example' },
  });
  assertError(foreign, 'origin_not_allowed');
  assertError(await ask(run, 'POST', keys, { raw: '{', type: 'text/plain' }), 'unsupported_media_type');
  assertError(await ask(run, 'POST', keys, malformed), 'unauthorized');
  const other = `/apps/${setup.other.app}/keys`;
  assertError(await ask(run, 'POST', other, { ...malformed, as: developer }), 'not_found');
  assertError(await ask(run, 'POST', keys, { ...malformed, as: support }), 'forbidden');
  assertError(await ask(run, 'POST', keys, { ...malformed, as: developer }), 'invalid_request');
  assertError(
    await ask(run, 'POST', keys, { as: developer, json: { type: 'any', mode: 'live' } }),
    'invalid_request',
  );
  const json = { type: 'secret', mode: 'live' };
  assertError(await ask(run, 'POST', keys, { as: developer, json }), 'forbidden');
  assertError(await ask(run, 'POST', keys, { as: owner, json }), 'step_up_required');
  assertError(await ask(run, 'DELETE', `/apps/${app}`, { ...malformed, as: owner }), 'step_up_required');
});

test('own passkeys, codes and sessions ask for a step-up before the body is read', async () => {
  const session = await operators.create();
  run.clock.advance(5 * MINUTE);
  for (const [method, path] of [
    ['POST', '/passkeys/options'],
    ['POST', '/passkeys'],
    ['PATCH', '/passkeys/psk_x'],
    ['DELETE', '/passkeys/psk_x'],
    ['POST', '/recovery-codes'],
    ['DELETE', '/sessions/ses_x'],
  ] as const)
    assertError(await ask(run, method, path, { ...malformed, as: session }), 'step_up_required', path);
});

/** Sends the headers and half of the body, then what `meanwhile` does, then the rest. */
async function slowly(
  method: string,
  path: string,
  as: Session,
  json: object,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; text: string }> {
  const { host, port } = new URL(run.portal);
  const body = JSON.stringify(json);
  const headers = {
    host,
    ...credentials(as),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    expect: '100-continue',
  };
  const sending = request({
    host: '127.0.0.1',
    port,
    method,
    path: `/internal${path}`,
    headers,
    agent: false,
  });
  const answered = once(sending, 'response');
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write(body.slice(0, 1));
  // An answer to a later request: the checks before the body of this one are over.
  for (let i = 0; i < 5; i++) await ask(run, 'GET', '/session', { as });
  await meanwhile();
  sending.end(body.slice(1));
  const [answer] = await answered;
  return { status: answer.statusCode, text: await text(answer) };
}

test('what ended while the body arrived counts: a membership, a session, the state of the app', async () => {
  const { team, app } = setup.own;
  const owner = await operators.create({ teams: { [team]: 'owner' } });
  const removed = await operators.create({ teams: { [team]: 'owner' } });
  const invitation = { email: 'back@mail.example', role: 'owner' };
  const invited = await slowly('POST', `/teams/${team}/invitations`, removed, invitation, () =>
    ask(run, 'DELETE', `/teams/${team}/members/${removed.id}`, { as: owner }),
  );
  assert.is(invited.status, 404, invited.text);

  const developer = await operators.create({ teams: { [team]: 'developer' } });
  const signedOut = await slowly('PATCH', `/apps/${app}`, developer, { name: 'Late' }, () =>
    ask(run, 'DELETE', '/session', { as: developer }),
  );
  assert.is(signedOut.status, 401, signedOut.text);

  const other = await operators.create({ teams: { [team]: 'developer' } });
  const firstParty = (value: boolean) =>
    ask(run, 'PATCH', `/apps/${app}`, { as: owner, json: { first_party: value } });
  assert.is((await firstParty(true)).status, 200);
  const restored = await slowly('PATCH', `/apps/${app}`, other, { first_party: true }, () =>
    firstParty(false),
  );
  assert.is(restored.status, 403, restored.text);
});

test('messages name the field and the fix', async () => {
  const owner = await operators.create({ teams: { [setup.own.team]: 'owner' } });
  const patch = async (json: object) =>
    (await ask(run, 'PATCH', `/apps/${setup.own.app}`, { as: owner, json })).json.error.message;
  assert.is(await patch({ name: '' }), 'name: must have 1 to 100 characters');
  assert.is(await patch({ first_party: 'yes' }), 'first_party: must be true or false');
  assert.match(await patch({ allowed_origins: ['https://*.example'] }), /^allowed_origins: .*wildcard/);
});

test('600 requests a minute and session, and what is refused for that is not counted elsewhere', async () => {
  const session = await operators.create();
  const path = '/session';
  const answers = await Promise.all(
    Array.from({ length: 700 }, () => ask(run, 'GET', path, { as: session })),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 600);
  const refused = await ask(run, 'GET', path, { as: session });
  assertError(refused, 'rate_limited');
  assert.is(refused.headers['retry-after'], '60');
  assert.is((await ask(run, 'GET', path, { as: await operators.signIn(session.id) })).status, 200);
  run.clock.advance(MINUTE);
  assert.is((await ask(run, 'GET', path, { as: session })).status, 200);
  run.clock.advance(HOUR);
});

test.run();
