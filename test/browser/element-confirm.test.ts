/**
 * The web component with `confirm-below`, in a real browser before a real service: a face that was only just recognised signs in
 * nobody. Its token is revoked, and the page is told nothing before a code of that same account. A stranger who looks alike does
 * not learn the address.
 */
import * as assert from 'uvu/assert';
import { masked } from '../../src/sdk/browser/element/codes.ts';
import { decoded, enrolled, faces, someEmail, verify } from '../support/client.ts';
import { byCode, member } from '../support/codes.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, eventsOf, place, shows } from './element-pages.ts';

const test = suite('browser: element, confirming');
const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);

const button = (name: string) => lab.element.getByRole('button', { name, exact: true });
const text = () => lab.element.locator('.card').innerText();
const alert = (words: string) => lab.element.getByRole('alert').filter({ hasText: words }).waitFor();
const names = async () =>
  (await eventsOf(lab)).map(({ name, code }) => [name, code].filter(Boolean).join(' '));
const session = () => lab.page.evaluate('document.querySelector("face-sign-in").client.session');
/** What the page's own listener of the client was told. */
const told = () => lab.page.evaluate<unknown[]>('lab.told');
const stateOf = async (token: string) => {
  const { json } = await verify(run, app, token, 'test');
  return json.valid ? 'valid' : json.reason;
};
const calls = () =>
  lab.asked
    .filter(request => request.url().startsWith(run.base))
    .map(request => `${request.method()} ${request.url().replace(run.base, '')}`);
const UP_TO_CODE = ['POST /v1/challenges', 'POST /v1/match', 'POST /v1/me/logout', 'POST /v1/email-codes'];

/** Tokens from faces, as they come from the service. */
const byFace: string[] = [];

interface Try {
  readonly attributes?: Record<string, string>;
  /** Routes of the service that fail, by the end of their path, and how. */
  readonly refuse?: Readonly<Record<string, readonly [status: number, code: string]>>;
}
const ASKS: Try = { attributes: { 'confirm-below': '0.25' } };

/** Somebody at that distance from a fresh user of that number presses the button. */
async function signIn(person: number, distance: number, given: Try = ASKS, isVerified = true) {
  const email = `ada.lovelace.${someEmail()}`;
  const user = await member(run, app, { mode: 'test', face: person, email });
  if (isVerified) await byCode(run, app, email, 'test');
  await again(person, distance, given);
  return { email, user };
}
async function again(
  person: number,
  distance: number,
  { attributes = {}, refuse = {} } = ASKS,
): Promise<void> {
  await lab.page.unrouteAll();
  await place(lab, pages.origin, { key: app.test.pk, api: run.base, person, attributes });
  byFace.length = 0;
  await lab.page.route('**/v1/match', async route => {
    const response = await route.fetch();
    const { token } = await response.json();
    if (token) byFace.push(token);
    await route.fulfill({ response });
  });
  for (const [path, [status, code]] of Object.entries(refuse))
    await lab.page.route(`**/v1/${path}`, route => {
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ status, headers, json: { error: { code, message: 'No.' } } });
    });
  const seen = Array.from({ length: 40 }, (_, variant) => faces.atDistance(person, distance, variant));
  await lab.page.evaluate(all => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    const { lab } = window as any;
    let next = 0;
    lab.encoder.describe = async () => all[next++ % all.length];
    lab.told = [];
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    const { client } = document.querySelector('face-sign-in') as any;
    client?.onSessionChange((now: object | null) => lab.told.push(now));
  }, seen);
  await button(attributes.lang === 'es' ? 'Entrar' : 'Sign in').click();
}

async function useCode(code = '000000'): Promise<void> {
  await lab.element.getByRole('textbox').fill(code);
  await button('Sign in').click();
}

/** Nobody is signed in, the page knows nothing, and the token of the face is good for nothing. */
async function nobody(events: string[] = []): Promise<void> {
  assert.equal([await names(), await told(), await session()], [events, [], null]);
  assert.equal([byFace.length, await stateOf(byFace[0] as string)], [1, 'revoked']);
}

test('the page is told nothing before the code, and then of the code; the person may be remembered', async () => {
  const { email, user } = await signIn(0, 0.3);
  await shows(lab, 'confirm');
  await nobody();
  assert.equal(calls(), UP_TO_CODE);
  assert.match(await text(), /only just recognised.*code is on its way to a•••@e•••\.com/s);
  const all = await lab.page.evaluate(
    () => `${document.querySelector('face-sign-in')?.shadowRoot?.innerHTML}${document.body.innerHTML}`,
  );
  assert.not.match(all, /lovelace|example/i, 'whoever looks alike does not learn the address');
  assert.is(await lab.element.evaluate(host => host.shadowRoot?.activeElement?.id), 'code', 'has the focus');
  await useCode();
  await shows(lab, 'done');
  assert.match(await text(), new RegExp(`Signed in as ${email}.*Remember how you look`, 's'));
  const [event, ...more] = await eventsOf(lab);
  assert.equal([event.name, event.user.id, event.method, more], ['face-sign-in', user.id, 'email_code', []]);
  assert.equal(decoded(event.token).claims.amr, ['otp']);
  assert.is(await stateOf(event.token), 'valid');
  assert.is((await told()).length, 1);
});

/** Distances of 0.3 and 0.2 are confidences of 0.25 and 0.5. */
const LIMITS: [distance: number, limit: string | undefined, asks: boolean][] = [
  [0.3, undefined, false],
  [0.2, '0.25', false],
  [0.2, '0.5', true],
];
for (const [n, [distance, limit, asks]] of LIMITS.entries())
  test(`at a distance of ${distance} and confirm-below ${limit}: ${asks ? 'asks' : 'is enough'}`, async () => {
    await signIn(10 + n, distance, { attributes: limit === undefined ? {} : { 'confirm-below': limit } });
    await shows(lab, asks ? 'confirm' : 'done');
    assert.equal(await names(), asks ? [] : ['face-sign-in']);
    assert.is(await stateOf(byFace[0] as string), asks ? 'revoked' : 'valid');
  });

test('a property is its attribute, also when it was set before the component existed', async () => {
  const states = await lab.page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
    const element = document.createElement('face-sign-in') as any;
    const states = [element.confirmBelow];
    for (const value of [0.5, null, 0.25, undefined]) {
      element.confirmBelow = value;
      states.push(element.getAttribute('confirm-below'), element.confirmBelow);
    }
    // Its own property, as a framework sets it on an element that is not defined yet.
    const own = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(element, 'confirmBelow', { value: 0.75, ...own });
    Object.defineProperty(element, 'meanSignIn', { value: true, ...own });
    document.querySelector('#place')?.append(element);
    states.push(element.getAttribute('confirm-below'), element.getAttribute('mean-sign-in'));
    element.meanSignIn = undefined;
    states.push(element.hasAttribute('mean-sign-in'));
    return states;
  });
  assert.equal(states, [null, '0.5', 0.5, null, null, '0.25', 0.25, null, null, '0.75', '', false]);
});

const LEAVING: Record<string, () => Promise<void>> = {
  'going back': async () => {
    await button('Back').click();
    await shows(lab, 'start');
  },
  'removing the component': () => lab.element.evaluate(element => element.remove()),
  'another client': () => lab.element.evaluate(element => element.setAttribute('publishable-key', 'none')),
};
for (const [n, [name, leave]] of Object.entries(LEAVING).entries())
  test(`leaving before the code leaves nothing: ${name}`, async () => {
    await signIn(20 + n, 0.3);
    await shows(lab, 'confirm');
    await leave();
    assert.equal([await names(), await told()], [[], []]);
    assert.is(await stateOf(byFace[0] as string), 'revoked');
  });

test('a reload leaves nothing, and the token is revoked even if the page goes before the answer to that', async () => {
  await signIn(30, 0.3);
  await lab.page.waitForRequest('**/v1/me/logout');
  await lab.page.goto(pages.origin);
  await lab.page.waitForFunction(() => 'lab' in window);
  const kept = await lab.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.equal(kept, [0, 0, '']);
  while ((await stateOf(byFace[0] as string)) !== 'revoked') await lab.page.waitForTimeout(50);
});

test('wrong codes sign in nobody, and after five not even the right one does', async () => {
  await signIn(31, 0.3);
  await shows(lab, 'confirm');
  for (let n = 1; n <= 5; n++) {
    await useCode(`00000${n}`);
    while ((await names()).length < n) await lab.page.waitForTimeout(20);
    await shows(lab, 'confirm');
  }
  await useCode();
  await alert('Too many attempts');
  const events = [...Array(5).fill('face-sign-in-error invalid_code'), 'face-sign-in-error rate_limited'];
  await nobody(events);
  await button('Send a new code').click();
  await lab.element.getByRole('status').filter({ hasText: 'A new code' }).waitFor();
  assert.is(calls().at(-1), 'POST /v1/email-codes');
});

/** What fails between the face and the code, and what the person reads. */
const FAILURES: Record<string, readonly [path: string, status: number, code: string, words: string]> = {
  'no mail': ['email-codes', 503, 'email_unavailable', 'Email codes are not available'],
  'too many codes': ['email-codes', 429, 'rate_limited', 'Too many attempts'],
  'a token that cannot be revoked': ['me/logout', 500, 'internal_error', 'Something went wrong'],
};
for (const [n, [name, [path, status, code, words]]] of Object.entries(FAILURES).entries())
  test(`${name}: nobody is signed in, and the person may try again`, async () => {
    await signIn(40 + n, 0.3, { ...ASKS, refuse: { [path]: [status, code] } });
    await shows(lab, 'problem');
    await alert(words);
    assert.equal([await names(), await told(), await session()], [[`face-sign-in-error ${code}`], [], null]);
    const isRevoked = path !== 'me/logout';
    assert.is(await stateOf(byFace[0] as string), isRevoked ? 'revoked' : 'valid');
    assert.is(calls().includes('POST /v1/email-codes'), isRevoked);
    assert.equal(await lab.element.getByRole('button').allInnerTexts(), ['Try again', 'Use an email code']);
  });

test('a code of another account counts for nothing, and its token is revoked', async () => {
  const other = someEmail();
  await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(61)], fields: { email: other } });
  await byCode(run, app, other, 'test');
  await signIn(60, 0.3);
  await shows(lab, 'confirm');
  let byOther = '';
  await lab.page.route('**/v1/email-codes/verify', async route => {
    const response = await route.fetch({
      postData: JSON.stringify({ email: other, code: '000000', asks_owner: true }),
    });
    byOther = (await response.json()).token;
    await route.fulfill({ response });
  });
  const { page } = lab;
  await page.evaluate(
    // The address has gone to another account since: that one's code works.
    async ([base, key, email]) => {
      const headers = { 'X-Svc-Key': key as string, 'Content-Type': 'application/json' };
      await fetch(`${base}/v1/email-codes`, { method: 'POST', headers, body: JSON.stringify({ email }) });
    },
    [run.base, app.test.pk, other],
  );
  await useCode();
  await shows(lab, 'problem');
  await alert('Sign in with an email code first');
  await nobody(['face-sign-in-error email_code_needed']);
  assert.is(await stateOf(byOther), 'revoked');
});

test('the first code for an address still asks whether the face is the person’s own', async () => {
  await signIn(70, 0.3, ASKS, false);
  await shows(lab, 'confirm');
  await useCode();
  await shows(lab, 'owner');
  assert.equal(await names(), []);
  await button('Yes').click();
  await shows(lab, 'done');
  assert.equal(await names(), ['face-sign-in']);
});

test('in Spanish, also if the language changes meanwhile', async () => {
  await signIn(71, 0.3, { attributes: { ...ASKS.attributes, lang: 'es' } });
  await shows(lab, 'confirm');
  assert.match(await text(), /Confirma que eres tú.*código de 6 cifras está en camino a a•••@e•••\.com/s);
  await lab.element.evaluate(element => element.setAttribute('lang', 'de'));
  await lab.element.getByText('Bestätigen Sie, dass Sie es sind').waitFor();
});

test('an address is known to its owner, and to nobody else', () => {
  const rows = {
    'ada.lovelace@example.com': 'a•••@e•••.com',
    'ada@mail.example.co.uk': '•••@m•••.uk',
    '"a@b"@example.com': '"•••@e•••.com',
    'älter@bücher.example': 'ä•••@b•••.example',
    'abcd@localhost': 'a•••@l•••',
    'a@b.de': '•••@•••.de',
    '': '•••@•••',
  };
  for (const [email, wanted] of Object.entries(rows)) assert.is(masked(email), wanted, email);
});

test.run();
