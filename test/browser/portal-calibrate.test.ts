/**
 * `calibrate` on the page about faces: the report is the command's, word for word, faults name the line, a run can be
 * stopped, and nothing of the file leaves the browser. SHOTS=FOLDER keeps pictures.
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { openedFor } from '../support/closing.ts';
import { easyFaces, textOfLines } from '../support/labelled.ts';
import { tempFolder, within } from '../support/process.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser } from './portal-pages.ts';

const test = suite('browser: calibrate in the portal');
const folder = tempFolder();
const good = join(folder, 'faces.jsonl');
let app: TestApp;

const run = serviceFor(test);
const tab = openedFor(test, openPortalBrowser);
test.before(async () => {
  app = await run.createApp();
  writeFileSync(good, textOfLines(easyFaces(30, 3)));
  const { page } = tab;
  await page.goto(await linkFor(run, { email: 'v@mail.example', teamId: FIRST_TEAM, role: 'viewer' }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Your name').fill('Vera');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.goto(`${run.portal}/apps/${app.id}/test/faces`);
});

const choose = (file: string) => tab.page.getByLabel('File of descriptors').setInputFiles(file);
const button = (name: string) => tab.page.getByRole('button', { name, exact: true });

/** The whole text of the report. */
const report = () => tab.page.locator('figure.code pre').innerText();

test('the page makes the report that the command prints, and sends nothing', async () => {
  const { page, asked } = tab;
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

test('no policy was violated', () => {
  assert.equal(complaintsOf(tab), []);
});

test.run();
