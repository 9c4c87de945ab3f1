/** What `/metrics` does not do: grow with what callers send, tell of a person, begin anew when asked, go undocumented. */
import * as assert from 'uvu/assert';
import { JOBS } from '../../src/jobs/jobs.ts';
import { call, challenge, enrolled, server, soon } from '../support/client.ts';
import { requestCode } from '../support/codes.ts';
import { type Exposition, parseMetrics } from '../support/prometheus.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('metrics: bounds');
const P = 'face_sign_in_';
const run = serviceFor(test);
const app = appFor(test, run);

const text = async (): Promise<string> => (await fetch(`${run.portal}/metrics`)).text();
const look = async (): Promise<Exposition> => parseMetrics(await text());

test('a storm of requests on random paths, by random callers, makes no more series than one of them', async () => {
  const noise = () => Math.random().toString(36).slice(2);
  const storm = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await call(run, 'GET', `/${noise()}/${noise()}`);
      await call(run, 'GET', `/v1/users/usr_${noise()}`, { headers: server(app) });
      await call(run, 'POST', `/v1/${noise()}`, {
        headers: { 'x-svc-key': noise(), origin: `https://${noise()}.example` },
      });
      await call(run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${noise()}` } });
    }
  };
  const names = async () => [...(await look()).series.keys()].filter(key => key.startsWith(P)).sort();
  // A job has its series once it has run, which is a matter of time and not of requests.
  const ran = async () => (await names()).filter(key => key.startsWith(`${P}job_last_run_`)).length;
  await soon(async () => (await ran()) === JOBS.length, 'the first run of every job', 10_000);
  await storm(1);
  const before = await names();
  await storm(50);
  assert.equal(await names(), before);
});

test('two scrapers see the same: nothing begins anew because somebody has asked', async () => {
  const first = await look();
  const second = await look();
  for (const [key, value] of first.series) {
    const [name = ''] = key.split('{');
    const type = second.families.get(name.replace(/_(bucket|sum|count)$/, '')) ?? second.families.get(name);
    if (type !== 'gauge') assert.ok((second.series.get(key) ?? -1) >= value, key);
  }
});

test('no key, email, name, user, token, challenge or address is shown', async () => {
  const person = { email: 'mary.somerville@example.com', name: 'Mary Somerville' };
  const there = await run.createApp({ name: 'Somerville App' });
  const { user, token } = await enrolled(run, there, { fields: person, ip: '203.0.113.77' });
  const { challenge_id: id } = await challenge(run, there);
  await requestCode(run, there, person.email);
  const found = await text();
  const keys = [there.live, there.test].flatMap(({ pk, sk }) => [pk, sk]);
  for (const secret of [
    ...keys,
    user.id,
    token,
    id,
    person.email,
    'Somerville',
    '203.0.113.77',
    '127.0.0.1',
    run.dataDir,
  ])
    assert.not.ok(found.includes(secret), secret);
});

test('each family of the service explains itself', async () => {
  const found = await text();
  const own = [...(await look()).families.keys()].filter(name => name.startsWith(P));
  assert.ok(own.length > 40);
  for (const name of own) assert.match(found, new RegExp(`^# HELP ${name} .{10}`, 'm'));
});

test.run();
