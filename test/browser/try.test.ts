/**
 * The page to try the service, in a browser: a person enrolls and signs in with the real encoder, in front of a camera
 * that shows a film, and others find their way without. Who gets the page is in test/portal/try.test.ts.
 */
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { startPages } from './encoder-pages.ts';
import { type Films, makeFilms } from './encoder-photos.ts';
import { enrollMadeUp, looks, openTab, press, shows } from './try-pages.ts';

const test = suite('browser: try');
let films: Films;

const run = serviceFor(test, { env: { DEMO: 'on' } });
const pages = openedFor(test, startPages);
test.before(async () => {
  films = await makeFilms(pages);
});
test.after(async () => {
  await films?.remove();
});

test('a person with a camera enrolls and signs in; the token is verified; no picture is sent', async () => {
  const began = performance.now();
  const since = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  await using tab = await openTab(run, films.a);
  const { page, asked, complaints } = tab;
  await page.waitForSelector('#encoder[data-ready="camera"]');
  const ready = since();
  await page.locator('face-sign-in').getByLabel('Email address').fill('ada@example.com');
  await page.locator('face-sign-in').getByRole('checkbox').check();
  await press(page, 'Enroll');
  await shows(page, 'done');
  const enrolled = since();
  await page.getByText('Online: valid').waitFor();
  const good = ['✓ Signed by a published key (ES256)', '✓ From this issuer', '✓ For this app, in test mode'];
  const verdicts = (await page.locator('#verdicts').innerText()).split('\n');
  assert.equal(verdicts.slice(0, 3), good);
  assert.match(verdicts[3] ?? '', /^✓ Valid until/);
  assert.match(
    await page.locator('#steps').innerText(),
    /[1-5] × 128 numbers\b.* liveness 0\.\d\d\b.* consent/,
  );
  await page.locator('#steps li').nth(1).getByText('Request and answer').click();
  const enrolling = await page.locator('#steps li').nth(1).innerText();
  assert.match(enrolling, /"descriptors": \[\s+"128 numbers"/);
  assert.match(enrolling, /"token": "\S{16}… \(\d+ characters\)"/);
  await looks(tab, 'try-enrolled');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Online: revoked').waitFor();
  assert.not(await page.getByRole('button', { name: 'Sign out' }).isVisible(), 'once is enough');
  await looks(tab, 'try-signed-out');
  await page.getByLabel('Liveness').selectOption('blink');
  await page.getByRole('button', { name: 'Now sign in with your face' }).click();
  const again = performance.now();
  await press(page, 'Sign in');
  await shows(page, 'done');
  const after = await page.locator('#after').innerText();
  assert.match(after, /^Signed in by face\. Confidence: [01]\.\d\d/);
  assert.match(after, /No blink was seen .*: not live, .* let it in all the same/, 'a photo');
  assert.not(await page.getByRole('button', { name: 'Now sign in' }).isVisible());
  await looks(tab, 'try-photo-let-in');
  console.log(
    `from page load: ready ${ready}, enrolled ${enrolled}; a sign-in: ${((performance.now() - again) / 1_000).toFixed(1)} s`,
  );
  assert.match(await page.locator('#token-claims').innerText(), /"email": "ada@example.com"/);
  assert.match(
    await page.locator('#code-panel').innerText(),
    /svc_pk_test_\w+',\s+encoder: mobileFaceNetEncoder/,
  );

  const elsewhere = asked.filter(
    one =>
      !one.url().startsWith(`${run.portal}/try`) &&
      !one.url().startsWith(`${run.portal}/assets/`) &&
      !one.url().startsWith('blob:'),
  );
  const calls = elsewhere.map(one => `${one.method()} ${one.url()}`);
  const expected = ['/v1/challenges', '/v1/enroll', '/v1/me/logout', '/v1/challenges', '/v1/match'];
  const posts = calls.filter(one => one.startsWith('POST'));
  assert.equal(
    posts,
    expected.map(path => `POST ${run.base}${path}`),
  );
  const keys = `GET ${run.base}/.well-known/jwks.json`;
  assert.ok(
    calls.every(one => one.startsWith('POST') || one === keys || one === `GET ${run.portal}/favicon.ico`),
    calls.join('\n'),
  );
  for (const one of elsewhere) assert.ok((one.postData()?.length ?? 0) < 20_000, one.url());
  assert.not.ok(asked.some(one => one.method() !== 'GET' && one.url().startsWith(run.portal)));
  assert.equal(
    complaints.filter(text => !/favicon/.test(text)),
    [],
  );

  await page.getByRole('button', { name: 'Erase this user' }).click();
  await page.getByRole('button', { name: 'Erase the user' }).click();
  await page.getByText('Online: user_not_found').waitFor();
  assert.not.ok(run.opened('users').some(({ email }) => email === 'ada@example.com'));
});

test('without a face the person is told', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  await page.waitForSelector('#encoder[data-ready="camera"]');
  await looks(tab, 'try-ready');
  await press(page, 'Already enrolled? Sign in');
  await page.getByLabel('Liveness').selectOption('blink');
  assert.match(await page.locator('#code-panel').innerText(), /mode="sign-in" liveness-check="blink"/);
  await press(page, 'Sign in');
  await page.locator('face-sign-in').getByRole('status').filter({ hasText: 'Look straight' }).waitFor();
  await looks(tab, 'try-looking');
  await page.locator('face-sign-in').getByRole('alert').filter({ hasText: 'No face' }).waitFor();
  await looks(tab, 'try-no-face');
});

test('a made-up face and a code by email lead in', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  await enrollMadeUp(page, 'grace@example.com');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Online: revoked').waitFor();
  await page.getByRole('button', { name: 'Now sign in with your face' }).click();
  await page.getByText('In test mode no email is sent: the code is always 000000.').waitFor();
  await press(page, 'Use an email code');
  await page.locator('face-sign-in').getByLabel('Email address').fill('grace@example.com');
  await press(page, 'Send the code');
  await shows(page, 'code');
  await page.locator('face-sign-in').getByRole('textbox').fill('000000');
  await press(page, 'Sign in');
  await shows(page, 'owner'); // the first code for this address
  await press(page, 'Yes');
  await shows(page, 'done');
  await page.getByText('Online: valid').waitFor();
  assert.match(await page.locator('#token-claims').innerText(), /"otp"/);
  assert.is(await page.locator('#after').innerText(), 'Signed in with a code by email.');
});

test.run();
