/**
 * The web component after the first code for an address, in a real browser before a real service: the question whether the
 * enrolled face is the person's own, what Yes and No do, and that nobody is shown as signed in after a No.
 */
import * as assert from 'uvu/assert';
import { call, someEmail } from '../support/client.ts';
import { bearer } from '../support/me.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, eventsOf, type Placed, place, shows } from './element-pages.ts';

const test = suite('browser: element owner');
const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);

const put = async (options: Partial<Placed> = {}) => {
  await lab.page.unrouteAll();
  await place(lab, pages.origin, { key: app.test.pk, api: run.base, person: 0, ...options });
};
const press = (name: string) => lab.element.getByRole('button', { name, exact: true }).click();
/** "No", and once more to what it asks. */
async function no(): Promise<void> {
  await press('No');
  await shows(lab, 'erase');
  await press('Delete the account');
}
const buttons = () => lab.element.getByRole('button').allInnerTexts();
const text = () => lab.element.locator('.card').innerText();
const usersWith = (email: string) => run.opened('users').filter(user => user.email === email).length;
const names = async () =>
  (await eventsOf(lab)).map(({ name, code }) => [name, code].filter(Boolean).join(' '));

/** Somebody enrolls with the address. */
async function enroll(person: number, email: string): Promise<void> {
  await put({ person, attributes: { mode: 'enroll' } });
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await press('Enroll');
  await shows(lab, 'done');
}

async function toCode(email: string): Promise<void> {
  await press('Use an email code');
  await lab.element.getByRole('textbox').fill(email);
  await press('Send the code');
  await shows(lab, 'code');
  await lab.element.getByRole('textbox').fill('000000');
}

async function useCode(email: string): Promise<void> {
  await toCode(email);
  await press('Sign in');
}

/** Enrolled by an attacker, with the owner of the address before the question. */
async function asked(person: number, options: Partial<Placed> = {}): Promise<string> {
  const email = someEmail();
  await enroll(person, email);
  await put(options);
  await useCode(email);
  await shows(lab, 'owner');
  return email;
}

/** Requests to delete the account fail like this, from now on. */
const failing = (how: 'offline' | number) =>
  lab.page.route('**/v1/me', route => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    if (how === 'offline') return route.abort('internetdisconnected');
    const headers = { 'access-control-allow-origin': '*' };
    const code = how === 401 ? 'token_revoked' : 'internal_error';
    return route.fulfill({ status: how, headers, json: { error: { code, message: 'No.' } } });
  });

test('Yes: the person is signed in, and only then the page is told', async () => {
  const email = await asked(0);
  assert.match(await text(), /A face was enrolled for this address on March 15, 2026\. Was that you\?/);
  assert.equal(await buttons(), ['Yes', 'No']);
  assert.equal(await names(), [], 'nothing before the answer');
  await press('Yes');
  await shows(lab, 'done');
  const [event, ...more] = await eventsOf(lab);
  assert.equal([event.name, event.user.email, event.method], ['face-sign-in', email, 'email_code']);
  assert.equal(more, []);
  const me = await call(run, 'GET', '/v1/me', { headers: bearer(event.token) });
  assert.is(me.json.user.email_verified, true);

  await put();
  await useCode(email);
  await shows(lab, 'done');
  assert.equal(await names(), ['face-sign-in'], 'asked once');
});

test('a question that a reload interrupts comes again with the next code, and Yes without a connection is no Yes', async () => {
  const email = await asked(10);
  await put();
  await useCode(email);
  await shows(lab, 'owner');
  await lab.page.route('**/v1/me/face/confirm', route => route.abort('internetdisconnected'));
  await press('Yes');
  await lab.element.getByRole('alert').filter({ hasText: 'connection' }).waitFor();
  assert.equal(await names(), ['face-sign-in-error offline']);
  await lab.page.unrouteAll();
  await press('Yes');
  await shows(lab, 'done');
  await put();
  await useCode(email);
  await shows(lab, 'done');
});

test('No: the account is gone with its face, nobody is signed in, and the person may enroll', async () => {
  const email = await asked(1);
  await no();
  await shows(lab, 'erased');
  assert.is(usersWith(email), 0);
  assert.equal(await names(), []);
  assert.is(await lab.page.evaluate('document.querySelector("face-sign-in").client.session'), null);
  await press('Enroll');
  await shows(lab, 'start');
  assert.is(await lab.element.getByLabel('Email address').inputValue(), email, 'with the address');
  await lab.page.evaluate('lab.encoder.person = 2');
  await lab.element.getByRole('checkbox').check();
  await press('Enroll');
  await shows(lab, 'done');
  assert.equal(await names(), ['face-sign-in']);
  assert.is(usersWith(email), 1);

  await put({ person: 1 });
  await press('Sign in');
  await shows(lab, 'problem');
  assert.equal(await names(), ['face-sign-in-error no_match'], 'the face that was there first');
});

test('No without a connection: the person is told, is not signed in, and tries again until it works', async () => {
  const email = await asked(3);
  await failing('offline');
  await no();
  await shows(lab, 'not_erased');
  await lab.element.getByRole('alert').filter({ hasText: 'connection' }).waitFor();
  assert.equal(await buttons(), ['Try again'], 'no way to be signed in');
  await press('Try again');
  // Asked from outside: the page's policy lets nothing evaluate a text in it again and again.
  while ((await lab.page.evaluate('lab.events.length')) !== 2) await lab.page.waitForTimeout(20);
  await shows(lab, 'not_erased');
  assert.is(usersWith(email), 1);
  await lab.page.unrouteAll();
  await press('Try again');
  await shows(lab, 'erased');
  assert.is(usersWith(email), 0);
  assert.equal(await names(), ['face-sign-in-error offline', 'face-sign-in-error offline']);
});

test('an answer that got lost: the account is gone, and trying again finds that out', async () => {
  const email = await asked(4);
  await lab.page.route('**/v1/me', async route => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await no();
  await shows(lab, 'not_erased');
  assert.is(usersWith(email), 0);
  await lab.page.unrouteAll();
  await press('Try again');
  await shows(lab, 'erased');
});

test('a session that is over before the answer: the question comes again with the next code', async () => {
  const email = await asked(5);
  await failing(401);
  await no();
  await shows(lab, 'start');
  await lab.element.getByRole('alert').filter({ hasText: 'signed out' }).waitFor();
  await lab.page.unrouteAll();
  await useCode(email);
  await shows(lab, 'owner');
  await lab.page.evaluate('document.querySelector("face-sign-in").client.signOut()');
  await shows(lab, 'start');
  await useCode(email);
  await shows(lab, 'owner');
  assert.equal(await names(), ['face-sign-in-error token_revoked'], 'never signed in');
  await no();
  await shows(lab, 'erased');
});

test('while the account is being deleted neither answer counts', async () => {
  const email = await asked(6);
  let deletions = 0;
  let proceed = () => {};
  const held = new Promise<void>(resolve => {
    proceed = resolve;
  });
  await lab.page.route('**/v1/me', async route => {
    if (route.request().method() === 'DELETE') {
      deletions += 1;
      await held;
    }
    await route.fallback();
  });
  await no();
  await lab.element.getByRole('status').filter({ hasText: 'Deleting' }).waitFor();
  for (const name of ['Back', 'Delete the account'])
    await lab.element.getByRole('button', { name, exact: true }).click({ force: true });
  await shows(lab, 'erase');
  proceed();
  await shows(lab, 'erased');
  assert.is(deletions, 1);
  assert.equal(await names(), []);
  assert.is(usersWith(email), 0);
});

test('No asks once more, and going back leads to the question', async () => {
  const email = await asked(8);
  await press('No');
  await shows(lab, 'erase');
  assert.match(await text(), new RegExp(`account of ${email} will be deleted .* March 15, 2026`));
  await press('Back');
  await shows(lab, 'owner');
  assert.is(usersWith(email), 1);
  await press('Yes');
  await shows(lab, 'done');
});

test('a double click on the button before deletes nothing', async () => {
  const email = someEmail();
  await enroll(9, email);
  await put();
  await toCode(email);
  const { x, y } = (await lab.element
    .getByRole('button', { name: 'Sign in', exact: true })
    .boundingBox()) as { x: number; y: number };
  // Whenever they arrive: nothing that deletes is put there.
  for (let n = 0; n < 12; n++) {
    await lab.page.mouse.click(x + 20, y + 20, { clickCount: 2 });
    await lab.page.waitForTimeout(60);
  }
  await lab.page.waitForSelector('face-sign-in .card:is([data-view="owner"], [data-view="done"])');
  assert.is(usersWith(email), 1);
});

test('in Spanish, with the date in its words; a page that allows no switch offers no enrolment', async () => {
  const email = someEmail();
  await enroll(7, email);
  await put({ attributes: { 'no-switch': '' } });
  await useCode(email);
  await shows(lab, 'owner');
  await lab.element.evaluate(element => element.setAttribute('lang', 'es'));
  await lab.element.locator('.card[lang=es]').waitFor();
  assert.match(
    await text(),
    /El 15 de marzo de 2026 se registró una cara para esta dirección\. ¿Fuiste tú\?/,
  );
  assert.equal(await buttons(), ['Sí', 'No']);
  await press('No');
  await lab.element.getByText('se borrará para siempre').waitFor();
  assert.equal(await buttons(), ['Atrás', 'Borrar la cuenta']);
  await press('Borrar la cuenta');
  await shows(lab, 'erased');
  assert.equal(await buttons(), ['Atrás']);
  await press('Atrás');
  await shows(lab, 'start');
});

test.run();
