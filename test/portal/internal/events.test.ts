/** Events through the internal API: newest first, to older ones, to newer ones, and filtered. */
import * as assert from 'uvu/assert';
import { iso } from '../../../src/protocol/time.ts';
import { assertError, enrolled, faces, type Json, match } from '../../support/client.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { appFor, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: events');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const app = appFor(test, run);
let admin: Session;
let person: string;

test.before(async () => {
  admin = await operators.create({ isAdmin: true });
  person = (await enrolled(run, app)).user.id;
});

const events = async (query = '', mode = 'live'): Promise<Json> => {
  const answer = await ask(run, 'GET', `/apps/${app.id}/${mode}/events?${query}`, { as: admin });
  assert.is(answer.status, 200, answer.text);
  return answer.json;
};
const typesOf = (page: Json) => page.events.map(({ type }: { type: string }) => type);

async function signIns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    run.clock.advance(1_000);
    await match(run, app, { descriptors: [faces.genuine(0, i)] });
  }
}

test('newest first, then older ones, and what came since', async () => {
  const start = await events();
  assert.equal(typesOf(start), ['enroll']);
  assert.is(start.before, null);
  await signIns(52);
  const newest = await events();
  assert.is(newest.events.length, 50);
  const older = await events(`before=${newest.before}`);
  assert.equal([typesOf(older), older.before], [['match', 'match', 'enroll'], null]);
  const since = await events(`after=${start.after}`);
  assert.is(since.events.length, 50, 'the oldest of the newer ones');
  const rest = await events(`after=${since.after}`);
  assert.equal(typesOf(rest), ['match', 'match']);
  const none = await events(`after=${rest.after}`);
  assert.equal([none.events, none.after], [[], rest.after]);
  const all = [...rest.events, ...since.events, ...start.events].map(({ id }) => id);
  assert.equal(
    all,
    [...newest.events, ...older.events].map(({ id }) => id),
  );
});

test('an empty list can be followed from its beginning', async () => {
  const empty = await events('', 'test');
  assert.equal([empty.events, empty.before], [[], null]);
  assert.equal((await events(`after=${empty.after}`, 'test')).events, []);
});

test('by type, person and time', async () => {
  const [first] = (await events('type=enroll')).events;
  assert.is(first.user_id, person);
  assert.ok((await events(`user=${person}`)).events.length > 0);
  assert.equal((await events('user=usr_none')).events, []);
  assert.equal(typesOf(await events(`until=${iso(run.clock.now() - 3_000_000)}`)), []);
  assert.ok((await events(`since=${iso(run.clock.now()).slice(0, 10)}`)).events.length > 0);
  for (const query of ['type=none', 'since=yesterday', 'until=2026-13-01', 'before=x', 'after=x'])
    assertError(
      await ask(run, 'GET', `/apps/${app.id}/live/events?${query}`, { as: admin }),
      'invalid_request',
    );
});

test('a cursor belongs to its app and mode', async () => {
  const { after } = await events();
  const answer = await ask(run, 'GET', `/apps/${app.id}/test/events?after=${after}`, { as: admin });
  assertError(answer, 'invalid_request');
});

test.run();
