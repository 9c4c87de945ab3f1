/** Events on their way to the servers of an app, from a running service. */
import * as assert from 'uvu/assert';
import { call, server } from '../support/client.ts';
import { addOperator } from '../support/operator.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { deliveriesOf, isSigned, newcomer, receiver, until, webhookTo, withStore } from './receivers.ts';

const DAY = 86_400_000;
const test = suite('webhooks: delivering');
const run = serviceFor(test, { isAlone: true });

const erase = (app: Parameters<typeof server>[0], id: string) =>
  call(run, 'DELETE', `/v1/users/${id}`, { headers: server(app) });

test('each event arrives once, in order, signed, and says what the feed says', async () => {
  const app = await run.createApp();
  await using one = await receiver();
  await using other = await receiver();
  const all = await webhookTo(run, app, one.url);
  const some = await webhookTo(run, app, other.url, ['user.deleted']);
  const person = await newcomer(run, app);
  for (let n = 0; n < 20; n++) await newcomer(run, app);
  // What is not on its way yet when its user is erased is not sent.
  await until(async () => one.arrived.length === 21, 'enrolments');
  await erase(app, person.user.id);
  await until(async () => one.arrived.length === 22 && other.arrived.length === 1, 'all events');
  const first = one.arrived.find(each => each.event.seq === 1);
  assert.ok(first);
  const { headers, event } = first;
  assert.equal(
    [headers['content-type'], headers['webhook-id'], headers['webhook-timestamp']],
    ['application/json', event.id, String(Math.floor(run.clock.now() / 1_000))],
  );
  assert.match(String(headers['user-agent']), /^face-sign-in\/\d+\.\d+\.\d+/);
  assert.equal([event.type, event.data.app_id, event.data.livemode], ['user.enrolled', app.id, true]);
  // They leave in order, four at most at once, each on a connection of its own.
  const arrived = one.arrived.map(each => each.event.seq);
  assert.equal(
    arrived.toSorted((a, b) => a - b),
    [...Array(22).keys()].map(n => n + 1),
  );
  assert.ok(
    arrived.every((seq, at) => seq <= at + 4),
    String(arrived),
  );
  assert.ok(one.arrived.every(each => isSigned(each, all.secret)));
  assert.not(isSigned(first, some.secret), 'each webhook has a secret of its own');
  assert.equal(other.arrived[0]?.event, one.arrived.find(each => each.event.seq === 22)?.event);
  assert.equal(other.arrived[0]?.event.data.user_id, person.user.id);
  await until(async () => (await deliveriesOf(run, all.id)).length === 22, 'deliveries');
  for (const { status, error, attempt, nextAt } of await deliveriesOf(run, all.id))
    assert.equal([status, error, attempt, nextAt], [204, null, 1, null]);
});

test('a failed event is tried again on time and holds back no other', async () => {
  const app = await run.createApp();
  await using fails = await receiver((_, res) => void res.writeHead(500).end('no'));
  await using good = await receiver();
  const webhook = await webhookTo(run, app, fails.url);
  await webhookTo(run, app, good.url);
  await newcomer(run, app);
  await newcomer(run, app);
  await until(async () => fails.arrived.length === 2 && good.arrived.length === 2, 'first attempts');
  const expected = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400];
  for (const [at, seconds] of expected.entries()) {
    await until(async () => (await deliveriesOf(run, webhook.id)).length === 2 * (at + 1), 'both');
    const [last] = await deliveriesOf(run, webhook.id);
    const pause = (Number(last?.nextAt) - run.clock.now()) / 1_000;
    assert.ok(Math.abs(pause / seconds - 1) < 0.101, `${pause} after ${at + 1} attempts`);
    assert.equal([last?.attempt, last?.status, last?.error], [at + 1, 500, 'status']);
    run.clock.advance(0.89 * seconds * 1_000);
    // A new event tells that there was a turn: it is not too early for this one.
    if (at === 2) {
      await newcomer(run, app);
      await until(async () => good.arrived.length === 3, 'the new event');
      await until(async () => (await deliveriesOf(run, webhook.id)).length === 2 * at + 3, 'it here');
      assert.is(fails.arrived.at(-1)?.event.seq, 3);
      fails.answer = (_, res) => void res.writeHead(200).end();
      run.clock.advance(0.22 * seconds * 1_000);
      await until(async () => fails.arrived.length === 10, 'what waited');
      break;
    }
    run.clock.advance(0.22 * seconds * 1_000);
    await until(async () => fails.arrived.length === 2 * (at + 2), `attempt ${at + 2}`);
  }
  const first = fails.arrived.filter(({ event }) => event.seq === 1);
  assert.is(new Set(first.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.is(new Set(first.map(({ headers }) => headers['webhook-timestamp'])).size, first.length);
});

test('an answer 410 disables at once, four days of failures later, and owners hear of it', async () => {
  const app = await run.createApp();
  const owner = await addOperator({ DATA_DIR: run.dataDir }, 'owner@mail.example');
  await using gone = await receiver((_, res) => void res.writeHead(410).end());
  await using fails = await receiver((_, res) => void res.writeHead(503).end());
  const [one, two] = [await webhookTo(run, app, gone.url), await webhookTo(run, app, fails.url)];
  await withStore(run, async store => {
    const { teamId } = (await store.findApp(app.id)) as { teamId: string };
    await store.setMember(teamId, owner, 'owner', run.clock.now());
  });
  const state = (id: string) =>
    withStore(run, async store => (await store.listWebhooks({ id }))[0]?.disabledReason);
  await newcomer(run, app);
  await until(async () => (await state(one.id)) === 'gone', 'disabled');
  await until(async () => fails.arrived.length === 1, 'the first failure');
  run.clock.advance(4 * DAY + 1_000);
  await until(async () => (await state(two.id)) === 'failing', 'disabled');
  assert.is(gone.arrived.length, 1);
  await until(async () => run.mails('owner@mail.example').length === 2, 'two mails');
  const [first, second] = run.mails('owner@mail.example');
  assert.match(first?.text ?? '', new RegExp(`${one.id}.*\\n.*answered 410`));
  assert.match(second?.text ?? '', new RegExp(`${two.id}.*\\n.*has failed since`));
  assert.not.match(first?.text ?? '', /\/hook/, 'a path may be a secret');
  await newcomer(run, app);
  assert.equal([gone.arrived.length, fails.arrived.length], [1, 2]);
});

test('the job disables what has failed for four days, with nothing left to try', async () => {
  const app = await run.createApp();
  await using fails = await receiver((_, res) => void res.writeHead(503).end());
  const webhook = await webhookTo(run, app, fails.url);
  await newcomer(run, app);
  await until(async () => (await deliveriesOf(run, webhook.id)).length === 1, 'a failure');
  run.change('DELETE FROM webhook_waiting WHERE webhook_id = ?', webhook.id);
  const disabled = () =>
    withStore(run, async store => (await store.listWebhooks({ id: webhook.id }))[0]?.disabledReason);
  for (const [days, wanted] of [
    [3, null],
    [1, 'failing'],
  ] as const) {
    run.clock.advance(days * DAY);
    assert.is((await run.cli(['job', 'run', 'outbox'])).code, 0);
    assert.is(await disabled(), wanted);
  }
});

test('what waits for a person is not sent once they are erased', async () => {
  const app = await run.createApp();
  await using down = await receiver((_, res) => void res.writeHead(500).end());
  const webhook = await webhookTo(run, app, down.url);
  const person = await newcomer(run, app);
  await until(async () => (await deliveriesOf(run, webhook.id)).length === 1, 'a failure');
  await erase(app, person.user.id);
  await until(async () => (await deliveriesOf(run, webhook.id)).length === 2, 'the erasure');
  down.answer = (_, res) => void res.writeHead(204).end();
  run.clock.advance(60_000);
  await until(async () => down.arrived.length === 3, 'the erasure again');
  assert.equal(
    down.arrived.map(({ event }) => event.type),
    ['user.enrolled', 'user.deleted', 'user.deleted'],
  );
  const waiting = () => run.rows('SELECT 1 FROM webhook_waiting WHERE webhook_id = ?', webhook.id);
  await until(async () => waiting().length === 0, 'nothing waits');
});

test('a stopped service loses nothing, and four requests at once are the most', async () => {
  const app = await run.createApp();
  const held: (() => void)[] = [];
  await using slow = await receiver((_, res) => void held.push(() => res.writeHead(204).end()));
  const webhook = await webhookTo(run, app, slow.url);
  for (let n = 0; n < 9; n++) await newcomer(run, app);
  await until(async () => held.length === 4, 'four requests');
  const stopping = run.restart();
  await until(async () => slow.arrived.length === 4, 'no more while it stops');
  for (const end of held.splice(0)) end();
  await stopping;
  slow.answer = (_, res) => void res.writeHead(204).end();
  await until(async () => slow.arrived.length >= 9, 'the rest');
  await until(async () => (await deliveriesOf(run, webhook.id)).length === 9, 'all recorded');
  assert.equal(
    slow.arrived.map(({ event }) => event.seq),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    'none twice',
  );
  assert.is(slow.most(), 4);
});

test.run();
