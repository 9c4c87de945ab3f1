/**
 * Users and events in the portal, in a browser against the real service: found, opened, exported and erased, and seen as
 * they happen. SHOTS=FOLDER keeps pictures of every page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { enrolled, faces, type Json, match } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { operatorsFor } from '../support/portal.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, setUp, tabOf } from './portal-pages.ts';

const test = suite('browser: people in the portal');
const MANY = 52;
let app: TestApp;
let at = '';
let ada: Json;

const person = (i: number, email: string, name: string) => ({
  descriptors: [faces.genuine(i)],
  fields: { email, name },
  ip: `198.51.100.${i}`,
});

const run = serviceFor(test);
const operators = operatorsFor(test, run);
const tab = openedFor(test, openPortalBrowser);
test.before(async () => {
  app = await run.createApp();
  for (let i = 1; i <= MANY; i++) {
    run.clock.advance(1_000);
    await enrolled(run, app, person(i, `user${i}@mail.example`, `User ${i}`));
  }
  run.clock.advance(1_000);
  ada = await enrolled(run, app, person(0, 'ada@mail.example', 'Ada Ångström'));
  at = `${run.portal}/apps/${app.id}/live`;
});

const heading = (name: string) => tab.page.getByRole('heading', { name, level: 1 });
const rows = () => tab.page.getByRole('row');

test('the newest users come first, 50 a page', async () => {
  const { page } = tab;
  await setUp(tab, await linkFor(run, { makesAdmin: true }), 'root@mail.example');
  await page.goto(`${at}/users`);
  await page.getByRole('link', { name: 'ada@mail.example' }).waitFor();
  assert.is(await rows().count(), 51, 'a head and 50 users');
  await lookAt(tab, 'users');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'user1@mail.example' }).waitFor();
  assert.is(await rows().count(), 1 + MANY + 1 - 50);
  await page.getByRole('button', { name: 'First page' }).click();
  await page.getByRole('link', { name: 'ada@mail.example' }).waitFor();
  await page.getByLabel('Order').selectOption('oldest');
  await page.getByRole('link', { name: 'user1@mail.example', exact: true }).waitFor();
});

test('one user by the whole address, several by a part, nobody by another', async () => {
  const { page } = tab;
  await page.getByLabel('Email address').fill('ADA@mail.example');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Ada Ångström').waitFor();
  assert.is(await rows().count(), 2);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Part of an address or name').fill('USER 5');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'user52@mail.example' }).waitFor();
  assert.is(await rows().count(), 1 + 4, '5, 50, 51 and 52');
  await page.getByLabel('Part of an address or name').fill('nobody has this');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Nobody found').waitFor();
  await lookAt(tab, 'users-nobody');
  await page.getByRole('button', { name: 'Show all' }).click();
});

test('the list is exported, with a passkey if that was long ago', async () => {
  const { page } = tab;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  assert.is(text.trim().split('\n').length, 1 + MANY + 1);
  assert.match(text, /ada@mail\.example/);
});

test('a user: what is stored, without face data; the export too', async () => {
  const { page } = tab;
  await page.goto(`${at}/users/${ada.user.id}`);
  await heading('ada@mail.example').waitFor();
  await page.getByText('Ada Ångström').waitFor();
  await page.getByText('Version of the notice').waitFor();
  await lookAt(tab, 'person');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  const document = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.match(JSON.stringify(document), /ada@mail\.example/);
  assert.not.match(JSON.stringify(document), /"descriptor"|"vector"/);
});

test('events, by type, and as they happen', async () => {
  const { page } = tab;
  await page.goto(`${at}/events`);
  await heading('Events').waitFor();
  await rows().nth(50).waitFor();
  await lookAt(tab, 'events');
  await page.getByRole('button', { name: 'Older events' }).click();
  await rows()
    .nth(MANY + 1)
    .waitFor();
  await page.getByLabel('Type').selectOption('match');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('No events').waitFor();
  await page.getByLabel('Follow').check();
  run.clock.advance(60_000);
  await match(run, app, { descriptors: [faces.genuine(0, 1)], ip: '198.51.100.200' });
  await rows().nth(1).waitFor({ timeout: 20_000 });
  run.clock.advance(60_000);
  await match(run, app, { descriptors: [faces.genuine(0, 2)], ip: '198.51.100.200' });
  await rows().nth(2).waitFor({ timeout: 20_000 });
  await page.getByRole('link', { name: ada.user.id }).first().click();
  await heading('ada@mail.example').waitFor();
});

test('a user is erased after the address is typed, and nothing is left', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Erase user' }).click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: 'Erase user' });
  await dialog.getByLabel(/^Type ada@mail.example/).fill('user1@mail.example');
  assert.ok(await erase.isDisabled());
  await dialog.getByLabel(/^Type ada@mail.example/).fill('ada@mail.example');
  await lookAt(tab, 'person-erase');
  await erase.click();
  await heading('Erased').waitFor();
  await lookAt(tab, 'person-erased');
  const { json } = await run.cli(['doctor', '--erasure', ada.user.id]);
  assert.is(json.ok, true, JSON.stringify(json));
  assert.not.ok(readFileSync(join(run.dataDir, 'face-sign-in.db')).includes('ada@mail.example'));
  await page.getByRole('link', { name: 'All users' }).click();
  await page.getByRole('link', { name: 'user52@mail.example' }).waitFor();
  assert.is(await page.getByText('ada@mail.example').count(), 0);
});

test('a viewer is told who may see people', async () => {
  await using other = await tabOf(run, await operators.create({ teams: { [FIRST_TEAM]: 'viewer' } }));
  for (const page of ['users', 'events', `users/usr_${'0'.repeat(24)}`]) {
    await other.page.goto(`${at}/${page}`);
    await other.page.getByText(/Admin, Owner/).waitFor();
    await lookAt(other, `viewer-${page.split('/')[0]}`);
  }
  assert.equal(complaintsOf(other), []);
});

test('nothing but this service was asked, and no policy was violated', () => {
  assert.equal(complaintsOf(tab), []);
});

test.run();
