/**
 * Every button of the web component, pressed again and again at the same place after 60, 120, 250 and 450 ms, on a line
 * that is slow and then answers, at three widths, by pointer and by a key that is held down: the first press counts once,
 * nothing is deleted and nothing ends without having been asked to. The page's clock stands still but for the test, so no
 * timing of the machine decides. The client is the page's own and answers when the test says so.
 */
import * as assert from 'uvu/assert';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor } from './element-pages.ts';
import { stepsOf, type Verb } from './element-steps.ts';

const test = suite('browser: element twice');
const { lab, pages } = elementLabFor(test, { base: 'http://127.0.0.1:9' } as Running);
const AGAIN = [60, 120, 250, 450];
const WIDTHS = [1280, 390, 320];
test.before(async () => {
  await lab.page.clock.install();
  await lab.page.goto(pages.origin);
  await lab.page.clock.pauseAt(Date.now() + 60_000);
});

const {
  later,
  view,
  button,
  text,
  become,
  put,
  answer,
  calls,
  toEmail,
  toCode,
  toConfirm,
  toOwner,
  toErase,
  toNotErased,
  toErased,
  toEnroll,
  toCamera,
  toLearn,
  toProblem,
} = stepsOf(lab, pages);

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
  { from: 'confirm', reach: toConfirm, press: 'Sign in', asks: ['signInWithEmailCode'], to: 'done' },
  { from: 'confirm', reach: toConfirm, press: 'Send a new code', asks: ['requestEmailCode'], to: 'confirm' },
  { from: 'confirm', reach: toConfirm, press: 'Back', to: 'start' },
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

async function pressAgain(again: () => Promise<void>): Promise<void> {
  let at = 0;
  for (const moment of AGAIN) {
    await later(moment - at);
    at = moment;
    await again();
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
  await pressAgain(again);
  release();
  if (row.asks) {
    await answer(...row.asks);
    await become(row.to);
    await lab.element.locator('.card.paused').waitFor();
    await pressAgain(again);
  }
  await tryEverything();
  assert.is(await view(), row.to);
  assert.equal(await calls(), wanted);
  if (row.from === 'enroll, empty')
    assert.not(await lab.element.getByRole('checkbox').isChecked(), 'nobody has agreed');
  await later(200);
  assert.is(await lab.element.locator('.card.paused').count(), 0, 'and then everything can be pressed');
}

for (const [n, row] of ROWS.entries()) {
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
