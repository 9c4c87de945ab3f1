/**
 * Every button of the web component, pressed again and again at the same place after 60, 120, 250 and 450 ms, on a line
 * that is slow and then answers, at three widths, by pointer and by a key that is held down: the first press counts once,
 * nothing is deleted and nothing ends without having been asked to. The page's clock stands still but for the test, so no
 * timing of the machine decides. The client is the page's own and answers when the test says so.
 */
import * as assert from 'uvu/assert';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, place } from './element-pages.ts';

const test = suite('browser: element twice');
const { lab, pages } = elementLabFor(test, { base: 'http://127.0.0.1:9' } as Running);
const AGAIN = [60, 120, 250, 450];
const WIDTHS = [1280, 390, 320];
test.before(async () => {
  await lab.page.clock.install();
  await lab.page.goto(pages.origin);
  await lab.page.clock.pauseAt(Date.now() + 60_000);
});

type Verb =
  | 'signIn'
  | 'enroll'
  | 'requestEmailCode'
  | 'signInWithEmailCode'
  | 'confirmFace'
  | 'deleteAccount'
  | 'addTemplates';

const later = (ms: number) => lab.page.clock.runFor(ms);
const view = () => lab.element.locator('.card').getAttribute('data-view');
const button = (name: string) => lab.element.getByRole('button', { name, exact: true });
const text = () => lab.element.locator('.card').innerText();

async function become(wanted: string): Promise<void> {
  while ((await view()) !== wanted) await lab.page.waitForTimeout(10);
}

/** A fresh component, whose client keeps a list of what it is asked, and of what is stopped. */
async function put(mode: 'sign-in' | 'enroll' = 'sign-in'): Promise<void> {
  await lab.page.unrouteAll();
  await place(lab, pages.origin, {
    key: 'svc_pk_test_none',
    api: 'http://127.0.0.1:9',
    attributes: { mode },
  });
  await lab.page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    const { lab } = window as any;
    Object.assign(lab, { calls: [], open: {} });
    const user = { id: 'usr_1', email: 'ada.lovelace@mail.example.com', createdAt: new Date('2026-03-15') };
    const session = { user, token: 'a.b.c', expiresAt: new Date('2030-01-01'), templateCount: 2 };
    const verb =
      (name: string) =>
      (...given: { signal?: AbortSignal }[]) => {
        lab.calls.push(name);
        given.at(-1)?.signal?.addEventListener('abort', () => lab.calls.push(`${name} was stopped`));
        return new Promise((resolve, reject) => {
          lab.open[name] = (more: object | string) => {
            if (typeof more !== 'string') resolve({ ...session, ...more });
            else reject(new lab.sdk.FaceSignInError(more));
          };
        });
      };
    const names = ['signIn', 'enroll', 'requestEmailCode', 'signInWithEmailCode', 'confirmFace'];
    const verbs = [...names, 'deleteAccount', 'addTemplates'].map(name => [name, verb(name)]);
    const element = document.querySelector('face-sign-in') as unknown as { client: object };
    element.client = { session, onSessionChange: () => () => {}, ...Object.fromEntries(verbs) };
  });
}

/** The open call of that verb is answered, or refused by a code. */
const answer = (verb: Verb, how: object | string = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: kept above
  lab.page.evaluate(([name, given]) => (window as any).lab.open[name as string](given), [verb, how] as const);
const calls = (): Promise<string[]> => lab.page.evaluate('lab.calls');

async function press(name: string): Promise<void> {
  await later(700);
  await button(name).click();
}

async function toEmail(): Promise<void> {
  await put();
  await press('Use an email code');
  await lab.element.getByRole('textbox').fill('ada.lovelace@mail.example.com');
}
async function toCode(): Promise<void> {
  await toEmail();
  await press('Send the code');
  await answer('requestEmailCode');
  await become('code');
  await lab.element.getByRole('textbox').fill('000000');
}
async function toOwner(): Promise<void> {
  await toCode();
  await press('Sign in');
  await answer('signInWithEmailCode', { firstVerification: true });
  await become('owner');
}
async function toErase(): Promise<void> {
  await toOwner();
  await press('No');
  await become('erase');
}
async function toNotErased(): Promise<void> {
  await toErase();
  await press('Delete the account');
  await answer('deleteAccount', 'offline');
  await become('not_erased');
}
async function toErased(): Promise<void> {
  await toErase();
  await press('Delete the account');
  await answer('deleteAccount');
  await become('erased');
}
async function toEnroll(email = 'ada@example.com'): Promise<void> {
  await put('enroll');
  if (email === '') return;
  await lab.element.getByLabel('Email address').fill(email);
  await later(700);
  await lab.element.getByRole('checkbox').check();
}
async function toCamera(): Promise<void> {
  await put();
  await press('Sign in');
  await called('signIn');
}
async function toLearn(): Promise<void> {
  await toCamera();
  await answer('signIn', { confidence: 0.1 });
  await become('done');
}
/** After an attempt that has failed. */
async function toProblem(verb: 'signIn' | 'enroll', code: string): Promise<void> {
  if (verb === 'signIn') await put();
  else await toEnroll();
  await press(verb === 'signIn' ? 'Sign in' : 'Enroll');
  await called(verb);
  await answer(verb, code);
  await become('problem');
}
async function called(verb: Verb): Promise<void> {
  while ((await calls()).at(-1) !== verb) await lab.page.waitForTimeout(10);
}

interface Row {
  readonly from: string;
  readonly reach: () => Promise<void>;
  readonly press: string;
  /** The view that one press leads to. */
  readonly to: string;
  /** What the client is asked, and how it answers after the presses. */
  readonly asks?: readonly [Verb, (object | string)?];
  /** What the press stops: its own business. */
  readonly stops?: Verb;
}

const ROWS: readonly Row[] = [
  { from: 'sign-in', reach: () => put(), press: 'Sign in', asks: ['signIn', 'no_match'], to: 'problem' },
  { from: 'sign-in', reach: () => put(), press: 'Use an email code', to: 'email' },
  { from: 'sign-in', reach: () => put(), press: 'New here? Enroll your face', to: 'start' },
  { from: 'enroll', reach: toEnroll, press: 'Enroll', asks: ['enroll', 'no_face'], to: 'problem' },
  { from: 'enroll, empty', reach: () => toEnroll(''), press: 'Enroll', to: 'start' },
  { from: 'enroll', reach: toEnroll, press: 'Already enrolled? Sign in', to: 'start' },
  { from: 'camera', reach: toCamera, press: 'Cancel', to: 'start', stops: 'signIn' },
  { from: 'email', reach: toEmail, press: 'Send the code', asks: ['requestEmailCode'], to: 'code' },
  { from: 'email', reach: toEmail, press: 'Back', to: 'start' },
  {
    from: 'code, first',
    reach: toCode,
    press: 'Sign in',
    asks: ['signInWithEmailCode', { firstVerification: true }],
    to: 'owner',
  },
  { from: 'code', reach: toCode, press: 'Sign in', asks: ['signInWithEmailCode'], to: 'done' },
  {
    from: 'code, wrong',
    reach: toCode,
    press: 'Sign in',
    asks: ['signInWithEmailCode', 'invalid_code'],
    to: 'code',
  },
  { from: 'code', reach: toCode, press: 'Send a new code', asks: ['requestEmailCode'], to: 'code' },
  { from: 'code', reach: toCode, press: 'Back', to: 'email' },
  { from: 'owner', reach: toOwner, press: 'Yes', asks: ['confirmFace'], to: 'done' },
  { from: 'owner', reach: toOwner, press: 'Yes', asks: ['confirmFace', 'offline'], to: 'owner' },
  { from: 'owner', reach: toOwner, press: 'No', to: 'erase' },
  { from: 'erase', reach: toErase, press: 'Back', to: 'owner' },
  { from: 'erase', reach: toErase, press: 'Delete the account', asks: ['deleteAccount'], to: 'erased' },
  {
    from: 'erase, offline',
    reach: toErase,
    press: 'Delete the account',
    asks: ['deleteAccount', 'offline'],
    to: 'not_erased',
  },
  { from: 'not erased', reach: toNotErased, press: 'Try again', asks: ['deleteAccount'], to: 'erased' },
  { from: 'erased', reach: toErased, press: 'Enroll', to: 'start' },
  { from: 'erased', reach: toErased, press: 'Back', to: 'start' },
  {
    from: 'not recognised',
    reach: () => toProblem('signIn', 'no_match'),
    press: 'Try again',
    asks: ['signIn', 'no_face'],
    to: 'problem',
  },
  {
    from: 'not recognised',
    reach: () => toProblem('signIn', 'no_match'),
    press: 'Use an email code',
    to: 'email',
  },
  {
    from: 'enrolled already',
    reach: () => toProblem('enroll', 'face_already_enrolled'),
    press: 'Sign in',
    to: 'start',
  },
  { from: 'no face', reach: () => toProblem('enroll', 'no_face'), press: 'Back', to: 'start' },
  {
    from: 'an offer to remember',
    reach: toLearn,
    press: 'Remember how I look',
    asks: ['addTemplates', 'no_face'],
    to: 'done',
  },
  { from: 'an offer to remember', reach: toLearn, press: 'Not now', to: 'done' },
];

/** Whether a button that ends or deletes something is where that rectangle is. */
const slidUnder = (place: { y: number; height: number }) =>
  lab.element.evaluate(
    (element, { y, height }) =>
      [...(element.shadowRoot?.querySelectorAll('.ends') ?? [])].some(one => {
        const { top, bottom } = one.getBoundingClientRect();
        return top < y + height && bottom > y;
      }),
    place,
  );

/** Everything that a person, a screen reader or a script may do with the buttons that are there now. */
async function tryEverything(): Promise<void> {
  for (const one of await lab.element.getByRole('button').all()) {
    await one.focus();
    await lab.page.keyboard.press('Enter');
    await lab.page.keyboard.press(' ');
    await one.evaluate(element => (element as HTMLElement).click());
  }
}

async function holds(row: Row, first: () => Promise<void>, again: () => Promise<void>): Promise<void> {
  const before = await calls();
  const wanted = [...before, ...(row.asks ? [row.asks[0]] : [])];
  if (row.stops) wanted.push(`${row.stops} was stopped`);
  // A slow line: neither the service answers nor do parts of the component come.
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await lab.page.route('**/chunks/*.js', async route => {
    await held;
    await route.continue();
  });
  await later(700);
  await first();
  let at = 0;
  for (const moment of AGAIN) {
    await later(moment - at);
    at = moment;
    await again();
  }
  release();
  if (row.asks) {
    while ((await calls()).length < wanted.length) await lab.page.waitForTimeout(10);
    await answer(...row.asks);
  }
  await become(row.to);
  await lab.element.locator('.card.paused').waitFor();
  at = 0;
  for (const moment of AGAIN) {
    await later(moment - at);
    at = moment;
    await again();
  }
  await tryEverything();
  assert.is(await view(), row.to);
  assert.equal(await calls(), wanted);
  if (row.from === 'enroll, empty')
    assert.not(await lab.element.getByRole('checkbox').isChecked(), 'nobody has agreed');
  await later(200);
  assert.is(await lab.element.locator('.card.paused').count(), 0, 'and then everything can be pressed');
}

for (const [n, row] of ROWS.slice(+(process.env.A ?? 0), +(process.env.B ?? 99)).entries()) {
  test(`${row.from}: ${row.press} → ${row.to} (${n})`, async () => {
    for (const width of WIDTHS) {
      await lab.page.setViewportSize({ width, height: width > 400 ? 900 : 640 });
      await row.reach();
      await button(row.press).scrollIntoViewIfNeeded();
      const place = await button(row.press).boundingBox();
      assert.ok(place);
      const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
      await holds(
        row,
        () => lab.page.mouse.click(x, y),
        async () => {
          assert.not(await slidUnder(place), `${width} pixels: something that ends is under the pointer`);
          await lab.page.mouse.click(x, y);
        },
      );
    }
    await row.reach();
    await later(700);
    await button(row.press).focus();
    await holds(
      row,
      () => lab.page.keyboard.down('Enter'),
      () => lab.page.keyboard.down('Enter'),
    );
    await lab.page.keyboard.up('Enter');
  });
}

test('the rows have every button that the component has', async () => {
  const seen = new Set<string>();
  for (const reach of new Set(ROWS.map(row => row.reach))) {
    await reach();
    for (const name of await lab.element.getByRole('button').allInnerTexts()) seen.add(name);
  }
  const pressed = new Set(ROWS.map(row => row.press));
  assert.equal(
    [...seen].filter(name => !pressed.has(name)),
    [],
  );
});

test('what erases is named before, and the harmless answer comes first', async () => {
  await toErase();
  assert.match(await text(), /account of ada\.lovelace@mail\.example\.com.*name.*face.*March 15, 2026/s);
  assert.equal(await lab.element.getByRole('button').allInnerTexts(), ['Back', 'Delete the account']);
});

test.run();
