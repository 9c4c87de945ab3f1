/**
 * Webhooks in the portal, in a browser against the real service and a server that takes what is sent: made, tested, failed,
 * sent again, changed, rolled, disabled, deleted. SHOTS=FOLDER keeps pictures of every page.
 */
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { enrolled, faces } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { ask, operatorsFor } from '../support/portal.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Arrived, isSigned, type Receiver, receiver, until } from '../webhooks/receivers.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, setUp, tabOf } from './portal-pages.ts';

const test = suite('browser: webhooks in the portal');
// Pages reckon by the browser's clock, so the service lives in the present too.
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
const operators = operatorsFor(test, run);
const tab = openedFor(test, openPortalBrowser);
let app: TestApp;
let at = '';
/** As they were shown, the newest last. */
const secrets: string[] = [];

const there = openedFor<Receiver>(test, receiver);
const answers = (status: number) => {
  there.answer = (_, response) => void response.writeHead(status).end();
};

test.before(async () => {
  run.clock.advance(Date.now() - run.clock.now());
  app = await run.createApp({ name: 'Shop' });
  at = `${run.portal}/apps/${app.id}/live/webhooks`;
  await setUp(tab, await linkFor(run, { makesAdmin: true }), 'root@mail.example');
});

const button = (name: string | RegExp) => tab.page.locator('main').getByRole('button', { name }).first();
const dialog = () => tab.page.getByRole('dialog');
/** In the dialog. */
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const row = (name: RegExp) => tab.page.getByRole('row', { name });

test('none: what it is, and code to begin', async () => {
  const { page } = tab;
  await page.goto(at);
  await page.getByText('No webhooks').waitFor();
  await lookAt(tab, 'webhooks-none');
  for (const [name, text] of [
    ['Shell', `webhook listen --app ${app.id} --mode live`],
    ['curl', `${run.base}/v1/events`],
  ] as const) {
    await page.getByRole('tab', { name }).click();
    await page.getByText(text).waitFor();
  }
});

test('made: an address inside is refused at its field, and the secret is shown once', async () => {
  const { page } = tab;
  await button('Create a webhook').click();
  await dialog().getByLabel('Address').fill('https://10.0.0.1/hooks');
  await press('Create a webhook');
  await dialog().locator('.error').waitFor();
  assert.is(await dialog().locator('[aria-invalid]').count(), 1, 'at its field');
  await dialog().getByLabel('Address').fill(there.url);
  await dialog().getByLabel('All types').uncheck();
  assert.ok(await dialog().getByRole('button', { name: 'Create a webhook' }).isDisabled(), 'of no type');
  await dialog().getByLabel('user.enrolled').check();
  await dialog().getByLabel('user.deleted').check();
  await dialog().getByLabel('Description').fill('Orders');
  await lookAt(tab, 'webhooks-create');
  await press('Create a webhook');
  secrets.push(
    await dialog()
      .getByText(/^whsec_/)
      .innerText(),
  );
  await press('I have copied it');
  await row(/hook Orders user\.enrolled, user\.deleted On/).waitFor();
  assert.not.match(await page.content(), /whsec_\w/);
  await lookAt(tab, 'webhooks');
});

test('tested, and what happens is delivered', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: there.url }).click();
  await page.getByText('Nothing was sent yet.').waitFor();
  await button('Send a test event').click();
  await page.getByText(/Test event: delivered 204 · \d+ ms/).waitFor();
  await page.getByLabel('Follow').check();
  await enrolled(run, app, { descriptors: [faces.genuine(1)], fields: { email: 'ada@mail.example' } });
  await row(/user\.enrolled evt_\w+ delivered 204/).waitFor();
  await page.getByLabel('Follow').uncheck();
  assert.equal(
    there.arrived.map(({ event }) => event.type),
    ['webhook.test', 'user.enrolled'],
  );
});

test('failed: says so, and is sent again', async () => {
  const { page } = tab;
  answers(500);
  await button('Send a test event').click();
  await page.getByText(/Test event: failed/).waitFor();
  await enrolled(run, app, { descriptors: [faces.genuine(2)], fields: { email: 'bob@mail.example' } });
  await page.getByLabel('Failed only').check();
  await page.getByLabel('Follow').check();
  const failed = row(/user\.enrolled evt_\w+ failed 500 · \d+ ms Attempt 1, the next one/);
  await failed.waitFor();
  assert.is(await row(/delivered/).count(), 0);
  await page.reload();
  await page.getByText('Failing since').waitFor();
  await lookAt(tab, 'webhook-failing');
  answers(200);
  await failed.getByRole('button', { name: /^Send again/ }).click();
  await row(/user\.enrolled evt_\w+ delivered 200/).waitFor();
  const before = there.arrived.length;
  await button('Send events again').click();
  await lookAt(tab, 'webhook-replay');
  await press('Send again');
  await page.getByText('2 events are sent again.').waitFor();
  await until(async () => there.arrived.length === before + 2, 'both that enrolled');
});

test('changed, and its secret rolled: both sign', async () => {
  const { page } = tab;
  await button('Change').click();
  assert.ok(await dialog().getByLabel('user.deleted').isChecked());
  await dialog().getByLabel('All types').check();
  await press('Save');
  await page.locator('dd', { hasText: 'All types' }).waitFor();
  await button('Roll the secret').click();
  await press('Roll the secret');
  secrets.push(
    await dialog()
      .getByText(/^whsec_/)
      .innerText(),
  );
  await press('I have copied it');
  await button('Send a test event').click();
  await page.getByText(/Test event: delivered/).waitFor();
  for (const secret of secrets) assert.ok(isSigned(there.arrived.at(-1) as Arrived, secret));
});

test('disabled, enabled, deleted: each asks first', async () => {
  const { page } = tab;
  await button('Disable').click();
  await press('Disable');
  await page.getByText('Disabled by an operator.').waitFor();
  assert.is(await button('Send events again').count(), 0);
  await lookAt(tab, 'webhook-disabled');
  await button('Enable').click();
  await button('Disable').waitFor();
  await button('Delete').click();
  await press('Delete');
  await page.getByText('No webhooks').waitFor();
  assert.equal(complaintsOf(tab), []);
});

test('a developer tests and sends again, and changes nothing; a viewer is told who may see them', async () => {
  const admin = await operators.create({ isAdmin: true });
  const json = { url: there.url, description: 'Orders' };
  await ask(run, 'POST', `/apps/${app.id}/live/webhooks`, { as: admin, json });
  for (const [role, told] of [
    ['developer', /Admin, Owner\.$/],
    ['viewer', /Admin, Owner, Developer\.$/],
  ] as const) {
    await using other = await tabOf(run, await operators.create({ teams: { [FIRST_TEAM]: role } }));
    await other.page.goto(at);
    await other.page.getByText(told).waitFor();
    if (role === 'viewer') continue;
    await lookAt(other, 'webhooks-developer');
    await other.page.getByRole('link', { name: there.url }).click();
    await other.page.getByRole('button', { name: 'Send a test event' }).click();
    await other.page.getByText(/Test event: delivered/).waitFor();
    assert.equal(complaintsOf(other), []);
  }
});

test.run();
