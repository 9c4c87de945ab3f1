/** The web component in a real browser, before a real service: what a person does, and what the page learns of it. */
import * as assert from 'uvu/assert';
import { someEmail, soon } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, eventsOf, openElementLab, type Placed, place, shows } from './element-pages.ts';

const test = suite('browser: element');
const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);
const denied = openedFor(test, () => openElementLab(pages, { camera: 'denied' }));

const put = (options: Partial<Placed> = {}, where = lab) =>
  place(where, pages.origin, { key: app.test.pk, api: run.base, person: 0, ...options });
const button = (name: string, where = lab) => where.element.getByRole('button', { name, exact: true });
const text = (where = lab) => where.element.locator('.card').innerText();
const alertIn = (where = lab) => where.element.getByRole('alert').innerText();
/** Whether the component holds the camera now. */
const cameraIsOn = (where = lab) =>
  where.page.evaluate(() => {
    const video = document.querySelector('face-sign-in')?.shadowRoot?.querySelector('video');
    return Boolean((video?.srcObject as MediaStream | null | undefined)?.active);
  });
const focused = (where = lab) =>
  where.page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement;
    return inner ? inner.id || inner.textContent : null;
  });
/** The sentences of the console are loaded when there is one to say. */
const complained = (line: RegExp) =>
  soon(async () => line.test(lab.complaints.join()), `${line} in the console`, 10_000);

async function enroll(person: number, email = someEmail()): Promise<string> {
  await put({ person, attributes: { mode: 'enroll' } });
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await button('Enroll').click();
  await shows(lab, 'done');
  return email;
}

test('a person enrolls and signs in by face, and the page learns who it is', async () => {
  const email = await enroll(0);
  const [enrolled] = await eventsOf(lab);
  assert.is(enrolled.name, 'face-sign-in');
  assert.is(enrolled.user.email, email);
  assert.is(enrolled.method, 'face');
  assert.is(enrolled.token.split('.').length, 3);
  assert.ok(enrolled.expiresAt instanceof Date);
  assert.is(run.rows('SELECT COUNT(*) AS n FROM consents')[0].n, 1);

  await put({ person: 0 });
  assert.not(await cameraIsOn(), 'no camera before a click');
  await button('Sign in').click();
  await shows(lab, 'done');
  assert.is((await eventsOf(lab))[0].user.id, enrolled.user.id);
  assert.is(await focused(), 'title', 'the focus follows');
  assert.match(await text(), new RegExp(`Signed in as ${email}`));
  assert.not(await cameraIsOn());
});

test('under a strict policy the browser has nothing to complain about, and no picture is sent', async () => {
  await enroll(1);
  assert.equal(lab.complaints, []);
  const beyond = lab.asked.filter(request => !request.url().startsWith(pages.origin));
  const calls = beyond.map(request => `${request.method()} ${request.url().replace(run.base, '')}`);
  assert.equal(calls, ['POST /v1/challenges', 'POST /v1/enroll']);
  const body = beyond[1]?.postData() ?? '';
  assert.not.match(body, /data:|image|blob/i);
  assert.ok(body.length < 20_000, `${body.length} bytes`);
  assert.not.ok(
    lab.asked.some(request => ['image', 'media', 'websocket', 'ping'].includes(request.resourceType())),
  );
});

test('a person without consent or with a wrong address is told so at the field, and no camera starts', async () => {
  await put({ attributes: { mode: 'enroll' } });
  await lab.element.getByLabel('Email address').fill('ada');
  await button('Enroll').click();
  assert.is(await focused(), 'email');
  const said = await text();
  assert.match(said, /Enter your email address/);
  assert.match(said, /To enroll, agree to the use of your face/);
  assert.is(await lab.element.getByLabel('Email address').getAttribute('aria-invalid'), 'true');
  assert.not(await cameraIsOn());
  assert.equal(await eventsOf(lab), []);
});

test('a page with a notice of its own must name it', async () => {
  const own = { attributes: { mode: 'enroll' }, consent: 'The notice of the shop.' };
  await put({ ...own, person: 7 });
  await lab.element.getByLabel('Email address').fill(someEmail());
  await lab.element.getByRole('checkbox').check();
  await button('Enroll').click();
  await shows(lab, 'problem');
  assert.is((await eventsOf(lab))[0].code, 'key_refused');
  await complained(/face-sign-in: set policy-version to the version of/);

  const email = someEmail();
  await put({ ...own, person: 7, attributes: { mode: 'enroll', 'policy-version': 'shop-3' } });
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await button('Enroll').click();
  await shows(lab, 'done');
  const kept = run.rows('SELECT policy_version FROM consents ORDER BY rowid DESC LIMIT 1');
  assert.is(kept[0].policy_version, 'shop-3');
});

test('a face that nobody has enrolled: the page is told, and a code by email lets the person in', async () => {
  const email = await enroll(2);
  await put({ person: 50 });
  await button('Sign in').click();
  await shows(lab, 'problem');
  assert.match(await alertIn(), /not recognised/);
  assert.ok(await button('New here? Enroll your face').isVisible());
  assert.equal(
    (await eventsOf(lab)).map(event => event.code),
    ['no_match'],
  );
  await button('Use an email code').click();
  await shows(lab, 'email');
  assert.is(await focused(), 'email');
  await lab.page.keyboard.type(email);
  await lab.page.keyboard.press('Enter');
  await shows(lab, 'code');
  assert.is(await focused(), 'code');
  await lab.page.keyboard.type('123456');
  await lab.page.keyboard.press('Enter');
  await lab.page.waitForFunction(() => 'lab' in window);
  await lab.element.getByRole('alert').filter({ hasText: 'wrong or has expired' }).waitFor();
  await shows(lab, 'code');
  assert.is(await focused(), 'code');
  await lab.page.keyboard.type('000 000'); // in the place of the wrong one, which is selected
  await lab.page.keyboard.press('Enter');
  await shows(lab, 'owner'); // the first code for this address
  await button('Yes').click();
  await shows(lab, 'done');
  const last = (await eventsOf(lab)).at(-1);
  assert.is(last.method, 'email_code');
  assert.is(last.user.email, email);
});

test('a camera that is denied: what to do is said, and the code by email is offered', async () => {
  await put({}, denied);
  await button('Sign in', denied).click();
  await shows(denied, 'problem');
  assert.is((await eventsOf(denied))[0].code, 'camera_denied');
  assert.match(await alertIn(denied), /camera/i);
  assert.ok(await button('Use an email code', denied).isVisible());
});

test('nobody in front of the camera: the prompt says where to look, and cancelling stops the camera', async () => {
  await put({ person: null });
  await button('Sign in').click();
  await lab.element.getByRole('status').filter({ hasText: 'Look straight at the camera.' }).waitFor();
  assert.ok(await cameraIsOn());
  await button('Cancel').click();
  await shows(lab, 'start');
  assert.not(await cameraIsOn());
  assert.equal(await eventsOf(lab), [], 'cancelling is no error');
});

test('the camera stops when the page is hidden, and when the component is taken out', async () => {
  /** Until the camera is looked at; its stream is kept to be asked later. */
  const looking = async () => {
    await put({ person: null });
    await button('Sign in').click();
    await lab.element.getByRole('status').filter({ hasText: 'Look straight at the camera.' }).waitFor();
    await lab.page.evaluate(() => {
      const video = document.querySelector('face-sign-in')?.shadowRoot?.querySelector('video');
      Object.assign(window, { stream: video?.srcObject });
    });
    assert.ok(await active());
  };
  // biome-ignore lint/suspicious/noExplicitAny: kept above
  const active = () => lab.page.evaluate(() => (window as any).stream.active);
  await looking();
  await lab.page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await shows(lab, 'start');
  assert.match(await alertIn(), /page was hidden/);
  await lab.page.waitForTimeout(300);
  assert.not(await active());

  await looking();
  await lab.page.evaluate(() => document.querySelector('face-sign-in')?.remove());
  await lab.page.waitForTimeout(300);
  assert.not(await active());
});

test('a person who is enrolled already is led to signing in', async () => {
  const email = await enroll(3);
  await put({ person: 3, attributes: { mode: 'enroll' } });
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await button('Enroll').click();
  await shows(lab, 'problem');
  assert.match((await eventsOf(lab))[0].code, /^(email_taken|face_already_enrolled)$/);
  await button('Sign in').click();
  await shows(lab, 'start');
  assert.is(await lab.element.getAttribute('mode'), 'sign-in');
});

test('texts: Spanish by lang, and texts of the page over them; what was typed stays', async () => {
  await put({ attributes: { mode: 'enroll', lang: 'es-MX' } });
  await lab.element.getByLabel('Correo electrónico').fill('ada@example.com');
  await lab.page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    (document.querySelector('face-sign-in') as any).strings = { enrollTitle: 'Hola, tienda' };
  });
  assert.match(await text(), /Hola, tienda/);
  assert.is(await lab.element.getByLabel('Correo electrónico').inputValue(), 'ada@example.com');
  assert.is(await lab.element.locator('.card').getAttribute('lang'), 'es');
});

test('a check for liveness is asked for by an attribute', async () => {
  await put({ person: 0, attributes: { 'liveness-check': 'blink' } });
  await button('Sign in').click();
  await lab.element.getByRole('status').filter({ hasText: 'Blink.' }).waitFor();
  await button('Cancel').click();

  await put({ person: 0, attributes: { 'liveness-check': 'wink' } });
  await button('Sign in').click();
  await shows(lab, 'problem');
  await complained(/liveness-check must be one of passive, blink, turn, off/);
});

test('the keyboard alone is enough', async () => {
  await put({ person: 0, attributes: { mode: 'enroll' } });
  await shows(lab, 'start');
  await lab.page.keyboard.press('Tab');
  assert.is(await focused(), 'email');
  const order: (string | null)[] = [];
  for (let n = 0; n < 4; n++) {
    await lab.page.keyboard.press('Tab');
    order.push(await focused());
  }
  assert.equal(order, ['name', 'agree', 'Enroll', 'Already enrolled? Sign in']);
  await lab.page.keyboard.press('Enter');
  assert.is(await focused(), 'title');
});

test('signing out elsewhere in the page brings the component back to its beginning', async () => {
  await enroll(4);
  // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
  await lab.page.evaluate(() => (document.querySelector('face-sign-in') as any).client.signOut());
  await shows(lab, 'start');
  assert.is(await lab.element.getByLabel('Email address').inputValue(), '');
  assert.not(await lab.element.getByRole('checkbox').isChecked(), 'the next person agrees anew');
});

test.run();
