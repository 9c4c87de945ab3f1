/** Health, jobs, signing keys and what everybody may know, through the internal API. */
import * as assert from 'uvu/assert';
import { RIGHTS } from '../../../src/protocol/portal/roles.ts';
import { VERSION } from '../../../src/version.ts';
import { assertError, type Json } from '../../support/client.ts';
import { ask, operatorsFor } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: installation');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

test('health is that of the operators’ address', async () => {
  const admin = await operators.create({ isAdmin: true });
  const answer = await ask(run, 'GET', '/health', { as: admin });
  const shown = (await (await fetch(`${run.portal}/health`)).json()) as Json;
  assert.equal(Object.keys(answer.json), Object.keys(shown));
  assert.equal([answer.json.status, answer.json.problems], [shown.status, shown.problems]);
});

test('a job runs once, and an unknown one is named', async () => {
  const admin = await operators.create({ isAdmin: true });
  const { jobs } = (await ask(run, 'GET', '/jobs', { as: admin })).json;
  assert.ok(jobs.some(({ name }: { name: string }) => name === 'challenges'));
  run.clock.advance(1_000);
  const answer = await ask(run, 'POST', '/jobs/challenges/run', { as: admin });
  assert.equal(answer.json, { job: 'challenges', affected: 0 });
  const after = (await ask(run, 'GET', '/jobs', { as: admin })).json.jobs;
  const { last_run } = after.find(({ name }: { name: string }) => name === 'challenges');
  assert.is(last_run, new Date(run.clock.now()).toISOString());
  assertError(await ask(run, 'POST', '/jobs/none/run', { as: admin }), 'not_found');
});

test('the signing key is rotated, and not twice', async () => {
  const admin = await operators.create({ isAdmin: true });
  const rotated = await ask(run, 'POST', '/signing-keys/rotate', { as: admin });
  assert.is(rotated.status, 201, rotated.text);
  const { signing_keys } = (await ask(run, 'GET', '/signing-keys', { as: admin })).json;
  assert.equal(
    signing_keys.map(({ status }: { status: string }) => status),
    ['current', 'next'],
  );
  assert.is(signing_keys[1].kid, rotated.json.signing_key.kid);
  assertError(await ask(run, 'POST', '/signing-keys/rotate', { as: admin }), 'too_soon');
});

test('rights, plans and version are known to everybody who is signed in', async () => {
  const as = await operators.create();
  assert.equal((await ask(run, 'GET', '/roles', { as })).json.rights, RIGHTS);
  assert.equal((await ask(run, 'GET', '/plans', { as })).json.plans[0], {
    ...{ name: 'free', monthly_auths: 1_000, live_keys: 3, test_keys: 3 },
  });
  const about = (await ask(run, 'GET', '/about', { as })).json;
  assert.equal([about.version, about.api_url, about.portal_url], [VERSION, run.base, run.portal]);
  assert.is(about.commit, null, 'this runs from source');
  assert.equal((await ask(run, 'GET', '/licences', { as })).json, { licences: null });
});

test.run();
