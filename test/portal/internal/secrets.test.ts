/**
 * Keys, links, session secrets, recovery codes and what people typed are found where they belong, and nowhere else:
 * not in the log, not in the audit log, not in a URL, and of secrets nothing but hashes in the database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createAuthenticator } from '../../support/authenticator.ts';
import { enrolled } from '../../support/client.ts';
import { ask, begunBy, cookiesOf, operatorsFor } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { placeIn } from './setup.ts';

const test = suite('internal: secrets');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

test('secrets are in no log and not in the database, people not in the audit log', async () => {
  const { token, url } = await operators.link({ makesAdmin: true });
  assert.ok(url.endsWith(`/link#${token}`), 'only in the fragment, which browsers send to no server');
  const json = { token, name: 'Marker Operator', email: 'operator-marker@mail.example' };
  const admin = begunBy(await ask(run, 'POST', '/links/redeem', { json }));
  const { team, app } = await placeIn(operators, 'Markers');
  const { codes } = (await ask(run, 'POST', '/recovery-codes', { as: admin })).json;
  const options = await ask(run, 'POST', '/passkeys/options', { as: admin });
  const [browser = ''] = Object.values(cookiesOf(options));
  const authenticator = createAuthenticator(run.portal);
  const cookie = `svc_portal=${admin.cookie}; svc_portal_challenge=${browser}`;
  const credential = authenticator.register(options.json.options);
  await ask(run, 'POST', '/passkeys', { as: admin, headers: { cookie }, json: { credential } });
  const made = await ask(run, 'POST', `/apps/${app}/keys`, {
    as: admin,
    json: { type: 'secret', mode: 'live' },
  });
  const roll = `/apps/${app}/keys/${made.json.key.id}/roll`;
  const rolled = await ask(run, 'POST', roll, { as: admin, json: { ends_in_seconds: 3_600 } });
  const body = { email: 'invited-marker@mail.example', role: 'viewer' };
  const invited = await ask(run, 'POST', `/teams/${team}/invitations`, { as: admin, json: body });
  const other = await operators.create();
  const link = await ask(run, 'POST', `/operators/${other.id}/link`, { as: admin });
  const guestApp = await run.createApp();
  const { user } = await enrolled(run, guestApp, {
    fields: { email: 'end-user-marker@mail.example', name: 'Endmarker' },
  });
  const people = `/apps/${guestApp.id}/live/users`;
  for (const path of [people, `${people}?email=end-user-marker@mail.example`, `${people}?contains=Endmarker`])
    await ask(run, 'GET', path, { as: admin });
  for (const path of [`${people}/${user.id}`, `${people}/${user.id}/export`, `${people}.csv`])
    await ask(run, 'GET', path, { as: admin });
  await ask(run, 'GET', `${people}/${user.id}`, { headers: { cookie: `svc_portal=${admin.cookie}` } });

  const secrets = [token, admin.cookie, admin.secret, browser, ...codes, options.json.options.challenge];
  secrets.push(made.json.key.key, rolled.json.key.key, invited.json.link.token, link.json.link.token);
  const personal = ['end-user-marker', 'Endmarker', user.id];
  const logged = run.logs.join('\n');
  assert.ok(logged.length > 0);
  const rows = JSON.stringify(run.rows('SELECT * FROM audit_log'));
  assert.match(rows, /Marker Operator/, 'operators stand there by name');
  for (const secret of secrets) {
    assert.ok(typeof secret === 'string' && secret.length >= 20, String(secret));
    assert.not(logged.includes(secret), 'log');
    assert.not(rows.includes(secret), 'audit log');
  }
  for (const marker of personal) {
    assert.not(rows.includes(marker), `audit log: ${marker}`);
    assert.not(logged.includes(marker), `log: ${marker}`);
  }
  const stored = readdirSync(run.dataDir)
    .filter(name => name.includes('.db'))
    .map(name => readFileSync(join(run.dataDir, name), 'latin1'))
    .join('');
  assert.ok(stored.includes('Marker Operator'), 'this would find it');
  // The challenge has to be compared, and is deleted when it is used.
  for (const secret of secrets.filter(one => one !== options.json.options.challenge))
    assert.not(stored.includes(secret as string), 'database');
});

test.run();
