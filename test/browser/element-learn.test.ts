/**
 * What the web component does so that people are recognised later: the prompts of an enrolment, the mean of several pictures,
 * and the offer to remember today's look after a sign-in with little margin. In a real browser, before a real service.
 */
import * as assert from 'uvu/assert';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { someEmail } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, eventsOf, type Placed, place, shows } from './element-pages.ts';

const test = suite('browser: element, learning');
const faces = syntheticFaces();
const OFFER = /only just recognised/;

const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);

const put = async (options: Partial<Placed> = {}) => {
  await lab.page.unrouteAll();
  await place(lab, pages.origin, { key: app.test.pk, api: run.base, person: 0, ...options });
};
const button = (name: string) => lab.element.getByRole('button', { name, exact: true });
const text = () => lab.element.locator('.card').innerText();
const status = () => lab.element.getByRole('status').innerText();
const says = (words: string) => lab.element.getByRole('status').filter({ hasText: words }).waitFor();
const templates = () => Number(run.rows('SELECT COUNT(*) AS n FROM templates')[0].n);
const cameraIsOn = () =>
  lab.page.evaluate(() => {
    const video = document.querySelector('face-sign-in')?.shadowRoot?.querySelector('video');
    return Boolean((video?.srcObject as MediaStream | null | undefined)?.active);
  });
/** What the camera shows from now on, as descriptors, one after the other and again. */
const seeing = (...descriptors: number[][]) =>
  lab.page.evaluate(all => {
    let next = 0;
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    (window as any).lab.encoder.describe = async () => all[next++ % all.length];
  }, descriptors);
const noFace = () => lab.page.evaluate('lab.encoder.detect = async () => []; undefined');
/** Requests from now on, as `METHOD /path`. */
const calls = () =>
  lab.asked
    .filter(request => request.url().startsWith(run.base))
    .map(request => `${request.method()} ${request.url().replace(run.base, '')}`);

/** Somebody who is enrolled with one template, capture 0 of that person. */
async function enrolled(person: number): Promise<string> {
  const email = someEmail();
  await put({ person, attributes: { mode: 'enroll' } });
  await seeing(faces.genuine(person, 0));
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await lab.page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    const element = document.querySelector('face-sign-in') as any;
    const { enroll } = element.client;
    const capture = { count: 1 };
    element.client.enroll = (options: object) => enroll({ ...options, capture });
  });
  await button('Enroll').click();
  await shows(lab, 'done');
  return email;
}
/** Signs in with a face at that distance from the one that is enrolled. */
async function signIn(person: number, distance: number, attributes = {}): Promise<void> {
  await put({ person, attributes });
  await seeing(...Array.from({ length: 40 }, (_, variant) => faces.atDistance(person, distance, variant)));
  await button('Sign in').click();
  await shows(lab, 'done');
}

test('an enrolment asks nothing but to look straight, and takes three to five pictures', async () => {
  const before = templates();
  await put({ person: 10, attributes: { mode: 'enroll' } });
  await lab.element.getByLabel('Email address').fill(someEmail());
  await lab.element.getByRole('checkbox').check();
  await lab.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const root = document.querySelector('face-sign-in')?.shadowRoot as ShadowRoot;
    const look = () => {
      const said = root.querySelector('[role=status]')?.textContent ?? '';
      if (!seen.includes(said)) seen.push(said);
    };
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await button('Enroll').click();
  await shows(lab, 'done');
  const seen = await lab.page.evaluate<string[]>('seen');
  const asked = seen.filter(one => /look|turn|move|come/i.test(one));
  assert.equal(asked, ['Look straight at the camera.']);
  const added = templates() - before;
  assert.ok(added >= 3 && added <= 5, `${added} templates: this encoder makes no mean`);
});

test('a sign-in with little margin: the offer says what is kept, and nothing is captured before the click', async () => {
  const email = await enrolled(20);
  await signIn(20, 0.3);
  assert.match(await text(), OFFER);
  assert.match(await text(), /numbers that describe your face today are kept until your account is deleted/i);
  assert.match(await text(), new RegExp(`Signed in as ${email}`));
  assert.equal(
    (await eventsOf(lab)).map(({ name }) => name),
    ['face-sign-in'],
    'the page knows of the sign-in already',
  );
  await lab.page.waitForTimeout(300);
  assert.not(await cameraIsOn());
  assert.equal(calls(), ['POST /v1/challenges', 'POST /v1/match']);
});

test('agreeing captures again, and the page learns of the new session', async () => {
  await enrolled(21);
  const before = templates();
  await signIn(21, 0.3);
  await button('Remember how I look').click();
  await shows(lab, 'camera');
  await shows(lab, 'done');
  await says('You will be recognised more easily next time.');
  assert.not.match(await text(), OFFER, 'offered once');
  assert.is(templates() - before, 1);
  const [signedIn, learned, more] = await eventsOf(lab);
  assert.is(more, undefined, 'face-sign-in is not sent again');
  assert.is(learned.name, 'face-sign-in-learned');
  assert.is(learned.templateCount, 2);
  assert.is(learned.user.id, signedIn.user.id);
  assert.is.not(learned.token, signedIn.token);
  assert.not(await cameraIsOn());
  // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
  const token = await lab.page.evaluate(() => (document.querySelector('face-sign-in') as any).client.token);
  assert.is(token, learned.token);
  assert.equal(calls().slice(2), ['POST /v1/challenges', 'POST /v1/me/templates']);
});

test('a sign-in with mean-sign-in sends one descriptor, the mean of three pictures; another one a picture itself', async () => {
  await enrolled(24);
  const sent = async (attributes: Record<string, string>) => {
    await put({ person: 24, attributes });
    const seen = [1, 2, 3].map(capture => faces.genuine(24, capture));
    await seeing(...seen);
    await lab.page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
      const { lab } = window as any;
      lab.averaged = [];
      lab.encoder.mean = (all: number[][]) => {
        lab.averaged.push(all.length);
        return (all[0] as number[]).map((_, n) => all.reduce((sum, one) => sum + (one[n] as number), 0));
      };
    });
    const request = lab.page.waitForRequest('**/v1/match');
    await button('Sign in').click();
    const { descriptors } = (await request).postDataJSON();
    await shows(lab, 'done');
    assert.is(descriptors.length, 1);
    return lab.page.evaluate<number[]>('lab.averaged');
  };
  const [pictures = 0, ...more] = await sent({ 'mean-sign-in': '' });
  // A device that is slow has fewer by the time that it takes.
  assert.ok(pictures >= 1 && pictures <= 3, `${pictures}`);
  assert.equal(more, []);
  assert.equal(await sent({}), []);
});

test('not now: the plain end, and nothing is captured', async () => {
  await enrolled(22);
  await signIn(22, 0.3);
  await button('Not now').click();
  await shows(lab, 'done');
  assert.not.match(await text(), OFFER);
  assert.match(await text(), /Signed in as/);
  assert.is(calls().length, 2);
});

const FAILURES: [string, () => Promise<unknown>][] = [
  ['another face', () => seeing(faces.genuine(77, 1))],
  ['no service', () => lab.page.route('**/v1/challenges', route => route.abort())],
  [
    'no camera',
    () =>
      lab.page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
      }),
  ],
  [
    'a refusal',
    () => lab.page.route('**/v1/me/templates', route => route.fulfill({ status: 500, body: '{}' })),
  ],
];
for (const [i, [name, fail]] of FAILURES.entries())
  test(`what fails while learning does not undo the sign-in: ${name}`, async () => {
    const email = await enrolled(30 + i);
    await signIn(30 + i, 0.3);
    await fail();
    const before = templates();
    await button('Remember how I look').click();
    await says('You are still signed in.');
    assert.match(await text(), new RegExp(`Signed in as ${email}`));
    assert.is(await lab.element.getByRole('alert').innerText(), '');
    assert.equal(
      (await eventsOf(lab)).map(event => event.name),
      ['face-sign-in'],
      'no error of a sign-in is reported',
    );
    assert.is(templates(), before);
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    assert.ok(await lab.page.evaluate(() => (document.querySelector('face-sign-in') as any).client.session));
  });

test('leaving the camera while learning, or hiding the page, leads back to the plain end', async () => {
  await enrolled(40);
  const learning = async () => {
    await signIn(40, 0.3);
    await noFace();
    await button('Remember how I look').click();
    await says('Look straight');
  };
  await learning();
  await button('Cancel').click();
  await shows(lab, 'done');
  assert.not(await cameraIsOn());

  await learning();
  await lab.page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await shows(lab, 'done');
  assert.match(await status(), /page was hidden/);
  assert.not(await cameraIsOn());
});

test('signing out elsewhere while learning ends it', async () => {
  await enrolled(41);
  await signIn(41, 0.3);
  await noFace();
  await button('Remember how I look').click();
  await says('Look straight');
  // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
  await lab.page.evaluate(() => (document.querySelector('face-sign-in') as any).client.signOut());
  await shows(lab, 'start');
  assert.not(await cameraIsOn());
});

test('no offer: with a good margin, after an email code, after enrolling, with no-learn', async () => {
  const email = await enrolled(42);
  assert.not.match(await text(), OFFER, 'after enrolling');
  await signIn(42, 0.2);
  assert.not.match(await text(), OFFER, 'a confidence of 0.5');
  await signIn(42, 0.3, { 'no-learn': '' });
  assert.not.match(await text(), OFFER, 'no-learn');
  await put();
  await button('Use an email code').click();
  await lab.element.getByRole('textbox').fill(email);
  await button('Send the code').click();
  await shows(lab, 'code');
  await lab.element.getByRole('textbox').fill('000000');
  await button('Sign in').click();
  await shows(lab, 'owner');
  await button('Yes').click();
  await shows(lab, 'done');
  assert.not.match(await text(), OFFER, 'after a code');
});

test.run();
