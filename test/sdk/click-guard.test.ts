/** What passes after a change and what does not, by the times at which events were made. No browser: any target of events. */
import * as assert from 'uvu/assert';
import { clickGuard, PAUSE } from '../../src/click-guard.ts';
import { suite } from '../support/suite.ts';

const test = suite('click guard');

interface Happens {
  readonly type: 'pointerdown' | 'mousedown' | 'keydown' | 'click' | 'submit';
  /** Milliseconds after the change. */
  readonly at: number;
  readonly key?: string;
  readonly repeat?: boolean;
  /** What it happens to. Default: a button. */
  readonly on?: 'input' | 'textarea';
}

/** A place for events, without any buttons. */
function guarded(show = (_isPaused: boolean) => {}) {
  const place = Object.assign(new EventTarget(), { closest: () => null, querySelectorAll: () => [] });
  return { place, changed: clickGuard(place as unknown as Element, show) };
}

/** Which of these events go on to the page. */
function passed(events: readonly Happens[]): boolean[] {
  const { place, changed } = guarded();
  const change = performance.now();
  changed();
  return events.map(({ type, at, key, repeat = false, on = 'button' }) => {
    const event = new Event(type, { cancelable: true });
    const target = { matches: (selector: string) => selector.split(', ').includes(on) };
    for (const [name, value] of Object.entries({ timeStamp: change + at, key, repeat, target }))
      Object.defineProperty(event, name, { value });
    return place.dispatchEvent(event);
  });
}

const down = (at: number): Happens => ({ type: 'pointerdown', at });
const click = (at: number): Happens => ({ type: 'click', at });
const enter = (at: number, more: Partial<Happens> = {}): Happens => ({
  type: 'keydown',
  at,
  key: 'Enter',
  ...more,
});

const CASES: readonly (readonly [string, readonly Happens[], readonly boolean[]])[] = [
  ['a click before the change, handled after it', [click(-20)], [false]],
  ['a click right after it', [click(60)], [false]],
  ['the last early click', [click(PAUSE - 1)], [false]],
  ['the first click that counts', [click(PAUSE + 5)], [true]],
  ['a press that begins early and ends late', [down(450), click(530)], [true, false]],
  ['the next press after that', [down(450), click(530), down(600), click(640)], [true, false, true, true]],
  [
    'an early press elsewhere costs a screen reader one click',
    [down(450), click(700), click(900)],
    [true, false, true],
  ],
  ['an early Enter, and the click and the submit of it', [enter(100), click(101)], [true, false]],
  ['an early Enter in a form without a button', [enter(490), { type: 'submit', at: 505 }], [true, false]],
  ['a late Enter', [enter(600), click(601), { type: 'submit', at: 602 }], [true, true, true]],
  ['an early space bar, released late', [{ ...enter(480), key: ' ' }, click(560)], [true, false]],
  [
    'Enter held down, however long',
    [enter(900, { repeat: true }), enter(930, { repeat: true })],
    [false, false],
  ],
  ['Enter held down in a text of many lines', [enter(900, { repeat: true, on: 'textarea' })], [true]],
  [
    'typing',
    [
      { ...enter(50), key: '1' },
      { ...enter(80), key: '1', repeat: true },
    ],
    [true, true],
  ],
  ['an early press keeps the focus where it is', [down(50), { type: 'mousedown', at: 50 }], [true, false]],
  ['an early press in a field', [down(50), { type: 'mousedown', at: 50, on: 'input' }], [true, true]],
];

for (const [name, events, expected] of CASES) test(name, () => assert.equal(passed(events), expected));

test('what is told begins at once and ends after the pause', async () => {
  const told: boolean[] = [];
  const ended = new Promise<void>(resolve => {
    const { changed } = guarded(isPaused => {
      told.push(isPaused);
      if (!isPaused) resolve();
    });
    changed();
    changed();
    assert.equal(told, [true, true]);
  });
  await ended;
  assert.equal(told, [true, true, false], 'once');
});

test.run();
