/**
 * Charts of the portal in a browser, against counted events of the real service; and `calibrate` on the page about
 * faces: the report is the command's, word for word, and nothing of the file leaves the browser. SHOTS=FOLDER keeps
 * pictures of every page.
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces, match } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { easyFaces, textOfLines } from '../support/labelled.ts';
import { addUsers } from '../support/many-users.ts';
import { tempFolder, within } from '../support/process.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, setUp } from './portal-pages.ts';

const test = suite('browser: numbers in the portal');
const DAY = 86_400_000;
let app: TestApp;
let unused: TestApp;
let at = '';

const run = serviceFor(test, { env: { LIMIT_IP_PER_MINUTE: '0', LIMIT_MATCHES_PER_USER: '0' } });
const tab = openedFor(test, openPortalBrowser);
test.before(async () => {
  [app, unused] = [await run.createApp({ plan: 'standard' }), await run.createApp({ name: 'Unused' })];
  at = `${run.portal}/apps/${app.id}/live`;
  const ip = '198.51.100.7';
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i <= day; i++) {
      const fields = { email: `user${day}-${i}@mail.example` };
      await enrolled(run, app, {
        descriptors: [faces.genuine(day * 10 + i)],
        fields,
        ip: `198.51.100.${day * 10 + i}`,
      });
    }
    for (let i = 0; i < 25; i++) await match(run, app, { descriptors: [faces.genuine(0, 1)], ip });
    await match(run, app, { descriptors: [faces.genuine(900 + day)], ip });
    run.clock.advance(DAY);
  }
});

/** The rows of the first table behind a chart, as texts. */
async function table(): Promise<string[][]> {
  const { page } = tab;
  await page.getByText('As a table').first().click();
  const rows = await page.locator('.chart tbody tr').all();
  return Promise.all(
    rows.map(async row => (await row.locator('th, td').allTextContents()).map(text => text.trim())),
  );
}

test('without events there is no chart, and faces say what they need', async () => {
  const { page } = tab;
  await setUp(tab, await linkFor(run, { makesAdmin: true }), 'root@mail.example');
  await page.clock.setFixedTime(new Date(run.clock.now()));
  const other = `${run.portal}/apps/${unused.id}/live`;
  await page.goto(other);
  await page.getByRole('heading', { name: 'Go live' }).waitFor();
  assert.is(await page.locator('.chart').count(), 0);
  await page.goto(`${other}/faces`);
  await page.getByText('No counts yet').waitFor();
  await page.getByText('No estimate yet').waitFor();
  await lookAt(tab, 'faces-none');
});

test('the chart and its table are the counted events, day by day', async () => {
  const { page } = tab;
  await page.goto(at);
  await page.locator('.chart').waitFor();
  const counted = (day: string, ...types: string[]) =>
    run.rows(
      `SELECT COUNT(*) AS n FROM auth_events WHERE app_id = ? AND date(at / 1000, 'unixepoch') = ? AND type IN (${types.map(type => `'${type}'`)})`,
      app.id,
      day,
    )[0].n;
  const shown = await table();
  assert.is(shown.length, 3);
  for (const [day = '', signedIn, enrolledThen, refused] of shown)
    assert.equal(
      [signedIn, enrolledThen, refused].map(Number),
      [counted(day, 'match'), counted(day, 'enroll'), counted(day, 'match_failed')],
      day,
    );
  await page.getByText('of the plan').waitFor();
  await lookAt(tab, 'overview-numbers');
});

test('the card of an app has its last days, and the overview what was refused lately', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/apps`);
  const line = page.getByRole('img', {
    name: /Live sign-ins and enrollments of the last 30 days: \d+, at most \d+ a day/,
  });
  await line.waitFor();
  assert.is(await line.count(), 1, 'none for an app that nobody has used');
  await lookAt(tab, 'apps-sparkline');
  await page.goto(at);
  await page.getByRole('heading', { name: 'Refused lately' }).waitFor();
  await page.getByRole('link', { name: 'All refusals' }).click();
  await page.getByRole('heading', { name: 'Refusals', level: 1 }).waitFor();
  await page.goto(at);
});

test('arrow keys move over the days, and what is chosen is said', async () => {
  const { page } = tab;
  const plot = page.getByRole('group', { name: /Sign-ins by day/ });
  await plot.focus();
  const said = page.locator('.chart [aria-live]');
  await page.keyboard.press('Home');
  const first = await said.textContent();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const last = await said.textContent();
  assert.match(first ?? '', /signed in 0, enrolled 0, refused 0/);
  assert.match(last ?? '', /signed in 25, enrolled 3, refused 1/);
  await page.getByLabel('Range').selectOption('400');
  await page.locator('.chart g').nth(399).waitFor({ state: 'attached' });
  await lookAt(tab, 'overview-400');
});

test('distances of sign-ins: counts of whole days, with threshold and margin', async () => {
  const { page } = tab;
  await page.goto(`${at}/faces`);
  await page.locator('.chart').waitFor();
  const matched = (await table()).reduce((sum, [, count]) => sum + Number(count), 0);
  assert.is(matched, 75, 'the same face, 25 times on each of three days');
  await page.getByText('threshold 0.35').waitFor();
  await lookAt(tab, 'faces');
});

test('what the size of an app asks for, from fine to a second factor, in English and Spanish', async () => {
  const { page } = tab;
  const large = await run.createApp({ name: 'Large' });
  await enrolled(run, large, { descriptors: [faces.genuine(500)], fields: { email: 'one@mail.example' } });
  const section = page
    .locator('section.card')
    .filter({ has: page.getByRole('heading', { name: 'Safe for how many' }) });
  const rows = async () =>
    (await section.locator('tbody tr').allTextContents()).map(text => text.replaceAll(/\s+/g, ' ').trim());
  const says = async (more: number, text: RegExp) => {
    if (more > 0) addUsers(run, large, more);
    await page.goto(`${run.portal}/apps/${large.id}/live/faces`);
    await section.getByText(text).waitFor();
  };
  await says(0, /This app has 1 user\. MATCH_THRESHOLD is 0\.35, which carries 100\. All is fine\./);
  assert.match((await rows())[0] ?? '', /^0\.35 in force for this app/);
  await says(
    239,
    /has 240 users\. MATCH_THRESHOLD is 0\.35, which carries only 100\. Set MATCH_THRESHOLD to 0\.32\./,
  );
  await lookAt(tab, 'size');
  assert.equal(await rows(), [
    '0.35 in force100–',
    '0.32 for this app6000.5 to 1',
    '0.31,7001 to 3',
    '0.3 and a second factormore1 to 3',
  ]);
  await says(1_461, /has 1,701 users\..* Set MATCH_THRESHOLD to 0\.3, and ask for a second factor too/);
  await section.getByText('The option confirmBelow of the web component').waitFor();
  await page.goto(`${run.portal}/account`);
  await page.getByLabel('Language').selectOption('es');
  await page.getByRole('heading', { name: 'Cuenta', level: 1 }).waitFor();
  await page.goto(`${run.portal}/apps/${large.id}/live/faces`);
  await page
    .getByText(/tiene 1701 usuarios\..* Pon MATCH_THRESHOLD en 0\.3 y pide además un segundo factor/)
    .waitFor();
  await lookAt(tab, 'size-es');
  await page.goto(`${run.portal}/account`);
  await page.getByLabel('Idioma').selectOption('en');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await run.cli(`app encoder reset --app ${large.id} --mode live --encoder network-1 --yes`.split(' '));
  await says(0, /were made by network-1\. The table is not for it/);
  assert.equal(await rows(), []);
  await page.goto(`${run.portal}/apps/${large.id}/test/faces`);
  await page.getByText('No estimate yet').waitFor();
  assert.is(await section.count(), 0, 'test mode is not judged');
});

const folder = tempFolder();
const good = join(folder, 'faces.jsonl');
const choose = (file: string) => tab.page.getByLabel('File of descriptors').setInputFiles(file);
const button = (name: string) => tab.page.getByRole('button', { name, exact: true });

/** The whole text of the report. */
const report = () => tab.page.locator('figure.code pre').innerText();

test('the page makes the report that the command prints, and sends nothing', async () => {
  const { page, asked } = tab;
  writeFileSync(good, textOfLines(easyFaces(30, 3)));
  await page.goto(`${at}/faces`);
  await choose(good);
  const before = asked.length;
  await button('Measure').click();
  await page.locator('figure.code pre').waitFor();
  assert.equal(
    asked.slice(before).map(request => new URL(request.url()).pathname),
    ['/assets/calibrate.js'],
  );
  const ran = await within(['calibrate', good], {});
  assert.is(ran.code, 0, ran.stderr);
  // The page knows the file's name and not its folder.
  const printed = ran.stdout.replace(`${dirname(good)}/`, '').trimEnd();
  assert.ok(printed.startsWith(`${basename(good)}: 90 descriptors of 30 persons`));
  assert.is((await report()).trimEnd(), printed);
  await lookAt(tab, 'calibrate');
});

test('the rate is that of the option, and a wrong one is refused before anything runs', async () => {
  const rate = tab.page.getByLabel('False match rate you accept');
  await rate.fill('2');
  await tab.page.getByText('Give a rate between 0 and 1').waitFor();
  assert.ok(await button('Measure').isDisabled());
  await rate.fill('0.01');
  await button('Measure').click();
  const ran = await within(['calibrate', good, '--fmr', '0.01'], {});
  const printed = ran.stdout.replace(`${dirname(good)}/`, '').trimEnd();
  await tab.page.waitForFunction(
    text => document.querySelector('figure.code pre')?.textContent?.trimEnd() === text,
    printed,
  );
});

test('a fault is that of the command: line, field and fix', async () => {
  const bad = join(folder, 'bad.jsonl');
  writeFileSync(bad, `${textOfLines(easyFaces(2, 2))}{"person": ""}\n`);
  await choose(bad);
  await button('Measure').click();
  const shown = await tab.page.getByRole('alert').innerText();
  const { stderr } = await within(['calibrate', bad], {});
  assert.ok(stderr.includes(shown), `${shown} is not in ${stderr}`);
  assert.match(shown, /^line 5: person: must be a string/);
  assert.is(await tab.page.locator('figure.code').count(), 0, 'no old report beside it');
  await lookAt(tab, 'calibrate-fault');
});

test('a run can be stopped, and the next one starts', async () => {
  const large = join(folder, 'large.jsonl');
  writeFileSync(large, textOfLines(easyFaces(1_500, 4)));
  await choose(large);
  await button('Measure').click();
  await button('Cancel').click();
  await button('Cancel').waitFor({ state: 'detached' });
  assert.is(await tab.page.getByRole('alert').count(), 0);
  await choose(good);
  await button('Measure').click();
  await tab.page.locator('figure.code pre').waitFor();
});

test('nothing but this service was asked, and no policy was violated', () => {
  assert.equal(complaintsOf(tab), []);
});

test.run();
