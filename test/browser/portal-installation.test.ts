/**
 * A day of the person who runs the service, in a browser and on its machine: the first link by a command, teams and apps
 * that move between them, the audit log, and a server that is killed and started again under an open page.
 * SHOTS=FOLDER keeps pictures of every page.
 */
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { json, newDataDir, type Server, serve } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import type { Browser } from './chromium.ts';
import { complaintsOf, lookAt, openPortalBrowser, setUp } from './portal-pages.ts';

const test = suite('browser: running the service');
const settings = {
  DATA_DIR: newDataDir(),
  PORT: String(await freePort()),
  PORTAL_PORT: String(await freePort()),
};
let server: Server;
let tab: Browser;
test.before(async () => {
  [server, tab] = await Promise.all([serve(settings), openPortalBrowser()]);
});
test.after(async () => {
  await tab?.close();
  await server?.stop();
});

const button = (name: string | RegExp) => tab.page.getByRole('button', { name, exact: true });
const dialog = () => tab.page.getByRole('dialog');
const rows = () => tab.page.getByRole('row');

test('a command prints the first link, and the page makes the first app', async () => {
  const { page } = tab;
  const { link } = await json(['operator', 'link', '--admin'], settings);
  await setUp(tab, link.url, 'ada@mail.example');
  await button('Create an app').first().click();
  await dialog().getByLabel('Name').fill('Shop');
  await dialog()
    .getByLabel(/origin/i)
    .fill('https://shop.example');
  await dialog().getByRole('button', { name: 'Create an app' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
});

test('an app moves to a new team; only a team without apps is deleted', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  const shop = page.url();
  await page.goto(`${server.portal}/teams`);
  await button('Create a team').click();
  await dialog().getByLabel('Name').fill('Shop people');
  await dialog().getByRole('button', { name: 'Create a team' }).click();
  await page.getByRole('heading', { name: 'Shop people', level: 1 }).waitFor();

  await page.goto(shop);
  await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: 'Shop people' });
  await lookAt(tab, 'move');
  await button('Move').click();
  await page.getByRole('button', { name: 'Move', exact: true, disabled: true }).waitFor();
  const { teams } = await json(['team', 'list'], settings);
  const team = teams.find(({ name }: { name: string }) => name === 'Shop people');
  assert.is(team.apps, 1);

  await page.goto(`${server.portal}/teams/${team.id}`);
  await button('Delete the team').click();
  await dialog().getByRole('button', { name: 'Delete the team' }).click();
  await dialog().getByText('The team has apps. Move or delete them first.').waitFor();
  await lookAt(tab, 'delete-team');
  await page.keyboard.press('Escape');

  await page.goto(shop);
  await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: 'Operators' });
  await button('Move').click();
  await page.getByRole('button', { name: 'Move', exact: true, disabled: true }).waitFor();
  await page.goto(`${server.portal}/teams/${team.id}`);
  await button('Delete the team').click();
  await dialog().getByRole('button', { name: 'Delete the team' }).click();
  await dialog().waitFor({ state: 'detached' });
  assert.equal((await json(['team', 'list'], settings)).teams.length, 1);
});

test('the audit log: filtered, with commands in it, and exported as filtered', async () => {
  const { page } = tab;
  await page.goto(`${server.portal}/installation/audit`);
  await page.getByText('command line (').first().waitFor();
  await page.getByLabel('What, such as key.create').fill('app.change');
  await button('Show').click();
  await rows().nth(2).waitFor();
  await page.getByText('team.create').waitFor({ state: 'detached' });
  assert.is(await rows().count(), 3, 'a heading, and both moves');
  await lookAt(tab, 'audit-filtered');
  const saved = page.waitForEvent('download');
  await button('Export (JSONL)').click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(
    lines.map(line => JSON.parse(line).action),
    ['app.change', 'app.change'],
  );
  await page.getByLabel('What, such as key.create').fill('no.such');
  await button('Show').click();
  await page.getByText('No entry fits.').waitFor();
});

test('health has figures, and the licences are there on request', async () => {
  const { page } = tab;
  await page.goto(`${server.portal}/installation`);
  await page.getByText(/\d+ of \d+ run, \d+ requests wait/).waitFor();
  await page.getByText('Licences').click();
  await page.getByText('This runs from source').waitFor();
  await lookAt(tab, 'health-figures');
});

test('a server that is killed and started again: the page says so and goes on, with what was typed', async () => {
  const { page } = tab;
  await page.goto(`${server.portal}/account`);
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  server.kill('SIGKILL');
  await server.ended;
  await button('Save').first().click();
  await page.getByRole('alert').first().waitFor();
  await lookAt(tab, 'killed');
  server = await serve(settings);
  await page.getByText('The service is back. Try again.').waitFor();
  assert.is(await page.getByRole('alert').count(), 0);
  assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada Lovelace');
  await button('Save').first().click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  const { operators } = await json(['operator', 'list'], settings);
  assert.is(operators[0].name, 'Ada Lovelace');
});

test('nothing but this service was asked, and no policy was violated', () => {
  const isAway = (text: string) => /net::ERR_CONNECTION_(?:REFUSED|RESET)/.test(text);
  assert.equal(
    complaintsOf(tab).filter(text => !isAway(text)),
    [],
  );
});

test.run();
