/** Verbs on people, events and numbers: what each refuses, by field and code. */
import * as assert from 'uvu/assert';
import { createApp } from '../../src/domain/operating/apps.ts';
import { encoderState, resetEncoder } from '../../src/domain/operating/encoder.ts';
import { lastEvents } from '../../src/domain/operating/events.ts';
import { deletePerson, findByEmail, findPerson, listPeople } from '../../src/domain/operating/people.ts';
import { statisticsOf } from '../../src/domain/operating/statistics.ts';
import { userDocument } from '../../src/domain/operating/user-document.ts';
import { enrolment } from '../contract/fixtures.ts';
import { suite } from '../support/suite.ts';
import { operate, refused } from './operating.ts';

const test = suite('operating: people');
const { deps, clock, close } = await operate();
test.after(close);
const { id: appId } = await createApp(deps, { name: 'Shop' });
const gallery = { appId, mode: 'live' } as const;
const ids: string[] = [];

test.before(async () => {
  for (const email of ['ada@example.com', 'ben@example.com']) {
    const sequence = await deps.store.gallerySequence(gallery);
    const person = enrolment({ gallery, email, sequence, at: clock.time });
    assert.equal(await deps.store.enrol(person), { outcome: 'enrolled' });
    ids.push(person.user.id);
  }
});

test('an app that is not there: each verb says so alike, also where it would find nothing', async () => {
  const none = { appId: 'app_x', mode: 'live' } as const;
  const verbs = [
    () => listPeople(deps, none, 10, null),
    () => findByEmail(deps, none, 'ada@example.com'),
    () => statisticsOf(deps, 'app_x', '2026-03', 0),
    () => encoderState(deps, none),
    () => resetEncoder(deps, none, null, true),
  ];
  for (const verb of verbs) assert.is(await refused('app', 'not_found', verb), 'there is no app "app_x"');
});

test('somebody who is not there, or no longer', async () => {
  const [ada = '', ben = ''] = ids;
  assert.is((await findPerson(deps, ada)).user.email, 'ada@example.com');
  await deletePerson(deps, ada);
  for (const id of [ada, 'usr_x'])
    for (const verb of [
      findPerson,
      deletePerson,
      (_: typeof deps, user: string) => userDocument(deps, user, true),
    ])
      assert.is(await refused('user', 'not_found', () => verb(deps, id)), `there is no user "${id}"`);
  assert.is(await findByEmail(deps, gallery, 'ada@example.com'), null);
  assert.is((await findByEmail(deps, gallery, 'BEN@example.com'))?.user.id, ben);
});

test('a cursor that no page has given, or one of another mode', async () => {
  const sequence = await deps.store.gallerySequence(gallery);
  const third = enrolment({ gallery, email: 'cy@example.com', sequence, at: clock.time });
  assert.equal(await deps.store.enrol(third), { outcome: 'enrolled' });
  const { nextCursor } = await listPeople(deps, gallery, 1, null);
  assert.type(nextCursor, 'string');
  assert.is((await listPeople(deps, gallery, 1, nextCursor)).people.length, 1);
  for (const [mode, cursor] of [
    ['test', nextCursor],
    ['live', 'made.up'],
    ['live', ''],
  ] as const)
    assert.match(
      await refused('cursor', 'invalid_request', () => listPeople(deps, { appId, mode }, 1, cursor)),
      /^is not the next_cursor of a page of this app and mode$/,
    );
  assert.match(
    await refused('cursor', 'invalid_request', () => lastEvents(deps, {}, 1, 'made.up')),
    /^must be the next_cursor of a page of events$/,
  );
});

test.run();
