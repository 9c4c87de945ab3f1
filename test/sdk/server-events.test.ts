/** The feed of events by the server SDK: pages, and every event as it comes; and its types, beside those of the service. */
import * as assert from 'uvu/assert';
import { OUTBOX_TYPES, type Told } from '../../src/protocol/outbox.ts';
import { ServiceError, type ServiceEvent } from '../../src/sdk/server/index.ts';
import { call, enrolled, type Json, match, server } from '../support/client.ts';
import { logout } from '../support/me.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { countedFetch, down, verifierOf } from './server-support.ts';

const test = suite('server SDK: events');
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  const { token } = await enrolled(run, app);
  await match(run, app);
  await logout(run, token);
});

const sdk = (more: object = {}) => verifierOf(run, app, 'live', { secretKey: app.live.sk, ...more });

/** `type.field: its type`, for a comparison that also sees fields that may be missing. */
type FieldsOf<Event extends { type: string; data: object }> = Event extends {
  type: infer Type;
  data: infer Data;
}
  ? { [Name in keyof Data]-?: [Type, Name, Data[Name]] }[keyof Data]
  : never;
type Where = { readonly app_id: string; readonly livemode: boolean };
type Sent = {
  [Type in Told['type']]: { type: Type; data: Extract<Told, { type: Type }>['data'] & Where };
}[Told['type']];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

test('the types are those that the service sends, field by field', () => {
  const same: Same<FieldsOf<Sent>, FieldsOf<ServiceEvent>> = true;
  const types: Record<ServiceEvent['type'], true> = Object.fromEntries(
    OUTBOX_TYPES.map(type => [type, true]),
  ) as never;
  assert.ok(same && Object.keys(types).length === OUTBOX_TYPES.length);
});

test('a page as the service sends it, where it goes on, and what is asked', async () => {
  const { json } = await call(run, 'GET', '/v1/events?after=0', { headers: server(app) });
  const { events } = sdk();
  assert.equal(await events.list({ after: 0 }), { events: json.events, nextAfter: 3, oldest: 1 });
  assert.equal(await events.list(), { events: [], nextAfter: 3, oldest: 1 });
  const some = await events.list({ after: 0, limit: 1, types: ['user.signed_in', 'user.signed_out'] });
  assert.equal([some.events.map(({ seq }) => seq), some.nextAfter], [[2], 2]);
  assert.equal((await events.list({ after: 3, wait: 1 })).events, []);
  const error = await events.list({ after: 0, limit: 101 }).catch(thrown => thrown);
  assert.instance(error, ServiceError);
  assert.is(error.code, 'invalid_request');
});

test('every event as it comes, from a place or from now on', async () => {
  const { events } = sdk();
  const controller = new AbortController();
  const heard: string[] = [];
  for await (const event of events.follow({ after: 1, signal: controller.signal })) {
    heard.push(`${event.seq} ${event.type}`);
    if (event.seq === 3) break;
  }
  assert.equal(heard, ['2 user.signed_in', '3 user.signed_out']);
  const { fetch, asked } = countedFetch();
  const coming = sdk({ fetch }).events.follow({ types: ['user.signed_out'] });
  const first = coming.next();
  while (!asked['/v1/events']) await new Promise(resume => setTimeout(resume, 10));
  // It is known to follow from here on when it waits.
  while ((asked['/v1/events'] ?? 0) < 2) await new Promise(resume => setTimeout(resume, 10));
  await logout(run, (await match(run, app)).json.token);
  assert.is((await first).value.seq, 5);
  const second = coming.next();
  await logout(run, (await match(run, app)).json.token);
  assert.is((await second).value.seq, 7);
  await coming.return(undefined as never);
});

test('following ends with the caller’s signal, and with an error of the service', async () => {
  const thrown = (work: AsyncGenerator<unknown>): Promise<Json> => work.next().catch(error => error);
  const signal = AbortSignal.timeout(300);
  assert.is((await thrown(sdk().events.follow({ signal, types: ['user.deleted'] }))).code, 'aborted');
  const counted = countedFetch();
  counted.instead = down;
  assert.is(
    (await thrown(sdk({ fetch: counted.fetch, timeoutMs: 200 }).events.follow())).code,
    'unavailable',
  );
  counted.instead = () => Response.json({ events: [{ id: 1 }], next_after: 1, oldest: 1 });
  assert.is(
    (await thrown(sdk({ fetch: counted.fetch }).events.follow({ after: 0 }))).code,
    'unexpected_answer',
  );
});

test.run();
